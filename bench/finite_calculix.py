#!/usr/bin/env python3
"""A block of rubber (neo-Hooke, 20 % longer in one step, its ends held) by Sinew and by CalculiX (`ccx`, its default
solver) on the same mesh of linear hexahedra, one after the other, both to a residual of 1e-9: the force at the end, which
differs by 2e-3 with 8 cells and by 3e-4 with 16 (the two treat C3D8 differently at finite strain), and the seconds and
processor seconds of each.   finite_calculix.py SINEW [CELLS]"""
import csv, json, os, re, sys, tempfile
from calculix_block import tell, timed, write_block

sinew = os.path.abspath(sys.argv[1])
cells = int(sys.argv[2]) if len(sys.argv) > 2 else 8
shear, bulk, pulled = 1.0, 2.0, 0.2
CASE = """version: 1
mesh: {grid: [%d, %d, %d]}
physics: elasticity
model: 3d
strain: finite
materials: [{on: body, type: neo-hooke, shear: %.17g, bulk: %.17g, volumetric: quadratic}]
boundary: [{on: x0, fix: all}, {on: x1, fix: {x: %g, y: 0, z: 0}}]
time: {end: 1, step: 1}
output: {fields: [displacement, cauchy], sums: [{name: end, on: x1, field: reaction}]}
"""

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "deck.inp"), "w") as f:
        write_block(f, (cells + 1,) * 3, (1, 1, 1))
        # W = C10 (I1 - 3) + (J - 1)^2 / D1
        f.write("*BOUNDARY\nFOOT,1,3\n*MATERIAL,NAME=RUBBER\n*HYPERELASTIC,NEO HOOKE\n%.17g,%.17g\n"
                "*SOLID SECTION,ELSET=BODY,MATERIAL=RUBBER\n*STEP,NLGEOM\n*STATIC,DIRECT\n1,1\n"
                "*CONTROLS,PARAMETERS=FIELD\n1e-9,1e-9,,,1e-9\n"  # it would end at 0.5 % of the mean force
                "*BOUNDARY\nHEAD,1,1,%g\nHEAD,2,3\n*NODE PRINT,NSET=HEAD,TOTALS=ONLY\nRF\n"
                "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n" % (shear / 2, 2 / bulk, pulled))
    with open(os.path.join(folder, "case.yaml"), "w") as f:
        f.write(CASE % (cells, cells, cells, shear, bulk, pulled))
    ours = timed([sinew, "run", "case.yaml", "--backend", "cpu"], folder)
    with open(os.path.join(folder, "results/probes.csv")) as f:
        mine = float(list(csv.DictReader(f))[-1]["end-x"])
    with open(os.path.join(folder, "results/report.json")) as f:
        unknowns = json.load(f)["unknowns"]
    theirs = timed(["ccx", "deck"], folder)
    with open(os.path.join(folder, "deck.dat")) as f:
        other = float(re.search(r"total force.*\n\s*\n?\s*(\S+)", f.read()).group(1))
print("%d unknowns; force at the end %.9g, CalculiX %.9g: %.1e apart" % (unknowns, mine, other, abs(mine - other) / abs(other)))
tell(ours, theirs)
sys.exit(abs(mine - other) > 5e-3 * abs(other))
