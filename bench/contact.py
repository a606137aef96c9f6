#!/usr/bin/env python3
"""An eighth of a ball that presses on a plate of another mesh, both deformable, of about as many unknowns as asked for, from file to
file: the seconds of its phases, how many linear solves and updates of the set it takes, the largest penetration, and p0 beside Hertz'
of its own force. Without an element: tet10 of 1 M unknowns, hex8 of 10 M, and `sinew bench segments` of 1 M pairs of facets.
   contact.py SINEW [--elements hex8|tet10] [--unknowns N] [--backend cpu|cuda] [--friction MU] [--depth PART] [--keep DIR] [--set KEY=VALUE ...]"""
import argparse, json, math, os, struct, subprocess, sys, tempfile, time
from array import array

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sinew")
parser.add_argument("--elements", choices=["hex8", "tet10"])
parser.add_argument("--unknowns", type=float, help="default: 1e6 of tet10, 1e7 of hex8")
parser.add_argument("--backend", default="auto")
parser.add_argument("--friction", type=float, default=0)
parser.add_argument("--depth", type=float, default=0.02, help="how far the plate is pressed on the ball, of its radius")
parser.add_argument("--keep", help="a folder for the meshes, cases and results, which stay")
parser.add_argument("--set", action="append", default=[])
RADIUS, YOUNG, POISSON = 10.0, 200e3, 0.3
CORE, BULGE = 0.45, 0.13  # of the radius: the cube in the middle of the ball, and how much its faces bulge
CASE = """version: 1
title: A ball on a plate
mesh: {file: %s.msh%s}
physics: elasticity
model: 3d
materials: [{on: ball, young: %g, poisson: %g}, {on: plate, young: %g, poisson: %g}]
boundary:
  - {on: x0, symmetry: true}
  - {on: y0, symmetry: true}
  - {on: foot, symmetry: true}
  - {on: top, fix: {x: 0, y: 0, z: %.17g}}
contact: [{on: cap, against: under%s}]
output: {fields: [displacement, contact-pressure], probes: [{name: pole, at: [0, 0, %g], field: contact-pressure}]}
"""
TETS = [(0, 1, 3, 7), (0, 1, 7, 5), (0, 5, 7, 4), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7)]  # corners i + 2 j + 4 k of a cell, along its diagonal


class Sheets:
    """Cells between sheets of (nu + 1) (nv + 1) nodes, one above the other."""

    def __init__(self, nu, nv, sheets):
        self.nu, self.nv, self.sheets = nu, nv, sheets

    def corner(self, sheet, du, dv):
        """That corner of all cells of a sheet."""
        width, out = self.nu + 1, array("Q")
        for v in range(dv, dv + self.nv):
            out += sheet[v * width + du:v * width + du + self.nu]
        return out

    def corners(self):
        """Eight lists for each layer of cells."""
        below = None
        for sheet in self.sheets:
            above = [self.corner(sheet, c & 1, c >> 1) for c in range(4)]
            if below:
                yield below + above
            below = above

    def side(self, name):
        """Its nodes where u is 0 or the last one (u0, u1), v, or w, as one sheet."""
        width, last = self.nu + 1, name[1] == "1"
        if name[0] == "w":
            return Sheets(self.nu, self.nv, [self.sheets[-last]])
        rows = array("Q")
        for sheet in self.sheets:
            rows += sheet[self.nu * last::width] if name[0] == "u" else sheet[self.nv * last * width:][:width]
        return Sheets(self.nv if name[0] == "u" else self.nu, len(self.sheets) - 1, [rows])

    def elements(self, tets):
        """Lists of the nodes of elements, by place: of cells, or of the faces of one sheet."""
        if len(self.sheets) > 1:
            for c in self.corners():
                yield from ([c[k] for k in t] for t in TETS) if tets else ([c[k] for k in (0, 1, 3, 2, 4, 5, 7, 6)],)
            return
        c = [self.corner(self.sheets[0], k & 1, k >> 1) for k in range(4)]
        yield from ([c[0], c[1], c[3]], [c[0], c[3], c[2]]) if tets else ([c[0], c[1], c[3], c[2]],)


