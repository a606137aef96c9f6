#!/usr/bin/env python3
"""Modes of a clamped block of hexahedra by Sinew and by CalculiX (`ccx`, its default solver) on the same mesh, one after the
other: frequencies side by side, and the seconds and processor seconds that each takes.   modal_calculix.py SINEW [NODES_X NODES_Y NODES_Z [MODES]]"""
import csv, os, re, sys, tempfile
from calculix_block import tell, timed, write_block

sinew = os.path.abspath(sys.argv[1])
nx, ny, nz = (int(a) for a in sys.argv[2:5]) if len(sys.argv) > 4 else (9, 7, 5)
modes = int(sys.argv[5]) if len(sys.argv) > 5 else 10
size = (0.3, 0.2, 0.1)


def write_deck(path):
    with open(path, "w") as f:
        write_block(f, (nx, ny, nz), size)
        f.write("*BOUNDARY\nFOOT,1,3\n*MATERIAL,NAME=STEEL\n*ELASTIC\n210e9,0.3\n*DENSITY\n7850\n"
                "*SOLID SECTION,ELSET=BODY,MATERIAL=STEEL\n*STEP\n*FREQUENCY\n%d\n*END STEP\n" % modes)


CASE = """version: 1
mesh: {grid: [%d, %d, %d], size: [%g, %g, %g]}
physics: elasticity
model: 3d
analysis: {type: modal, modes: %d}
materials: [{on: body, young: 210e9, poisson: 0.3, density: 7850}]
boundary: [{on: x0, fix: all}]
"""


with tempfile.TemporaryDirectory() as folder:
    write_deck(os.path.join(folder, "deck.inp"))
    with open(os.path.join(folder, "case.yaml"), "w") as f:
        f.write(CASE % (nx, ny, nz, *size, modes))
    ours = timed([sinew, "run", "case.yaml", "--backend", "cpu"], folder)
    with open(os.path.join(folder, "results/modes.csv")) as f:
        mine = [float(row["frequency"]) for row in csv.DictReader(f)]
    theirs = timed(["ccx", "deck"], folder)
    with open(os.path.join(folder, "deck.dat")) as f:
        rows = re.findall(r"^\s+\d+\s+(\S+)\s+\S+\s+(\S+)\s+\S+\s*$", f.read(), re.M)
other = [float(cycles) for _, cycles in rows][: len(mine)]
print("%d unknowns" % (3 * (nx - 1) * ny * nz))
for k, (a, b) in enumerate(zip(mine, other)):
    print("mode %2d  %16.9g  %16.9g  %.1e" % (k + 1, a, b, abs(a - b) / b))
tell(ours, theirs)
sys.exit(max(abs(a - b) / b for a, b in zip(mine, other)) > 5.01e-7 or len(other) < len(mine))
