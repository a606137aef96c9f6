#!/usr/bin/env python3
"""A block of human tissue of about as many nodes as asked for, Niederer's conductivities, a front from a corner: milliseconds of a
step as a bidomain and as a monodomain, as the difference of two runs of different length, and iterations of the elliptic solve.
   bidomain.py SINEW [--nodes N] [--steps N] [--backend cpu|cuda] [--shock] [--varying] [--set KEY=VALUE ...]"""
import argparse, json, os, subprocess, tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sinew")
parser.add_argument("--nodes", type=float, default=5e5)
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--backend", default="auto")
parser.add_argument("--shock", action="store_true", help="a shock between two ends after 1 ms")
parser.add_argument("--varying", action="store_true", help="conductivities that vary from place to place")
parser.add_argument("--set", action="append", default=[])
CASE = """version: 1
mesh: {grid: [%d, %d, %d], size: [20, 7, 3], element: tet4}
physics: monodomain
%stissue:
  - on: body
    ionic: {model: ten-tusscher, preset: epi}
    conductivity: {intra: [%s], extra: [%s], surface-to-volume: 140, capacitance: 0.01}
    fibers: {direction: [1, 0, 0]}
stimuli: [{on: {box: {min: [0, 0, 0], max: [1.5, 1.5, 1.5]}}, duration: 2, amplitude: 35.714}]
%stime: {end: %g, step: 0.05}
solver: {rtol: 1e-6}
output: {every: 1}
"""
EQUAL = ("0.17, 0.019", "0.62, 0.24")
VARYING = ('"0.17 * (1 + 0.3 * sin(x) * cos(y))", "0.019 * (1 + 0.3 * sin(y))"', '"0.62 * (1 + 0.3 * cos(x))", "0.24 * (1 + 0.3 * sin(z))"')
SHOCK = "electrodes: [{name: a, on: x1, density: 12, start: 1, duration: 2}, {name: b, on: x0, balances: a}]\n"


def run(args, folder, model, steps):
    h = (20 * 7 * 3 / args.nodes) ** (1 / 3)
    grid = tuple(round(length / h) + 1 for length in (20, 7, 3))
    shock = SHOCK if args.shock and model else ""
    with open(os.path.join(folder, "case.yaml"), "w") as f:
        f.write(CASE % (grid + ("model: bidomain\n" if model else "",) + (VARYING if args.varying else EQUAL) + (shock, 0.05 * steps)))
    command = [args.sinew, "run", os.path.join(folder, "case.yaml"), "--overwrite", "--quiet", "--backend", args.backend]
    subprocess.run(command + [word for s in args.set for word in ("--set", s)], check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "results", "report.json")) as f:
        return json.load(f)


args = parser.parse_args()
with tempfile.TemporaryDirectory() as folder:
    for model in (True, False):
        short, long = (run(args, folder, model, n) for n in (args.steps, 2 * args.steps))
        ms = 1e3 * (long["seconds"]["solve"] - short["seconds"]["solve"]) / args.steps
        if model:
            solves = long["extracellular_solves"] - short["extracellular_solves"]
            iterations = (long["extracellular_iterations"] - short["extracellular_iterations"]) / solves
            print("bidomain     %d nodes: %.3f ms a step, %.2f iterations a solve" % (long["unknowns"], ms, iterations))
        else:
            print("monodomain   %.3f ms a step" % ms)