def ball(n, x):
    """A core of n^3 cells, and three shells of sheets around it to the sphere; x: coordinates, to which those of nodes are added."""
    grade = [t / n * (1 + t / n) / 2 for t in range(n + 1)]  # finer at the axes, where the ball touches
    square = [g * g for g in grade]
    for c in grade:
        for b in grade:
            u, v, w = CORE * (1 - BULGE * (b * b + c * c)), CORE * b * (1 - BULGE * c * c), CORE * c * (1 - BULGE * b * b)
            x[0].extend([u * a for a in grade])
            x[1].extend([v - CORE * b * BULGE * s for s in square])
            x[2].extend([w - CORE * c * BULGE * s for s in square])
    width, layers = n + 1, max(2, round(0.7 * n))
    core = array("Q", range(1, width**3 + 1))
    parts = [Sheets(n, n, [core[k * width * width:(k + 1) * width * width] for k in range(width)])]
    at = lambda i, j, k: i + width * (j + width * k)
    faces = [[at(n, j, k) for k in range(width) for j in range(width)], [at(i, n, k) for i in range(width) for k in range(width)],
             [at(i, j, n) for j in range(width) for i in range(width)]]
    skin = sorted(set(faces[0] + faces[1] + faces[2]))
    place = {node: i for i, node in enumerate(skin)}
    inner = [[x[d][node] for node in skin] for d in range(3)]
    turn = [math.tan(math.pi / 4 * g) for g in grade]
    outer = [[], [], []]
    for node in skin:
        t = [turn[node % width], turn[node // width % width], turn[node // (width * width)]]
        size = math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])
        for d in range(3):
            outer[d].append(t[d] / size)
    first = len(x[0]) + 1
    for layer in range(1, layers + 1):
        part = layer / layers * (1.5 - 0.5 * layer / layers)
        for d in range(3):
            x[d].extend([a + part * (b - a) for a, b in zip(inner[d], outer[d])])
    for face in faces:
        sheets = [array("Q", (node + 1 for node in face))]
        for layer in range(layers):
            sheets.append(array("Q", (first + layer * len(skin) + place[node] for node in face)))
        parts.append(Sheets(n, n, sheets))
    return parts


def plate(n, x):
    """A block of the ball's radius above its pole."""
    side = [t / n * (0.4 + 0.6 * t / n) for t in range(n + 1)]
    first, width = len(x[0]) + 1, n + 1
    for z in side:
        for y in side:
            x[0].extend(side)
            x[1].extend([y] * width)
            x[2].extend([1 + z] * width)
    nodes = array("Q", range(first, first + width**3))
    return Sheets(n, n, [nodes[k * width * width:(k + 1) * width * width] for k in range(width)])


def elements_of(parts, tets):
    """How many, and the numbers of each group of them with room for their tags."""
    for sheets in parts:
        for nodes in sheets.elements(tets):
            n, stride = len(nodes[0]), len(nodes) + 1
            numbers = array("Q", bytes(8 * n * stride))
            for k, one in enumerate(nodes):
                numbers[k + 1::stride] = one
            yield n, stride, numbers


def write_mesh(path, n, tets):
    """Gmsh's format 4.1, binary: a ball of about 3.1 n^3 cells and a plate of 0.7 n^3."""
    x = [array("d"), array("d"), array("d")]
    core, a, b, c = round_ball = ball(n, x)  # shells beyond the faces of the core across x, y and z
    flat = plate(max(2, round(0.9 * n)), x)
    groups = [(3, "ball", round_ball), (3, "plate", [flat]), (2, "cap", [c.side("w1")]), (2, "under", [flat.side("w0")]),
              (2, "x0", [core.side("u0"), b.side("v0"), c.side("u0"), flat.side("u0")]),
              (2, "y0", [core.side("v0"), a.side("u0"), c.side("v0"), flat.side("v0")]),
              (2, "foot", [core.side("w0"), a.side("v0"), b.side("u0")]), (2, "top", [flat.side("w1")])]
    kinds = {3: 4 if tets else 5, 2: 2 if tets else 3}
    all_nodes = len(x[0])
    made = [list(elements_of(parts, tets)) for _, _, parts in groups]
    with open(path, "wb") as f:
        f.write(b"$MeshFormat\n4.1 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$PhysicalNames\n%d\n" % len(groups))
        for k, (dim, name, _) in enumerate(groups):
            f.write(b'%d %d "%s"\n' % (dim, k + 1, name.encode()))
        f.write(b"$EndPhysicalNames\n$Entities\n" + struct.pack("<4Q", 0, 0, len(groups) - 2, 2))
        for k in list(range(2, len(groups))) + [0, 1]:
            f.write(struct.pack("<i6dQiQ", k + 1, *[0.0] * 6, 1, k + 1, 0))
        f.write(b"\n$EndEntities\n$Nodes\n" + struct.pack("<4Q", 1, all_nodes, 1, all_nodes))
        f.write(struct.pack("<3iQ", 3, 1, 0, all_nodes))
        array("Q", range(1, all_nodes + 1)).tofile(f)
        places = array("d", bytes(24 * all_nodes))
        for d in range(3):
            places[d::3] = array("d", [RADIUS * value for value in x[d]])
        places.tofile(f)
        count = sum(one[0] for group in made for one in group)
        f.write(b"\n$EndNodes\n$Elements\n" + struct.pack("<4Q", len(groups), count, 1, count))
        tag = 1
        for k, (dim, _, _) in enumerate(groups):
            f.write(struct.pack("<3iQ", dim, k + 1, kinds[dim], sum(one[0] for one in made[k])))
            for cells, stride, numbers in made[k]:
                numbers[0::stride] = array("Q", range(tag, tag + cells))
                tag += cells
                numbers.tofile(f)
        f.write(b"\n$EndElements\n")


