#!/usr/bin/env python3
"""Runs of the sizes that people have, best of some: linear and quadratic elements, statics, finite strain, modes, hearts; seconds from
file to file and where they go, beside the marks of one NVIDIA H200 with 16 cores. A row that fails says so and the next one runs.
   sizes.py SINEW [--backend cpu|cuda] [--repeat N] [--only WORD ...] [--scale S] [--set KEY=VALUE ...]
--only: rows whose name has a word. --scale: edges of meshes as part of theirs, to try a row on a small machine; marks are left out."""
import argparse, json, os, subprocess, sys, tempfile, time

SOLID = """version: 1
mesh: {grid: %s, element: %s, order: %d}
physics: elasticity
model: %s
%smaterials: [{on: body, %syoung: 210e3, poisson: %g}]
boundary: [{on: x0, fix: all}%s]
%soutput: {fields: [displacement]}
"""
HEART = """version: 1
mesh: {grid: %s, size: [%g, %g, %g], element: tet4}
physics: monodomain
tissue: [{on: body, ionic: {model: ten-tusscher, preset: epi}, diffusivity: {along: 0.0953, across: 0.0176}, fibers: {direction: [1, 1, 0]}}]
stimuli: [{on: {box: {min: [0, 0, 0], max: [2, 2, 2]}}, duration: 2, amplitude: 40}]
time: {end: %g, step: 0.05}
output: {every: %g, fields: [potential]}
"""
CHECK = """version: 1
mesh: {grid: %s}
physics: elasticity
model: 3d
materials: [{on: body, young: 210e3, poisson: 0.3}]
boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}]
"""


def edges(n, scale, count=3):
    return "[%s]" % ", ".join([str(max(2, round(n * scale)))] * count)


def solid(n, element, order, model="3d", finite=False, nu=0.3, modes=0):
    """Nodes along an edge at order 1, so that there are (order (n - 1) + 1)^d of them."""
    def case(scale):
        ends = "" if modes else ", {on: x1, traction: [%g, 0%s]}" % (500 if finite else 1, ", 0" if model == "3d" else "")
        more = "analysis: {type: modal, modes: %d}\n" % modes if modes else "time: {end: 1, step: 1}\n" if finite else ""
        kind = ("type: neo-hooke, " if finite else "") + ("density: 7.85e-9, " if modes else "")
        return SOLID % (edges(n, scale, 3 if model == "3d" else 2), element, order, model, "strain: finite\n" if finite else "", kind, nu, ends, more)
    return case


def heart(n, steps):
    def case(scale):
        size = 0.4 * (max(2, round(n * scale)) - 1)
        return HEART % (edges(n, scale), size, size, size, 0.05 * steps, 0.05 * steps)
    return case


EIGHT = 4000


def eight(n, steps):
    """A sweep whose points run as one: the seconds of the steps are the difference of two lengths."""
    return lambda scale: [heart(n, k * steps)(scale) for k in (1, 2)]


def whole(report, wall):
    return wall, "s"


def inner(report, wall):
    return sum(report["seconds"].get(k, 0) for k in ("mesh", "setup", "assembly", "preconditioner", "solve", "recover")), "s without start and files"


def newton(report, wall):
    return sum(report["seconds"].get(k, 0) for k in ("assembly", "preconditioner", "solve")), "s of Newton's work"


def matrix(report, wall):
    return sum(report["seconds"].get(k, 0) for k in ("preconditioner", "solve")), "s of set-up and solve"


def step(report, wall):
    return 1e6 * report["seconds"]["solve"] / report["steps"], "us a step"


