#!/usr/bin/env python3
"""Two blocks of hexahedra, 20^3 below and 14^3 above, that are tied, touch without friction, or are one mesh (20 x 20 x 40): iterations
for stiffnesses 1:1, 10:1 and 1000:1, and the time beside CalculiX, whose contact has springs of 1e4 E / h.
    python3 bench/contact_calculix.py PROGRAM [FOLDER]"""
import json
import os
import resource
import subprocess
import sys

LOW, HIGH = 20, 14


def block(n, m, z, first):
    """Nodes and elements of n x n x m cubes in a unit square from z to z + 1."""
    at = lambda i, j, k: first + i + (n + 1) * (j + (n + 1) * k)
    nodes = [(at(i, j, k), i / n, j / n, z + k / m) for k in range(m + 1) for j in range(n + 1) for i in range(n + 1)]
    corner = [(0, 0), (1, 0), (1, 1), (0, 1)]
    cells = [[at(i + a, j + b, k + c) for c in (0, 1) for a, b in corner]
             for k in range(m) for j in range(n) for i in range(n)]
    side = lambda k: [[at(i + a, j + b, k) for a, b in corner] for j in range(n) for i in range(n)]
    return nodes, cells, side(0), side(m)


def mesh(path, merged):
    low = block(LOW, LOW, 0, 1)
    first = 1 + len(low[0]) - ((LOW + 1) ** 2 if merged else 0)
    n = LOW if merged else HIGH
    high = block(n, n, 1, first)
    names = ["low", "high", "foot", "seat", "under", "top"]
    parts = [(5, 1, low[1]), (5, 2, high[1]), (3, 3, low[2]), (3, 4, low[3]), (3, 5, high[2]), (3, 6, high[3])]
    nodes = {k: x for k, *x in low[0] + high[0]}
    lines = [(kind, group, e) for kind, group, cells in parts for e in cells]
    with open(path, "w") as out:
        out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n")
        out.writelines(f"{3 if i < 2 else 2} {i + 1} \"{name}\"\n" for i, name in enumerate(names))
        out.write(f"$EndPhysicalNames\n$Nodes\n{len(nodes)}\n")
        out.writelines(f"{k} {x[0]:.17g} {x[1]:.17g} {x[2]:.17g}\n" for k, x in nodes.items())
        out.write(f"$EndNodes\n$Elements\n{len(lines)}\n")
        out.writelines(f"{i + 1} {kind} 2 {g} {g} {' '.join(map(str, e))}\n" for i, (kind, g, e) in enumerate(lines))
        out.write("$EndElements\n")
    return low, high


def case(path, name, ratio):
    join = {"tied": "  - {on: under, tie: seat}\n", "merged": "", "touching": ""}[name]
    contact = "contact:\n  - {on: under, against: seat}\n" if name == "touching" else ""
    with open(path, "w") as out:
        out.write(f"version: 1\nmesh: {{file: {name}.msh}}\nphysics: elasticity\nmodel: 3d\nformulation: displacement\n"
                  f"materials: [{{on: low, young: {1000 * ratio}, poisson: 0.3}}, {{on: high, young: 1000, poisson: 0.3}}]\n"
                  f"solver: {{preconditioner: amg, rtol: 1e-8}}\nboundary:\n  - {{on: foot, fix: all}}\n{join}"
                  "  - {on: top, fix: {x: 0, y: 0}}\n  - {on: top, traction: [0, 0, -10]}\n" + contact)


def deck(path, low, high):
    with open(path, "w") as out:
        out.write("*NODE\n" + "".join(f"{k},{x:.17g},{y:.17g},{z:.17g}\n" for k, x, y, z in low[0] + high[0]))
        for name, first, cells in ("LOW", 1, low[1]), ("HIGH", 1 + len(low[1]), high[1]):
            out.write(f"*ELEMENT,TYPE=C3D8,ELSET={name}\n")
            out.writelines(f"{first + i},{','.join(map(str, e))}\n" for i, e in enumerate(cells))
        for name, side in ("FOOT", low[2]), ("TOP", high[3]):
            out.write(f"*NSET,NSET={name}\n" + "".join(f"{k},\n" for k in sorted({k for f in side for k in f})))
        out.write("*SURFACE,NAME=SEAT\n" + "".join(f"{len(low[1]) - LOW ** 2 + 1 + i},S2\n" for i in range(LOW ** 2)))
        out.write("*SURFACE,NAME=UNDER\n" + "".join(f"{len(low[1]) + 1 + i},S1\n" for i in range(HIGH ** 2)))
        out.write("*MATERIAL,NAME=M\n*ELASTIC\n1000,0.3\n*SOLID SECTION,ELSET=LOW,MATERIAL=M\n*SOLID SECTION,ELSET=HIGH,MATERIAL=M\n"
                  "*BOUNDARY\nFOOT,1,3\nTOP,1,2\n*SURFACE INTERACTION,NAME=I\n*SURFACE BEHAVIOR,PRESSURE-OVERCLOSURE=LINEAR\n"
                  f"{1e4 * 1000 * HIGH}\n*CONTACT PAIR,INTERACTION=I,TYPE=SURFACE TO SURFACE\nUNDER,SEAT\n*STEP\n*STATIC\n*DLOAD\n")
        last = len(low[1]) + len(high[1])
        out.writelines(f"{last - HIGH ** 2 + 1 + i},P2,10\n" for i in range(HIGH ** 2))
        out.write("*NODE FILE\nU\n*END STEP\n")


def timed(words, folder):
    """Seconds of the processor, on one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime - before.ru_utime + now.ru_stime - before.ru_stime, done.returncode


def main():
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "contact-blocks"
    os.makedirs(folder, exist_ok=True)
    mesh(f"{folder}/merged.msh", True)
    low, high = mesh(f"{folder}/tied.msh", False)
    mesh(f"{folder}/touching.msh", False)
    print("| stiffness of the lower block | merged | tied | touching: solves, iterations each |\n|---|---|---|---|")
    for ratio in 1, 10, 1000:
        row = []
        for name in "merged", "tied", "touching":
            case(f"{folder}/{name}.yaml", name, ratio)
            seconds, code = timed([program, "run", f"{name}.yaml", "--overwrite", "--output", name], folder)
            report = json.load(open(f"{folder}/{name}/report.json")) if code == 0 else {}
            solves, n = report.get("linear_solves", 1), report.get("iterations", 0)
            row.append(f"{n} ({seconds:.2f} s)" if name != "touching" else f"{solves}, {n / solves:.3g} ({seconds:.2f} s)")
        print(f"| {ratio} | {' | '.join(row)} |", flush=True)
    deck(f"{folder}/blocks.inp", low, high)
    seconds, code = timed(["ccx", "blocks"], folder)
    print(f"CalculiX, touching, 1: {seconds:.1f} s" + (f", exit code {code}" if code else ""))


if __name__ == "__main__":
    main()
