#!/usr/bin/env python3
"""A ring like a tyre of neo-Hookean rubber, its beads held, blown up by a pressure that follows its inside, of about as many
unknowns as asked for: the table of Newton's method, and unknowns a second for each whole Newton iteration (tangent, set-up,
solve, residual). The mesh is made coarse here and refined by the program, so that 50 M unknowns take no large file.
   ring.py SINEW [--unknowns N] [--elements hex8|tet10] [--poisson NU] [--backend cpu|cuda] [--set KEY=VALUE ...]"""
import argparse, json, math, os, subprocess, sys, tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sinew")
parser.add_argument("--unknowns", type=float, default=50e3)
parser.add_argument("--elements", choices=["hex8", "tet10"], default="hex8")
parser.add_argument("--poisson", type=float, default=0.3)
parser.add_argument("--backend", default="auto")
parser.add_argument("--set", action="append", default=[])
CASE = """version: 1
title: A ring of rubber
mesh: {file: ring.msh, refine: %d%s}
physics: elasticity
model: 3d
strain: finite
materials: [{on: rubber, type: neo-hooke, young: 3, poisson: %.17g}]
boundary: [{on: beads, fix: all}, {on: inside, pressure: 0.01}]
time: {end: 1, step: 1}
output: {fields: [displacement]}
"""
RING, TUBE, WALL, OPEN = 4.0, 1.0, 0.15, 2 * math.pi / 3  # radii, thickness, and where the section ends


def cells_for(unknowns, split):
    """Cells around and along, and refinements: about `unknowns` where all are refined, `split` times finer by the order."""
    refine = 0
    while True:
        fine = split * 2**refine
        around = 4 * round(math.sqrt(4 * unknowns / (3 * fine * fine * (fine + 1))) / 4)
        if around <= 96 or refine == 8:
            return max(around, 12), max(around // 4, 3), refine
        refine += 1


def place(i, j, k, around, along):
    turn, open_, rho = 2 * math.pi * i / around, OPEN * (2 * j / along - 1), TUBE + WALL * k
    r = RING + rho * math.cos(open_)
    return r * math.cos(turn), r * math.sin(turn), rho * math.sin(open_)


def write_mesh(path, around, along, tets):
    """One cell through the wall; hexahedra, or six tetrahedra in each along its diagonal."""
    node = lambda i, j, k: 1 + (i % around) + around * (j + (along + 1) * k)
    corner = lambda i, j, c: node(i + (c in (1, 2, 5, 6)), j + (c in (2, 3, 6, 7)), c // 4)
    solid, face = (4, 2) if tets else (5, 3)
    parts = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)] if tets else [tuple(range(8))]
    halves = lambda q: [(q[0], q[1], q[2]), (q[0], q[2], q[3])] if tets else [q]
    elements = []
    for j in range(along):
        for i in range(around):
            elements += [(solid, 1, [corner(i, j, c) for c in part]) for part in parts]
            elements += [(face, 2, [corner(i, j, c) for c in q]) for q in halves((0, 1, 2, 3))]
            if j == 0:  # sides of a hexahedron: the diagonal goes from 0 or to 6
                elements += [(face, 3, [corner(i, j, c) for c in q]) for q in halves((0, 1, 5, 4))]
            if j == along - 1:
                elements += [(face, 3, [corner(i, j, c) for c in q]) for q in halves((6, 7, 3, 2))]
    with open(path, "w") as f:
        f.write('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n3 1 "rubber"\n2 2 "inside"\n2 3 "beads"\n'
                "$EndPhysicalNames\n$Nodes\n%d\n" % (2 * around * (along + 1)))
        for k in range(2):
            for j in range(along + 1):
                for i in range(around):
                    f.write("%d %.17g %.17g %.17g\n" % ((node(i, j, k),) + place(i, j, k, around, along)))
        f.write("$EndNodes\n$Elements\n%d\n" % len(elements))
        for n, (kind, group, nodes) in enumerate(elements):
            f.write("%d %d 2 %d %d %s\n" % (n + 1, kind, group, group, " ".join(map(str, nodes))))
        f.write("$EndElements\n")


def main():
    args = parser.parse_args()
    tets = args.elements == "tet10"
    around, along, refine = cells_for(args.unknowns, 2 if tets else 1)
    with tempfile.TemporaryDirectory() as folder:
        write_mesh(os.path.join(folder, "ring.msh"), around, along, tets)
        with open(os.path.join(folder, "case.yaml"), "w") as f:
            f.write(CASE % (refine, ", order: 2" if tets else "", args.poisson))
        more = [word for one in args.set for word in ("--set", one)]
        status = subprocess.call([os.path.abspath(args.sinew), "run", "case.yaml", "--backend", args.backend] + more, cwd=folder)
        if status:
            return status
        with open(os.path.join(folder, "results/report.json")) as f:
            report = json.load(f)
    seconds = sum(report["seconds"][phase] for phase in ("assembly", "preconditioner", "solve"))
    newton, unknowns = report["newton_iterations"], report["unknowns"]
    solves = report["linear_solves"]
    print("%s, %d unknowns, %d Newton iterations of %.1f iterations of conjugate gradients, %.1f in each of %d linear solves: %.3f s, "
          "%.3f M unknowns a second for each Newton iteration" % (args.elements, unknowns, newton, report["iterations"] / newton,
                                                                  report["iterations"] / solves, solves, seconds,
                                                                  1e-6 * unknowns * newton / seconds))
    return 0


sys.exit(main())