# name, case, how it is measured, mark on one H200
ROWS = [
    ("tet10, 1 M unknowns", solid(35, "tet4", 2), whole, 0.40),
    ("tet10, 10 M unknowns", solid(75, "tet4", 2), whole, 1.3),
    ("hex27, 2.9 M unknowns", solid(50, "hex8", 2), whole, 0.7),
    ("tet10 at finite strain, 1 M unknowns", solid(35, "tet4", 2, finite=True), whole, 0.5),
    ("hex8, 1.5 k unknowns", solid(8, "hex8", 1), whole, 0.15),
    ("hex8, 0.47 M unknowns", solid(54, "hex8", 1), inner, 0.06),
    ("hex8, 3.0 M unknowns", solid(100, "hex8", 1), inner, 0.20),
    ("hex8, 8.2 M unknowns", solid(140, "hex8", 1), inner, 0.45),
    ("hex8, 10 M unknowns", solid(150, "hex8", 1), matrix, 0.25),
    ("hex8 at a ratio of 0.4999, 1.5 M unknowns", solid(80, "hex8", 1, finite=True, nu=0.4999), newton, 0.5),
    ("check of hex8, 100 M unknowns", lambda scale: CHECK % edges(322, scale), None, 3),
    ("wedge15, 1 M unknowns", solid(44, "wedge6", 2), whole, None),
    ("tri6, 1 M unknowns", solid(360, "tri3", 2, "plane-stress"), whole, None),
    ("quad9, 1 M unknowns", solid(360, "quad4", 2, "plane-stress"), whole, None),
    ("tet20, 1 M unknowns", solid(24, "tet4", 3), whole, None),
    ("modes of tet10, 0.5 M unknowns", solid(28, "tet4", 2, modes=10), whole, None),
    ("modes of hex27, 0.5 M unknowns", solid(28, "hex8", 2, modes=10), whole, None),
    ("quad9 at finite strain, 1 M unknowns", solid(360, "quad4", 2, "plane-strain", finite=True), whole, None),
    ("heart, ten Tusscher, 64 k nodes", heart(40, 1000), step, 25),
    ("heart, ten Tusscher, 0.49 M nodes", heart(79, 1000), step, 120),
    ("eight hearts at once, ten Tusscher, 64 k nodes each", eight(40, EIGHT), step, 60),
]


def run(args, folder, text, check):
    """Seconds by the clock on the wall, and the report of a run."""
    with open(os.path.join(folder, "case.yaml"), "w") as f:
        f.write(text)
    out = os.path.join(folder, "results")
    command = [args.sinew, "check" if check else "run", os.path.join(folder, "case.yaml")]
    if not check:
        command += ["--overwrite", "--output", out, "--backend", args.backend]
    command += [word for s in args.set for word in ("--set", s)]
    begin = time.time()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wall = time.time() - begin
    if done.returncode:
        raise RuntimeError(" ".join(done.stdout.strip().split("\n")[-2:])[:200])
    if check:
        return wall, {}
    with open(os.path.join(out, "report.json")) as f:
        return wall, json.load(f)


def together(args, folder, texts):
    """As run, of eight hearts of different stimuli, for as many steps as the second text has more than the first."""
    walls = []
    for text in texts:
        out = tempfile.mkdtemp(dir=folder)
        with open(os.path.join(folder, "case.yaml"), "w") as f:
            f.write(text)
        command = [args.sinew, "sweep", os.path.join(folder, "case.yaml"), "-q", "-o", os.path.join(out, "points"), "--backend", args.backend]
        command += ["--samples", "8", "--together", "8", "--over", "stimuli.0.amplitude=uniform(35, 45)"]
        begin = time.time()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        walls.append(time.time() - begin)
        if done.returncode:
            raise RuntimeError(" ".join(done.stdout.strip().split("\n")[-2:])[:200])
    return walls[1], {"seconds": {"solve": walls[1] - walls[0]}, "steps": EIGHT, "unknowns": 0}


def line(args, folder, name, case, measure, mark):
    best = None
    for _ in range(args.repeat):
        text = case(args.scale)
        wall, report = together(args, folder, text) if isinstance(text, list) else run(args, folder, text, measure is None)
        value, unit = measure(report, wall) if measure else (wall, "s")
        if best is None or value < best[0]:
            best = value, unit, report
    value, unit, report = best
    said = "" if mark is None or args.scale != 1 else "%g: %s" % (mark, "met" if value <= mark else "missed")
    parts = ", ".join("%s %.3f" % item for item in report.get("seconds", {}).items() if item[1] > 0.004 and item[0] != "total")
    print("| %s | %s | %.3g %s | %s | %s |" % (name, "{:,}".format(report["unknowns"]) if report.get("unknowns") else "", value, unit, said, parts), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinew")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--set", action="append", default=[])
    args = parser.parse_args()
    args.sinew = os.path.abspath(args.sinew)
    failed = False
    print("| case | unknowns | best of %d | mark | parts of the run, s |\n|---|---|---|---|---|" % args.repeat)
    with tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            if args.only and not any(word in row[0] for word in args.only):
                continue
            try:
                line(args, folder, *row)
            except RuntimeError as error:
                failed = True
                print("| %s | | failed: %s | | |" % (row[0], error), flush=True)
    return 1 if failed else 0


sys.exit(main())
