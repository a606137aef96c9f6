"""Writes deck.inp: a quarter of a disc with three twisted blades, mm, N, MPa, t, s.  python3 make_deck.py > deck.inp"""
import math

RADII = [60.0, 100.0, 130.0]                   # of the disc
TIPS = [130.0, 148.0, 168.0, 190.0]            # of the blades
CELLS, HALF = 9, 12.0                          # of 10 degrees around, half the thickness
BLADES = [1, 4, 7]                             # cells that a blade stands on
nodes, elements, level = {}, [], {}


def place(r, angle, z, cell):
    """A point of the disc, or of the blade over a cell, which tapers and is twisted."""
    t = max(0.0, (r - RADII[-1]) / (TIPS[-1] - RADII[-1]))
    middle = math.radians(10 * (cell + 0.5)) if t > 0 else 0.0
    across = r * math.sin(angle - middle) * (1 - 0.5 * t) if t > 0 else 0.0
    if t == 0:
        return r * math.cos(angle), r * math.sin(angle), z
    turn = math.radians(30) * t
    y, z = across * math.cos(turn) - z * math.sin(turn), across * math.sin(turn) + z * math.cos(turn)
    return r * math.cos(middle) - y * math.sin(middle), r * math.sin(middle) + y * math.cos(middle), z


def node(r, angle, z, cell):
    key = tuple(round(v, 6) for v in place(r, angle, z, cell))
    if key not in nodes:
        nodes[key] = len(nodes) + 1
        level.setdefault(round(r, 6), []).append(nodes[key])
    return nodes[key]


def brick(r0, r1, cell, name):
    """C3D20: corners and middles of the edges."""
    a = [math.radians(10 * cell), math.radians(10 * (cell + 1))]
    corner = [(r, t, z) for z in (-HALF, HALF) for r, t in ((r0, a[0]), (r1, a[0]), (r1, a[1]), (r0, a[1]))]
    edge = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
    points = corner + [tuple((p + q) / 2 for p, q in zip(corner[i], corner[j])) for i, j in edge]
    elements.append((name, [node(r, t, z, cell) for r, t, z in points]))


def table(values, width=12):
    for k in range(0, len(values), width):
        print(", ".join(str(v) for v in values[k:k + width]) + ("," if k + width < len(values) else ""))


for cell in range(CELLS):
    for r0, r1 in zip(RADII, RADII[1:]):
        brick(r0, r1, cell, "DISC")
for number, cell in enumerate(BLADES):
    for r0, r1 in zip(TIPS, TIPS[1:]):
        brick(r0, r1, cell, f"BLADE{number + 1}")

print("*HEADING\nA quarter of a turbine disc with three blades: mm, N, MPa, t, s")
print("*NODE, NSET=ALL")
for (x, y, z), n in nodes.items():
    print(f"{n}, {x:.6f}, {y:.6f}, {z:.6f}")
for name in ["DISC", "BLADE1", "BLADE2", "BLADE3"]:
    print(f"*ELEMENT, TYPE=C3D20, ELSET={name}")
    for n, (of, points) in enumerate(elements):
        if of == name:
            table([n + 1] + points, 11)
print("*ELSET, ELSET=BODY\nDISC, BLADE1, BLADE2, BLADE3")
for name, test in (("XZERO", lambda p: abs(p[0]) < 1e-5), ("YZERO", lambda p: abs(p[1]) < 1e-5),
                   ("BORE", lambda p: abs(math.hypot(p[0], p[1]) - RADII[0]) < 0.5 and p[2] < -HALF + 1e-5)):
    print(f"*NSET, NSET={name}")
    table([n for p, n in nodes.items() if test(p)])
root = sorted(level)
for k, r in enumerate(root):
    print(f"*NSET, NSET=LEVEL{k}")
    table(level[r])
print("""*MATERIAL, NAME=STEEL
*ELASTIC
200000., 0.3
*DENSITY
7.8E-9
*EXPANSION, ZERO=20.
1.2E-5
*MATERIAL, NAME=NICKEL
*ELASTIC, TYPE=ENGINEERING CONSTANTS
130000., 130000., 130000., 0.38, 0.38, 0.38, 122000., 122000.,
122000.
*DENSITY
8.4E-9
*EXPANSION, ZERO=20.
1.4E-5""")
for number, cell in enumerate(BLADES):
    c, s = math.cos(math.radians(10 * (cell + 0.5) + 5)), math.sin(math.radians(10 * (cell + 0.5) + 5))
    print(f"*ORIENTATION, NAME=CRYSTAL{number + 1}, SYSTEM=RECTANGULAR\n{c:.9f}, {s:.9f}, 0., {-s:.9f}, {c:.9f}, 0.")
print("*SOLID SECTION, ELSET=DISC, MATERIAL=STEEL")
for number in range(3):
    print(f"*SOLID SECTION, ELSET=BLADE{number + 1}, MATERIAL=NICKEL, ORIENTATION=CRYSTAL{number + 1}")
print("*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.")
print("*STEP\n*STATIC\n*BOUNDARY\nXZERO, 1\nYZERO, 2\nBORE, 3\n*DLOAD\nBODY, CENTRIF, 1.E6, 0., 0., 0., 0., 0., 1.")
print("*TEMPERATURE")
for k, r in enumerate(root):
    print(f"LEVEL{k}, {300 + 3 * (r - RADII[0]):.1f}")
print("*NODE PRINT, NSET=LEVEL" + str(len(root) - 1) + "\nU")
print("*EL PRINT, ELSET=BLADE2, GLOBAL=YES\nS\n*END STEP")
