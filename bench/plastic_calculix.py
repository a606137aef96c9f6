#!/usr/bin/env python3
"""Metals that flow, by Sinew and by CalculiX (`ccx`, its default solver) on the same mesh with the same increments, one
after the other on one thread each, or --threads of them: what both find at the end, and the seconds and processor seconds of each.
    plastic_calculix.py SINEW neck [ELEMENTS along the radius: 10]   the necking bar, elements of order 2, finite strain
    plastic_calculix.py SINEW block [CELLS along an edge: 12]        a block of hexahedra under a punch, small strain
Further words go to `sinew run`."""
import csv, math, os, re, sys, tempfile
from calculix_block import tell, timed, write_block

sinew, which = os.path.abspath(sys.argv[1]), sys.argv[2]
size, words = int(sys.argv[3]) if len(sys.argv) > 3 else {"neck": 10, "block": 12}[which], sys.argv[4:]
threads = words[words.index("--threads") + 1] if "--threads" in words else "1"
os.environ["OMP_NUM_THREADS"] = threads

NECK = """version: 1
mesh: {file: deck.inp}
physics: elasticity
model: axisymmetric
strain: finite
materials: [{on: BODY, type: plastic, young: 206.9e3, poisson: 0.29, yield: [[0, 450], [2, 708.48]], saturation: {to: 715, rate: 16.93}}]
boundary: [{on: FOOT, fix: {y: 0}}, {on: HEAD, fix: {x: 0, y: "t"}}]
time: {end: %g, step: %g, adaptive: {min: 1e-4, max: %g}}
output: {every: %g, fields: [displacement], probes: [{name: neck, at: [6.297566, 0], field: displacement-x}], sums: [{name: end, on: HEAD, field: reaction}]}
"""
PULLED, STEP = 5, 0.05
RADIUS, NARROW, LENGTH = 6.413, 0.982, 26.667


def quads(n):
    """Nodes and elements of n x 2n quadrilaterals of 8 nodes over the quarter section, finer at the middle of the bar."""
    node, at, cells = {}, [], []

    def number(i, j):
        if (i, j) not in node:
            y = LENGTH * (j / (4 * n)) ** 1.3
            at.append((RADIUS * (NARROW + (1 - NARROW) * y / LENGTH) * i / (2 * n), y))
            node[i, j] = len(at)
        return node[i, j]

    for j in range(0, 4 * n, 2):
        for i in range(0, 2 * n, 2):
            around = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1)]
            cells.append([number(i + a, j + b) for a, b in around])
    return at, cells, [node[i, 0] for i in range(2 * n + 1)], [node[i, 4 * n] for i in range(2 * n + 1)], \
        [node[0, j] for j in range(4 * n + 1)]


def flow(p):
    return 450 + 265 * (1 - math.exp(-16.93 * p)) + 129.24 * p


def write_neck(folder):
    at, cells, middle, end, axis = quads(size)
    with open(os.path.join(folder, "case.yaml"), "w") as f:
        f.write(NECK % (PULLED, STEP, STEP, PULLED))
    with open(os.path.join(folder, "deck.inp"), "w") as f:
        f.write("*NODE,NSET=ALL\n" + "".join("%d,%.15g,%.15g,0\n" % (k + 1, x, y) for k, (x, y) in enumerate(at)))
        f.write("*ELEMENT,TYPE=CAX8R,ELSET=BODY\n" + "".join("%d,%s\n" % (k + 1, ",".join(map(str, c))) for k, c in enumerate(cells)))
        for name, nodes in (("FOOT", middle), ("HEAD", end), ("AXIS", axis), ("NECK", [middle[-1]])):
            f.write("*NSET,NSET=%s\n%s\n" % (name, "\n".join("%d," % k for k in nodes)))
        rows = [k * 0.002 for k in range(50)] + [0.1 + k * 0.02 for k in range(100)]
        f.write("*MATERIAL,NAME=STEEL\n*ELASTIC\n206.9e3,.29\n*PLASTIC\n" + "".join("%.9g,%g\n" % (flow(p), p) for p in rows))
        f.write("*SOLID SECTION,ELSET=BODY,MATERIAL=STEEL\n*BOUNDARY\nFOOT,2,2\nAXIS,1,1\nHEAD,1,1\n*STEP,NLGEOM,INC=10000\n*STATIC\n"
                "%g,%g,1e-6,%g\n*BOUNDARY\nHEAD,2,2,%g\n*NODE PRINT,NSET=HEAD,TOTALS=ONLY,FREQUENCY=10000\nRF\n"
                "*NODE PRINT,NSET=NECK,FREQUENCY=10000\nU\n*END STEP\n" % (STEP, PULLED, STEP, PULLED))
    return "neck", "end-y"


