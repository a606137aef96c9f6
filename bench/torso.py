#!/usr/bin/env python3
"""A 12-lead electrocardiogram of a torso of about as many nodes as asked for, with lungs, blood and a heart of a fifth of the
nodes: seconds of the lead fields at set-up, and microseconds of a sample after, as the difference of two runs, with a sample at
each step and at none; with --extracellular, milliseconds of each potential outside of the cells. The mesh is made coarse here and
refined by the program. All of it in a box: where bodies are round changes no time.
   torso.py SINEW [--nodes N] [--steps N] [--backend cpu|cuda] [--extracellular] [--set KEY=VALUE ...]"""
import argparse, json, os, subprocess, sys, tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sinew")
parser.add_argument("--nodes", type=float, default=1e6)
parser.add_argument("--steps", type=int, default=1000)
parser.add_argument("--backend", default="auto")
parser.add_argument("--extracellular", action="store_true")
parser.add_argument("--set", action="append", default=[])
HALF = (200.0, 125.0, 160.0)  # of the box, mm
GROUPS = ("heart", "blood", "lungs", "muscle")
PARTS = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]
CASE = """version: 1
title: A torso
mesh: {file: torso.msh, refine: %d}
physics: monodomain
tissue:
  - on: heart
    ionic: aliev-panfilov
    conductivity: {intra: [0.17, 0.019], extra: [0.62, 0.24], surface-to-volume: 14}
    fibers: {direction: ["1 + y/100", "-x/100", "0.3"]}
torso: [{on: blood, conductivity: 0.6}, {on: lungs, conductivity: 0.05}, {on: muscle, conductivity: 0.2}]
stimuli: [{on: {sphere: {center: [0, 40, 0], radius: 20}}, duration: 2, amplitude: 40}]
time: {end: %g, step: 0.1}
output:
  every: %g%s
  fields: [%s]
  electrodes: {RA: [-150, -100, 160], LA: [150, -100, 160], LL: [100, -100, -160], V1: [-20, -125, 20], V2: [20, -125, 20],
               V3: [50, -125, 0], V4: [80, -125, -20], V5: [130, -125, -20], V6: [200, -60, -20]}
"""


def graded(s):
    """From -1 to 1, finer in the middle."""
    return 0.25 * s + 0.75 * s**3


def group_of(x):
    square = lambda a, b, c: (x[0] / a) ** 2 + (x[1] / b) ** 2 + (x[2] / c) ** 2
    if square(45, 45, 65) < 1:
        return 2 if square(30, 30, 48) < 1 else 1
    return 3 if abs(x[0]) > 55 and square(170, 105, 140) < 1 else 4


def write_mesh(path, n):
    places = [[half * graded(2 * i / m - 1) for i in range(m + 1)] for half, m in zip(HALF, n)]
    wide, deep = n[0] + 1, n[1] + 1
    with open(path, "w") as f:
        names = "".join('3 %d "%s"\n' % (i + 1, name) for i, name in enumerate(GROUPS))
        f.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n%s$EndPhysicalNames\n" % names)
        f.write("$Nodes\n%d\n" % (wide * deep * (n[2] + 1)))
        for k, z in enumerate(places[2]):
            for j, y in enumerate(places[1]):
                for i, x in enumerate(places[0]):
                    f.write("%d %.10g %.10g %.10g\n" % (1 + i + wide * (j + deep * k), x, y, z))
        f.write("$EndNodes\n$Elements\n%d\n" % (6 * n[0] * n[1] * n[2]))
        tag = 0
        for k in range(n[2]):
            for j in range(n[1]):
                for i in range(n[0]):
                    group = group_of([(p[a] + p[a + 1]) / 2 for p, a in zip(places, (i, j, k))])
                    corner = [1 + i + (c & 1) + wide * (j + (c >> 1 & 1) + deep * (k + (c >> 2))) for c in range(8)]
                    for part in PARTS:
                        tag += 1
                        f.write("%d 4 2 %d %d %d %d %d %d\n" % ((tag, group, group) + tuple(corner[c] for c in part)))
        f.write("$EndElements\n")


def run(args, folder, refine, sampled, extracellular):
    end = 0.1 * args.steps
    case = os.path.join(folder, "case.yaml")
    with open(case, "w") as f:
        fields = "potential" + (", extracellular" if extracellular else "")
        f.write(CASE % (refine, end, end / 10 if extracellular else end, "\n  sample: 0.1" if sampled else "", fields))
    command = [args.sinew, "run", case, "--overwrite", "--quiet", "--backend", args.backend]
    done = subprocess.run(command + [w for s in args.set for w in ("--set", s)])
    if done.returncode:
        sys.exit(done.returncode)
    with open(os.path.join(folder, "results", "report.json")) as f:
        return json.load(f)


def main():
    args = parser.parse_args()
    refine = 2 if args.nodes > 1e5 else 1 if args.nodes > 1e4 else 0
    edge = (HALF[0] * HALF[1] * HALF[2] / args.nodes) ** (1 / 3) * 2**refine  # of a coarse cell, half of it
    n = [max(2 * round(half / edge / 2), 4) for half in HALF]
    with tempfile.TemporaryDirectory() as folder:
        write_mesh(os.path.join(folder, "torso.msh"), n)
        rare = run(args, folder, refine, False, False)
        often = run(args, folder, refine, True, False)
        nodes = 1
        for m in n:
            nodes *= m * 2**refine + 1
        print("torso        %d nodes, of these %d of the heart; %s" % (nodes, rare["unknowns"], rare["device"]))
        print("set-up       %.3f s: %d solves, %d iterations" % (rare["lead_seconds"], rare["lead_solves"], rare["lead_iterations"]))
        solve = [r["seconds"]["solve"] for r in (rare, often)]
        print("a step       %.1f us; with a sample %.1f us more" % (1e6 * solve[0] / args.steps, 1e6 * (solve[1] - solve[0]) / args.steps))
        if args.extracellular:
            r = run(args, folder, refine, False, True)
            n_solve = r["extracellular_solves"]
            print("outside      %.2f ms a potential, %.1f iterations" % (1e3 * r["extracellular_seconds"] / n_solve, r["extracellular_iterations"] / n_solve))


main()