def report_of(args, folder, element, unknowns):
    tets = element == "tet10"
    n = max(4, round((unknowns / (3 * 3.83 * (8 if tets else 1))) ** (1 / 3)))
    begin = time.time()
    if not os.path.exists(f"{folder}/{element}-{n}.msh"):
        write_mesh(f"{folder}/{element}-{n}.msh", n, tets)
    made = time.time() - begin
    rubs = ", friction: %g" % args.friction if args.friction else ""
    with open(f"{folder}/{element}-{n}.yaml", "w") as f:
        f.write(CASE % (f"{element}-{n}", ", order: 2" if tets else "", *[YOUNG, POISSON] * 2, -args.depth * RADIUS, rubs, RADIUS))
    words = [args.sinew, "run", f"{element}-{n}.yaml", "--overwrite", "--quiet", "--backend", args.backend, "--output", f"{element}-{n}"]
    subprocess.run(words + [word for one in args.set for word in ("--set", one)], check=True, cwd=folder)
    with open(f"{folder}/{element}-{n}/report.json") as f:
        return json.load(f), made


def table(report, made, element):
    contact, seconds = report["contact"][0], report["seconds"]
    share = 4 * math.sqrt(contact["force_x"] ** 2 + contact["force_y"] ** 2 + contact["force_z"] ** 2)
    stiff = YOUNG / (2 * (1 - POISSON**2))
    p0 = 1.5 * share / (math.pi * (0.75 * share * RADIUS / stiff) ** (2 / 3))
    print("%s, %d unknowns on %s: %.2f s from file to file (mesh made in %.1f s before)" % (element, report["unknowns"], report["device"],
                                                                                          seconds["total"], made))
    print("  " + ", ".join("%s %.2f" % (name, value) for name, value in seconds.items() if name != "total" and value >= 0.005))
    print("  %s, %d linear solves of %.1f iterations, %d updates of the set with %d changes, %d of %d nodes closed, penetration %.1e of the radius"
          % (report["preconditioner"], report["linear_solves"], report["iterations"] / report["linear_solves"], report["contact_updates"],
             report["contact_changes"], contact["closed"], contact["nodes"], contact["penetration"] / RADIUS))
    print("  largest pressure %.0f, Hertz' of this force %.0f; host %.2f GB, device %.2f GB at most" % (report["values"]["pole"], p0, report["memory_bytes"]["host_peak"] / 1e9,
                                                                                report["memory_bytes"]["device_peak"] / 1e9), flush=True)


def main():
    args = parser.parse_args()
    args.sinew = os.path.abspath(args.sinew)
    wanted = [(args.elements, args.unknowns)] if args.elements else [("tet10", args.unknowns), ("hex8", args.unknowns)]
    with tempfile.TemporaryDirectory() as folder:
        folder = args.keep or folder
        os.makedirs(folder, exist_ok=True)
        for element, unknowns in wanted:
            table(*report_of(args, folder, element, unknowns or (1e6 if element == "tet10" else 1e7)), element)
    if not args.elements:
        sys.stdout.flush()
        return subprocess.call([args.sinew, "bench", "segments"])
    return 0


sys.exit(main())