BLOCK = """version: 1
mesh: {file: deck.inp}
physics: elasticity
model: 3d
formulation: displacement
materials: [{on: BODY, type: plastic, young: 200e3, poisson: 0.3, yield: [[0, 200], [0.1, 300]]}]
boundary: [{on: Z0, fix: {z: 0}}, {on: X0, fix: {x: 0}}, {on: Y0, fix: {y: 0}}, {on: PUNCH, fix: {z: "-0.004*t"}}]
time: {end: 1, step: 0.1}
output: {every: 1, fields: [displacement, stress], probes: [{name: side, at: [1, 0, 1], field: displacement-x}], sums: [{name: punch, on: PUNCH, field: reaction}]}
"""


def write_punch(folder):
    n = size + 1
    with open(os.path.join(folder, "deck.inp"), "w") as f:
        write_block(f, (n, n, n), (1, 1, 1))

        def plane(name, inside):
            f.write("*NSET,NSET=%s\n" % name)
            for k in range(n):
                for j in range(n):
                    for i in range(n):
                        if inside(i, j, k):
                            f.write("%d,\n" % (1 + i + n * (j + n * k)))

        plane("X0", lambda i, j, k: i == 0)
        plane("Y0", lambda i, j, k: j == 0)
        plane("Z0", lambda i, j, k: k == 0)
        plane("PUNCH", lambda i, j, k: k == n - 1 and 2 * i <= size and 2 * j <= size)
        plane("SIDE", lambda i, j, k: k == n - 1 and i == n - 1 and j == 0)
        f.write("*MATERIAL,NAME=STEEL\n*ELASTIC\n200e3,.3\n*PLASTIC\n200,0\n300,.1\n*SOLID SECTION,ELSET=BODY,MATERIAL=STEEL\n"
                "*BOUNDARY\nX0,1,1\nY0,2,2\nZ0,3,3\n*STEP,INC=1000\n*STATIC,DIRECT\n.1,1.\n*BOUNDARY\nPUNCH,3,3,-.004\n"
                "*NODE PRINT,NSET=PUNCH,TOTALS=ONLY,FREQUENCY=10\nRF\n*NODE PRINT,NSET=SIDE,FREQUENCY=10\nU\n"
                "*NODE FILE,FREQUENCY=10\nU\n*EL FILE,FREQUENCY=10\nS\n*END STEP\n")
    with open(os.path.join(folder, "case.yaml"), "w") as f:
        f.write(BLOCK)
    return "side", "punch-z"


with tempfile.TemporaryDirectory() as folder:
    probe, force = {"neck": write_neck, "block": write_punch}[which](folder)
    ours = timed([sinew, "run", "case.yaml", "--backend", "cpu", "--threads", threads, *words], folder)
    with open(os.path.join(folder, "results/probes.csv")) as f:
        mine = list(csv.DictReader(f))[-1]
    theirs = timed(["ccx", "deck"], folder)
    with open(os.path.join(folder, "deck.dat")) as f:
        text = f.read()
round_about = 180 if which == "neck" else 1  # CalculiX takes a wedge of two degrees
pressed = [round_about * float(v) for v in re.search(r"total force.*\n\s*\n?\s*(.*)", text).group(1).split()]
moved = [float(v) for v in re.search(r"displacements.*\n\s*\n?\s*(.*)", text).group(1).split()]
apart = 0
for what, a, b in ((force, float(mine[force]), pressed["xyz".index(force[-1])]), (probe, float(mine[probe]), moved[1])):
    apart = max(apart, abs(a - b) / abs(b))
    print("%s %.7g, CalculiX %.7g: %.1e apart" % (what, a, b, abs(a - b) / abs(b)))
tell(ours, theirs)
sys.exit(apart > 5e-3)
