"""A left ventricle as openCARP has meshes: heart.pts (micrometres), heart.elem (three layers, regions 1 to 3), heart.lon
(fibres from 60 degrees inside to -60 outside), heart.endo.surf (the inner surface), heart.early.vtx (where it is excited first).
python3 mesh.py writes them here. x points to the left of the body, y to its front, z up."""
from math import cos, pi, radians, sin, sqrt

LAYERS, AROUND, ALONG = 3, 24, 12
SHORT, LONG, WALL, TIP = 22, 55, 10, 8      # mm: half axes inside, thickness at the side and at the tip
FIRST, LAST = radians(10), radians(100)     # from the opening at the tip to the base
AXIS = (-0.6, -0.45, 0.66)                  # from the tip to the base, in the body


def unit(v):
    n = sqrt(sum(a * a for a in v))
    return tuple(a / n for a in v)


def cross(a, b):
    return tuple(a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3))


UP = unit(AXIS)
RIGHT = unit(cross((0, 0, 1), UP))
BACK = cross(UP, RIGHT)


def turned(v):
    return tuple(v[0] * RIGHT[i] + v[1] * BACK[i] + v[2] * UP[i] for i in range(3))


def point(depth, phi, theta):
    r, c = SHORT + WALL * depth, LONG + TIP * depth
    return turned((r * sin(theta) * cos(phi), r * sin(theta) * sin(phi), -c * cos(theta)))


def fiber(depth, phi, theta):
    r, c = SHORT + WALL * depth, LONG + TIP * depth
    along = unit((r * cos(theta) * cos(phi), r * cos(theta) * sin(phi), c * sin(theta)))
    around = (-sin(phi), cos(phi), 0)
    turn = radians(60 - 120 * depth)
    return turned(tuple(cos(turn) * a + sin(turn) * b for a, b in zip(around, along)))


def place(i, j, k):
    return i / LAYERS, 2 * pi * j / AROUND, FIRST + (LAST - FIRST) * k / ALONG


def node(i, j, k):
    return (i * AROUND + j % AROUND) * (ALONG + 1) + k


nodes = [point(*place(i, j, k)) for i in range(LAYERS + 1) for j in range(AROUND) for k in range(ALONG + 1)]
cells = [(i, j, k) for i in range(LAYERS) for j in range(AROUND) for k in range(ALONG)]
with open("heart.pts", "w") as f:
    f.write(f"{len(nodes)}\n" + "".join("%.0f %.0f %.0f\n" % tuple(1000 * a for a in x) for x in nodes))
with open("heart.elem", "w") as f:
    f.write(f"{len(cells)}\n")
    for i, j, k in cells:
        lower = [node(i, j, k), node(i, j + 1, k), node(i, j + 1, k + 1), node(i, j, k + 1)]
        upper = [node(i + 1, j, k), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i + 1, j + 1, k)]
        f.write("Hx " + " ".join(map(str, lower + upper)) + f" {i + 1}\n")  # openCARP goes around the upper face the other way
with open("heart.lon", "w") as f:
    f.write("1\n" + "".join("%.3f %.3f %.3f\n" % fiber(*place(i + 0.5, j + 0.5, k + 0.5)) for i, j, k in cells))
with open("heart.endo.surf", "w") as f:
    f.write(f"{2 * AROUND * ALONG}\n")
    for j in range(AROUND):
        for k in range(ALONG):
            a, b, c, d = node(0, j, k), node(0, j + 1, k), node(0, j + 1, k + 1), node(0, j, k + 1)
            f.write(f"Tr {a} {b} {c}\nTr {a} {c} {d}\n")
# Middle of the septum, and beside it at the front and at the back (Durrer and others 1970).
inside = range(AROUND * (ALONG + 1))
septum = (-1, 0.4, 0)
early = []
for way, height in ((septum, 0.55), ((-0.6, 1, 0.2), 0.7), ((-0.4, -1, -0.2), 0.6)):
    want = unit(way)
    level = [n for n in inside if n % (ALONG + 1) == round(height * ALONG)]
    early += sorted(level, key=lambda n: -sum(a * b for a, b in zip(nodes[n], want)))[:2]
with open("heart.early.vtx", "w") as f:
    f.write(f"{len(early)}\nextra\n" + "".join(f"{n}\n" for n in early))
