"""Writes mesh.msh: one of 18 sectors of the ellipsoid, tetrahedra of order 3 whose nodes lie on ellipsoids and circles, shorter and
shorter towards the axis.  python3 mesh.py"""
from itertools import permutations
from math import acos, cos, pi, sin

ALONG, THROUGH, SECTORS, FIRST, BASE = 20, 4, 18, 0.3, 5    # elements; length of the first, and the height of the base, mm
ARC, TURN = 25, 2 * pi / SECTORS                            # about the length of a meridian
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (3, 1, 2)]
GROUPS = ["cut", "turned", "endo", "base", "epi", "wall"]   # of a place (v, t, angle): from the apex, through the wall, around
WHERE = [lambda p: p[2] == 0 or p[0] == 0, lambda p: p[2] == TURN or p[0] == 0, lambda p: p[1] == 0, lambda p: p[0] == 1, lambda p: p[1] == 1]
number, nodes, lines = {}, [], []


def grown(q):
    return FIRST * (q**ALONG - 1) / (q - 1)


low, high = 1.0001, 3
for _ in range(60):
    low, high = ((low + high) / 2, high) if grown((low + high) / 2) < ARC else (low, (low + high) / 2)
LINES = [(low**i - 1) / (low**ALONG - 1) for i in range(ALONG + 1)]


def position(v, t, angle):
    short, long = 7 + 3 * t, 17 + 3 * t
    u = v * acos(-BASE / long)
    return short * sin(u) * cos(angle), short * sin(u) * sin(angle), -long * cos(u)


def node(corners, share):
    """At so much of each corner; the axis has no angle of its own."""
    v, t = (sum(s * c[i] for s, c in zip(share, corners)) for i in (0, 1))
    off = sum(s for s, c in zip(share, corners) if c[0] > 0)
    angle = sum(s * c[2] for s, c in zip(share, corners) if c[0] > 0) / off if off > 0 else 0
    x = position(v, t, angle)
    key = tuple(round(c, 8) + 0.0 for c in x)
    if key not in number:
        number[key] = len(nodes) + 1
        nodes.append(x)
    return number[key]


def cubic(corners, edges, faces):
    """Nodes in the order of Gmsh: corners, thirds of edges, middles of faces."""
    share = [{i: 1} for i in range(len(corners))] + [{a: 1 - k / 3, b: k / 3} for a, b in edges for k in (1, 2)]
    share += [dict.fromkeys(face, 1 / 3) for face in faces]
    return [node(corners, [s.get(i, 0) for i in range(len(corners))]) for s in share]


def element(kind, group, at):
    lines.append(f"{len(lines) + 1} {kind} 2 {group} {group} " + " ".join(map(str, at)))


def right_handed(corners):
    a, b, c, d = (position(*p) for p in corners)
    e, f, g = ([y[i] - a[i] for i in range(3)] for y in (b, c, d))
    return sum(e[i] * (f[(i + 1) % 3] * g[(i + 2) % 3] - f[(i + 2) % 3] * g[(i + 1) % 3]) for i in range(3)) > 0


for j in range(THROUGH):
    for i in range(ALONG):
        for way in permutations(range(3)):      # six tetrahedra of a box, three where it ends on the axis
            step, corners = [0, 0, 0], []
            for axis in (None, *way):
                if axis is not None:
                    step[axis] = 1
                corners.append((LINES[i + step[0]], (j + step[1]) / THROUGH, TURN * step[2] if i + step[0] else 0))
            if len(set(corners)) < 4:
                continue
            if not right_handed(corners):
                corners[2], corners[3] = corners[3], corners[2]
            element(29, 6, cubic(corners, [(0, 1), (1, 2), (2, 0), (3, 0), (3, 2), (3, 1)], FACES))
            for group, lies in enumerate(WHERE):
                for face in FACES:
                    if all(lies(corners[a]) for a in face):
                        element(21, group + 1, cubic([corners[a] for a in face], [(0, 1), (1, 2), (2, 0)], [(0, 1, 2)]))

with open("mesh.msh", "w") as out:
    out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n")
    out.writelines(f'{3 if name == "wall" else 2} {k + 1} "{name}"\n' for k, name in enumerate(GROUPS))
    out.write(f"$EndPhysicalNames\n$Nodes\n{len(nodes)}\n")
    out.writelines("%d %.9g %.9g %.9g\n" % (k + 1, *x) for k, x in enumerate(nodes))
    out.write(f"$EndNodes\n$Elements\n{len(lines)}\n" + "\n".join(lines) + "\n$EndElements\n")
