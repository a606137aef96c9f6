"""Random valid decks of CalculiX over what docs/calculix.md lists as understood. deck(seed) is text, the same for a seed."""
import itertools
import math
import random
import re

KUHN = list(itertools.permutations(range(3)))
# Faces of an element in the order of the manual, as places of its corners; edges in the order of its middle nodes.
FACES = {
    "hex": [(0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)],
    "wedge": [(0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)],
    "tet": [(0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)],
    "quad": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "tri": [(0, 1), (1, 2), (2, 0)],
}
EDGES = {
    "hex": [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)],
    "wedge": [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)],
    "tet": [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
    "quad": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "tri": [(0, 1), (1, 2), (2, 0)],
}
SOLID = {("hex", 1): ["C3D8"], ("hex", 2): ["C3D20", "C3D20R"], ("wedge", 1): ["C3D6"], ("wedge", 2): ["C3D15"],
         ("tet", 1): ["C3D4"], ("tet", 2): ["C3D10"]}
FLAT = {("quad", 1): ["4"], ("quad", 2): ["8", "8R"], ("tri", 1): ["3"], ("tri", 2): ["6"]}


def cells(shape, at):
    """Elements of the cell whose lowest corner is `at`, as corners on the lattice of even numbers."""
    i, j, k = at
    c = lambda a, b, d=0: (2 * (i + a), 2 * (j + b), 2 * (k + d))
    ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
    if shape == "hex":
        return [[c(*r, d) for d in (0, 1) for r in ring]]
    if shape == "wedge":
        return [[c(*r, d) for d in (0, 1) for r in t] for t in ((ring[0], ring[1], ring[2]), (ring[0], ring[2], ring[3]))]
    if shape == "quad":
        return [[c(*r) for r in ring]]
    if shape == "tri":
        return [[c(*ring[0]), c(*ring[1]), c(*ring[2])], [c(*ring[0]), c(*ring[2]), c(*ring[3])]]
    out = []
    for order in KUHN:
        p, path = [0, 0, 0], [(0, 0, 0)]
        for axis in order:
            p[axis] = 1
            path.append(tuple(p))
        if sum(1 for a, b in itertools.combinations(order, 2) if a > b) % 2:
            path[1], path[2] = path[2], path[1]
        out.append([c(*q) for q in path])
    return out


class Block:
    """A grid of elements of one order; shapes may differ from column to column where their faces fit."""

    def __init__(self, r, dim, order, origin, size, n, shape, spread, tags, first):
        self.r, self.dim, self.order, self.n = r, dim, order, n
        self.x, self.tag, self.elements = {}, {}, []
        for at in itertools.product(*(range(m) for m in n)):
            kind = shape if shape != "mixed" else (("hex", "wedge") if dim == 3 else ("quad", "tri"))[r.random() < 0.4]
            for corners in cells(kind, at + (0,) * (3 - dim)):
                nodes = list(corners)
                if order == 2:
                    nodes += [tuple((a + b) // 2 for a, b in zip(corners[p], corners[q])) for p, q in EDGES[kind]]
                self.elements.append((kind, nodes))
        self.place(origin, size, spread)
        keys = sorted(self.x)
        for key in keys:
            self.tag[key] = tags.pop()
        self.first = first

    def place(self, origin, size, spread):
        """Corners are shifted at random, middle nodes lie between theirs."""
        r = self.r

        def at(key):
            h = [s / m for s, m in zip(size, self.n)] + [0] * (3 - self.dim)
            return [o + h[a] * key[a] / 2 + (r.uniform(-spread, spread) * h[a] if a < self.dim else 0)
                    for a, o in enumerate(origin)]

        for kind, nodes in self.elements:
            corners = len(FACES[kind]) if kind in ("quad", "tri") else {"hex": 8, "wedge": 6, "tet": 4}[kind]
            for key in nodes[:corners]:
                if key not in self.x:
                    self.x[key] = at(key)
            for (p, q), key in zip(EDGES[kind], nodes[corners:]):
                if key not in self.x:
                    self.x[key] = [(a + b) / 2 for a, b in zip(self.x[nodes[p]], self.x[nodes[q]])]

    def side(self, axis, high):
        """Keys of the nodes of a side."""
        end = 2 * self.n[axis] if high else 0
        return [k for k in sorted(self.x) if k[axis] == end]

    def faces(self, axis, high):
        """(number of the element, face) on a side."""
        end = 2 * self.n[axis] if high else 0
        return [(self.first + e, f + 1) for e, (kind, nodes) in enumerate(self.elements)
                for f, face in enumerate(FACES[kind]) if all(nodes[a][axis] == end for a in face)]


def num(v):
    return f"{v:.9g}"


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.out, self.sets, self.said = [], {}, {}
        self.p = random.Random(f"points {seed}")  # apart, so that a seed means what it did
        self.name = 0

    def card(self, text, *rows):
        self.out.append(text)
        self.out += [", ".join(num(v) if isinstance(v, float) else str(v) for v in row) if isinstance(row, (tuple, list)) else row
                     for row in rows]

    def choose(self, *weighted):
        """Of (weight, what)."""
        return self.r.choices([w for _, w in weighted], [n for n, _ in weighted])[0]

    def chance(self, p):
        return self.r.random() < p

    def u(self, a, b):
        return self.r.uniform(a, b)

    # ---- mesh ----
    def mesh(self):
        r = self.r
        self.heat = self.analysis in ("heat", "heat-time")
        flat = self.chance(0.3) and not self.modal_only_solid
        self.dim = 2 if flat else 3
        self.family = r.choice(["CPS", "CPE", "CAX"] if not self.heat else ["CPS", "CPE", "CAX"]) if flat else ("DC3D" if self.heat else "C3D")
        order = r.choice([1, 2, 2])
        shape = r.choice(["hex"] * 6 + ["tet"] * 3 + ["wedge", "mixed"] if not flat else ["quad", "quad", "tri", "mixed"])
        n = tuple(r.randint(1, 3 if flat else 2) for _ in range(self.dim))
        if self.analysis in ("frequency", "buckle", "prestress", "steady-state", "modal-dynamic"):
            n = tuple(max(2, m) if a == 0 else m for a, m in enumerate(n))
        size = [self.u(1, 3)] + [self.u(0.5, 1.2) for _ in range(self.dim - 1)]
        origin = [self.u(0.6, 1.2) if self.family == "CAX" else 0.0, 0.0, 0.0]
        spread = r.choice([0, 0, 0.12])
        count = 4000
        tags = list(range(1, count)) if self.chance(0.5) else r.sample(range(1, 10 * count), count - 1)
        if self.chance(0.5):
            tags.sort(reverse=True)
        first = r.randint(1, 50)
        self.blocks = [Block(r, self.dim, order, origin, size, n, shape, spread, tags, first)]
        self.tied = not self.heat and not flat and self.can_join and self.chance(0.15)
        if self.tied:
            alike = self.chance(0.6)  # nodes meet nodes: hexahedra, and wedges of their side, or tetrahedra
            n2 = (r.randint(1, 2),) + (n[1:] if alike else tuple(r.randint(1, 2) for _ in range(2)))
            # the side of the first one is flat when nothing is shifted
            b = self.blocks[0]
            b.x.clear()
            b.place(origin, size, 0)
            kind, order2 = ("tet" if shape == "tet" else "hex", order) if alike else (r.choice(["hex", "tet"]), r.choice([1, 2]))
            self.blocks.append(Block(r, 3, order2, [origin[0] + size[0], 0.0, 0.0], [self.u(1, 2)] + size[1:], n2,
                                     kind, 0, tags, first + len(b.elements) + r.randint(0, 9)))
            self.alike = (kind == "tet") == (shape == "tet") and order2 == order and n2[1:] == n[1:]
        self.tags = tags
        self.size = size
        self.write_mesh()

    def types(self, kind, order):
        if self.dim == 3:
            names = SOLID[kind, order]
            return ["D" + t for t in names if t != "C3D20R"] if self.heat else self.stiff(names)
        return [self.family + t for t in (FLAT[kind, order][:1] if self.heat else self.stiff(FLAT[kind, order]))]

    def stiff(self, names):
        """A row of reduced elements alone can move without strain, by round-off then."""
        return names if math.prod(self.blocks[0].n[1:]) > 1 and len(self.blocks) == 1 else names[:1]

    def write_mesh(self):
        nodes = sorted((b.tag[k], b.x[k]) for b in self.blocks for k in b.x)
        if self.chance(0.3):
            self.r.shuffle(nodes)
        self.card("*NODE, NSET=NALL", *[[t] + [float(v) for v in x] for t, x in nodes])
        self.elements = []
        for b in self.blocks:
            pick = {}
            for e, (kind, keys) in enumerate(b.elements):
                t = pick.setdefault(kind, self.r.choice(self.types(kind, b.order)))
                self.elements.append((b.first + e, t, [b.tag[k] for k in keys]))
        for t in sorted({t for _, t, _ in self.elements}):
            rows = []
            for tag, kind, keys in self.elements:
                if kind != t:
                    continue
                row = [tag] + keys
                rows.append(",\n".join(", ".join(map(str, row[i:i + 10])) for i in range(0, len(row), 10)))
            self.card(f"*ELEMENT, TYPE={t}, ELSET=EALL", *rows)
        self.all = sorted(t for t, _ in nodes)

    # ---- sets ----
    def nset(self, tags, stem="N"):
        self.name += 1
        name = f"{stem}{self.name}"
        tags = sorted(tags)
        self.card(f"*NSET, NSET={name}", *[tags[i:i + 12] for i in range(0, len(tags), 12)])
        self.sets[name] = tags
        return name

    def elset(self, tags, stem="E"):
        self.name += 1
        name = f"{stem}{self.name}"
        tags = sorted(tags)
        self.card(f"*ELSET, ELSET={name}", *[tags[i:i + 12] for i in range(0, len(tags), 12)])
        return name

    def has(self, *shapes):
        return any(kind in shapes for b in self.blocks for kind, _ in b.elements)

    def side(self, axis, high, block=0):
        b = self.blocks[block]
        return [b.tag[k] for k in b.side(axis, high)]

    # ---- materials ----
    def material(self, name):
        E, nu = self.u(1e4, 2e5), self.u(0, 0.4)
        self.card(f"*MATERIAL, NAME={name}")
        if self.heat:
            kind = self.choose((4, "ISO"), (1, "ORTHO"), (1, "ANISO"))
            k = [self.u(2, 60) for _ in range(3)]
            rows = {"ISO": k[:1], "ORTHO": k, "ANISO": k + [0.3 * min(k), 0.2 * min(k), 0.1 * min(k)]}[kind]
            if self.dim == 2 and kind == "ANISO":
                rows = [k[0], k[1], k[2], 0.3 * min(k), 0.0, 0.0]
            self.card(f"*CONDUCTIVITY, TYPE={kind}", rows)
            if self.analysis == "heat-time":
                self.card("*DENSITY", [self.u(1, 8)])
                self.card("*SPECIFIC HEAT", [self.u(1, 5)])
            return
        turned = False
        if self.analysis == "nlgeom" and self.chance(0.5):
            self.hyperelastic()
        else:
            kind = self.choose((5, "ISO"), (1, "ENGINEERING CONSTANTS"), (1, "ORTHO"), (1, "ANISO"))
            if self.analysis in ("nlgeom", "plastic") or self.dim == 2 and kind == "ANISO" or self.family == "CPS" and kind == "ORTHO":
                kind = "ISO"
            turned = kind != "ISO"
            self.elastic(kind, E, nu)
            if self.analysis == "plastic":
                self.plastic()
        if self.expands:
            kind = self.choose((3, "ISO"), (1, "ORTHO" if self.dim == 3 else "ISO"))
            zero = ", ZERO=%s" % num(self.u(-20, 20)) if self.chance(0.3) else ""
            self.card(f"*EXPANSION, TYPE={kind}{zero}", [self.u(1e-6, 3e-5) for _ in range(3 if kind == "ORTHO" else 1)])
            turned = turned or kind == "ORTHO"
        self.card("*DENSITY", [self.u(1e-3, 8e-3)])
        return turned

    def plastic(self):
        rows = [[self.u(2, 6), 0.0], [self.u(7, 9), self.u(0.001, 0.01)], [self.u(30, 60), 0.1]]
        if not self.hot:
            self.card("*PLASTIC", *rows)
            return
        soft = self.u(0.4, 0.9)
        self.card("*PLASTIC", *[row + [0.0] for row in rows], *[[soft * row[0], row[1], 120.0] for row in rows])
        a, zero = self.u(1e-6, 1e-5), ", ZERO=%s" % num(self.u(-20, 20)) if self.chance(0.5) else ""
        self.card("*EXPANSION" + zero, *([[a, -50.0], [self.u(1, 2) * a, 150.0]] if self.chance(0.5) else [[a]]))

    def elastic(self, kind, E, nu):
        if kind == "ISO":
            if self.tables and self.chance(0.5):
                self.card("*ELASTIC", [E, nu, -50.0], [0.7 * E, 0.9 * nu, 150.0])
            else:
                self.card("*ELASTIC", [E, nu])
            return
        e = [E * self.u(0.4, 1) for _ in range(3)]
        n12, n13, n23 = (self.u(0, 0.2) for _ in range(3))
        g = [E * self.u(0.15, 0.4) for _ in range(3)]
        if kind == "ENGINEERING CONSTANTS":
            self.card(f"*ELASTIC, TYPE={kind}", e + [n12, n13, n23] + g[:2], [g[2]])
            return
        a, b = self.u(0.3, 0.45) * E, [E * self.u(1, 2) for _ in range(3)]
        d = [b[0], a * 0.9, b[1], a * 0.7, a * 0.8, b[2]] + g
        if kind == "ORTHO":
            self.card("*ELASTIC, TYPE=ORTHO", d[:8], [d[8]])
            return
        s = lambda: self.u(-0.04, 0.04) * E
        full = d[:6] + [s(), s(), s(), g[0], s(), s(), s(), s(), g[1], s(), s(), s(), s(), s(), g[2]]
        self.card("*ELASTIC, TYPE=ANISO", full[:8], full[8:16], full[16:])

    def hyperelastic(self):
        mu, D = self.u(0.3, 2), self.u(0.05, 0.3)
        kind = self.r.choice(["NEO HOOKE", "MOONEY-RIVLIN", "YEOH", "OGDEN"])
        rows = {"NEO HOOKE": [mu / 2, D], "MOONEY-RIVLIN": [mu / 3, mu / 6, D],
                "YEOH": [mu / 2, mu / 50, mu / 200, D, 0.0, 0.0], "OGDEN": [mu, self.u(1.5, 3), D]}[kind]
        self.card(f"*HYPERELASTIC, {kind}", rows)

    def orientation(self):
        self.name += 1
        name = f"O{self.name}"
        if self.chance(0.35) and self.dim == 3 or self.dim == 2 and self.chance(0.2):
            self.card(f"*ORIENTATION, NAME={name}, SYSTEM=CYLINDRICAL",
                      [-3.1, -2.3, 0.0, -3.1, -2.3, 1.0] if self.dim == 2 or self.chance(0.5) else [-3.1, 0.4, -2.2, -3.0, 1.5, -2.4])
        else:
            t = self.u(0, 2 * math.pi)
            rows = [math.cos(t), math.sin(t), 0.0, -math.sin(t), math.cos(t), 0.0]
            if self.dim == 3 and self.chance(0.6):
                rows = [self.u(0.2, 1), self.u(-1, 1), self.u(-1, 1), self.u(-1, 0), self.u(0.3, 1), self.u(-1, 1)]
            self.card(f"*ORIENTATION, NAME={name}, SYSTEM=RECTANGULAR", rows)
        return name

    def sections(self):
        tags = [t for t, _, _ in self.elements]
        # rubber of CPS is too stiff in CalculiX where its thickness cannot follow the stress, by any factor beside a stiffer
        # part: it is thin, and one part
        self.thin = self.family == "CPS" and self.analysis == "nlgeom"
        two = len(tags) > 1 and self.chance(0.3) and not self.thin
        parts = [tags] if not two else [tags[:len(tags) // 2], tags[len(tags) // 2:]]
        self.parts = [self.elset(p, "M") for p in parts]
        thick = [self.u(0.3, 1.5) * (0.01 if self.thin else 1)] if self.family in ("CPS", "CPE") else None
        for i, part in enumerate(self.parts):
            turned = self.material(f"MAT{i}")
            words = f", ORIENTATION={self.orientation()}" if turned and self.dim == 3 and self.chance(0.7) else ""
            self.card(f"*SOLID SECTION, ELSET={part}, MATERIAL=MAT{i}{words}", *([thick] if thick else []))

    # ---- what acts ----
    def amplitudes(self):
        self.amps = []
        for i in range(self.r.randint(self.analysis == "dynamic", 2) if self.analysis not in ("frequency", "buckle") else 0):
            total = self.chance(0.4)
            t = [0.0, self.u(0.2, 0.9), self.u(1, 1.8), self.u(2, 4)]
            if self.analysis in ("steady-state",):
                t = [0.0, self.u(10, 200), self.u(300, 2000), 1e6]
            rows = [v for at in t for v in (at, self.u(-1, 2))]
            if self.analysis in ("dynamic", "modal-dynamic"):
                rows = [0.0, 0.0, self.u(3e-4, 6e-4), self.u(-1, 2), 1e-3, self.u(-1, 2)]
            self.card(f"*AMPLITUDE, NAME=A{i}" + (", TIME=TOTAL TIME" if total else ""), rows)
            self.amps.append(f"A{i}")

    def words(self, kind, new=True):
        """One amplitude for all rows of a kind in a step, which CalculiX wants where they meet; OP=NEW before others only."""
        key = self.step, kind
        if key not in self.said:
            p = 1 if self.analysis == "dynamic" else 0.4  # what acts all at once moves what no step sees
            text = f", AMPLITUDE={self.r.choice(self.amps)}" if self.amps and self.chance(p) else ""
            self.said[key] = text, ", OP=NEW" if new and self.step > 1 and self.chance(0.25) else ""
            return "".join(self.said[key])
        return self.said[key][0]

    def support(self):
        held = self.side(0, False)
        self.held = set(held)
        name = self.nset(held, "HOLD")
        if self.heat:
            self.card("*BOUNDARY", [name, 11, 11, self.u(20, 50)])
        else:
            self.card("*BOUNDARY", [name, 1, self.dim])

    def free(self):
        return [t for t in self.all if t not in self.held and t not in self.joined]

    def loads(self):
        r = self.r
        # a flux behind a film replaces the flux before it in CalculiX, where without the film they add up: films come last
        for kind in sorted((self.kind_of_load() for _ in range(r.randint(1, 3))), key=lambda k: k == "FILM"):
            getattr(self, "load_" + kind.lower())()
        if self.expands and self.chance(0.7):
            self.load_temperature()

    def kind_of_load(self):
        if self.hub and not self.many_steps:
            return self.r.choice(["DLOAD", "DSLOAD", "GRAV"])  # beside other forces CalculiX loses moments of reference nodes
        return self.r.choice(["CFLUX", "DFLUX", "BF", "FILM"] if self.heat else
                             ["CLOAD", "CLOAD", "DLOAD", "DSLOAD", "GRAV", "BOUNDARY"]
                             + ["CENTRIF"] * (self.analysis != "dynamic" or not self.amps))

    def load_cload(self, moments=False):
        rows, free = [], self.free() or self.all
        for _ in range(self.r.randint(1, 4)):
            on = self.r.choice(free) if self.chance(0.6) else self.r.choice([s for s in self.sets if s.startswith("F")])
            rows.append([on, self.r.randint(1, self.dim), self.force() * (0.01 if self.thin else 1)])
        rows += [row[:2] + [self.force() * (0.01 if self.thin else 1)] for row in rows if self.chance(0.3)]
        self.card("*CLOAD" + self.words("CLOAD"), *rows)

    def force(self):
        return self.u(-1, 1) * (0.02 if self.analysis == "nlgeom" else 1)

    def load_dload(self):
        rows = []
        for _ in range(self.r.randint(1, 3)):
            axis, high = self.r.choice([(0, True), (1, False), (1, True)])
            for e, f in self.blocks[0].faces(axis, high):
                if self.chance(0.6):
                    rows.append([e, f"P{f}", self.pressure()])
        self.card("*DLOAD" + self.words("DLOAD"), *(rows or [[*self.one_face(), self.pressure()]]))

    def pressure(self):
        """Of large strain one that bends a bar of rubber by no third of its length: the tangent, symmetric in Sinew, does not
        lead everywhere where a rim is free, which ends with 6 and a line that says so."""
        return (0.5 if self.analysis == "nlgeom" else 2) * self.force()

    def one_face(self):
        e, f = self.blocks[0].faces(1, True)[0]
        return e, f"P{f}"

    def load_dsload(self):
        self.card("*DSLOAD" + self.words("DLOAD"), *[[self.r.choice(self.surfaces), "P", self.u(-2, 2)]
                                                  for _ in range(self.r.randint(1, 2))])

    def load_grav(self):
        v = [self.u(-1, 1) for _ in range(3)]
        if self.dim == 2:
            v[2] = 0.0
        if self.family == "CAX":
            v[0] = 0.0
        rows = [[self.r.choice(["EALL"] + self.parts), "GRAV", self.u(10, 300)] + v for _ in range(self.r.randint(1, 2))]
        rows += [[name, "GRAV", self.p.uniform(10, 300)] + v for name in self.weigh if self.p.random() < 0.7]
        self.card("*DLOAD" + self.words("DLOAD"), *rows)

    def load_centrif(self):
        axis = [0.0, 1.0, 0.0] if self.family == "CAX" else [0.0, 0.0, 1.0] if self.dim == 2 else self.axis
        at, fast = [0.0, 0.0, 0.0] if self.family == "CAX" else list(self.axis_at), self.u(1, 300)
        if self.family != "CAX" and self.has("tet", "tri", "wedge"):
            # whose points are too few in CalculiX for a force that changes within the element: it changes little, and is large
            far = math.hypot(*axis[:2])
            at[0] += 12 * axis[1] / far if far else 12
            at[1] -= 12 * axis[0] / far if far else 0
            fast = self.u(100, 300)
        self.card("*DLOAD", ["EALL", "CENTRIF", fast] + at + axis)

    def load_boundary(self):
        on = self.side(0, True, -1)
        if self.joined & set(on) or (self.step > 1 and not self.moved):
            return self.load_cload()
        self.moved = self.moved or (self.nset(on, "MOVE"), self.r.randint(1, self.dim))
        name, k = self.moved
        self.card("*BOUNDARY" + self.words("BOUNDARY", False), [name, k, k, self.u(-1e-4, 1e-4)])

    def load_temperature(self):
        rows = [["NALL", self.u(-30, 90)]]
        # beside C3D8, which has one temperature in CalculiX, elements of second order have one all over: Sinew has no such mix
        varies = self.chance(0.4) and not (any(t == "C3D8" for _, t, _ in self.elements) and any(b.order == 2 for b in self.blocks))
        if varies and any(re.fullmatch("C3D20|C3D15|CPE8|CAX8|CPS.*", t) for _, t, _ in self.elements):
            # CalculiX makes temperatures of C3D20 linear, C3D20R apart, and the thickness of CPS has to follow them: where they
            # jump that is stress of any size; of C3D15 the points are others
            g = [self.u(-30, 30) for _ in range(3)]
            rows = [[b.tag[k], rows[0][1] + sum(p * v for p, v in zip(g, b.x[k]))] for b in self.blocks for k in sorted(b.x)]
        elif varies:
            rows += [[self.r.choice(self.all), self.u(-30, 90)] for _ in range(3)]
        # CalculiX goes through an amplitude of temperatures again in later steps
        self.card("*TEMPERATURE" + (self.words("TEMPERATURE") if self.step == self.n_steps else ""), *rows)

    def load_cflux(self):
        free = self.free() or self.all
        rows = [[self.r.choice(free), 11, self.u(-5, 5)] for _ in range(self.r.randint(1, 4))]
        rows += [row[:2] + [self.u(-5, 5)] for row in rows if self.chance(0.3)]
        self.card("*CFLUX" + self.words("CFLUX"), *rows)

    def load_dflux(self):
        rows = [[e, f"S{f}", self.u(-5, 5)] for e, f in self.blocks[0].faces(1, True) if self.chance(0.8)]
        if rows and self.chance(0.3):
            rows.append(rows[0][:2] + [self.u(-5, 5)])
        if rows:
            self.card("*DFLUX" + self.words("DFLUX"), *rows)

    def load_bf(self):
        self.card("*DFLUX", *[[self.r.choice(["EALL"] + self.parts), "BF", self.u(-5, 5)] for _ in range(self.r.randint(1, 2))])

    def load_film(self):
        if self.filmed:
            return
        self.filmed = True
        rows = [[e, f"F{f}", self.u(-20, 60), self.u(1, 9)] for e, f in self.blocks[0].faces(0, True)]
        self.card("*FILM" + self.words("FILM"), *rows)

    # ---- what moves together ----
    def joins(self):
        self.joined = set()
        if self.tied:
            self.surface_of(self.blocks[1].faces(0, False), "SLAVE")
            self.surface_of(self.blocks[0].faces(0, True), "MASTER")
            name = "ALIKE" if self.alike else "APART"  # for the rows of what may differ
            self.card(f"*TIE, NAME={name}, POSITION TOLERANCE=0.01", ["SLAVE", "MASTER"])
            self.joined |= set(self.side(0, False, 1)) | set(self.side(0, True, 0))
        if not self.can_join or self.heat or self.tied:
            return
        end = self.side(0, True)
        kind = self.choose((10, None), (4, "EQUATION"), (3, "TRANSFORM"), (2, "RIGID"), (2, "KINEMATIC"), (2, "DISTRIBUTING"),
                           (1, "PLANE"), (1, "MEANROT"))
        if kind in ("RIGID", "KINEMATIC", "DISTRIBUTING", "PLANE", "MEANROT") and self.dim == 2:
            kind = "EQUATION"
        if kind:
            getattr(self, "join_" + kind.lower())(end)

    def join_equation(self, end):
        pool = list(end)
        self.r.shuffle(pool)
        while len(pool) > 2 and self.chance(0.7):
            a, b = pool.pop(), pool[0]
            k = self.r.randint(1, self.dim)
            rows = [a, k, 1.0, b, k, self.u(-1.5, -0.5)]
            if self.chance(0.3) and len(pool) > 2:
                rows += [pool[1], self.r.randint(1, self.dim), self.u(-0.5, 0.5)]
            self.card("*EQUATION", [len(rows) // 3], rows)
            self.joined.add(a)

    def join_transform(self, end):
        name = self.nset(end, "TURN")
        if self.dim == 3 and self.chance(0.5):
            self.card(f"*TRANSFORM, NSET={name}, TYPE=C", [-3.1, 0.4, -2.2, -3.0, 1.5, -2.4])
        else:
            t = self.u(0, 6)
            self.card(f"*TRANSFORM, NSET={name}, TYPE=R", [math.cos(t), math.sin(t), 0.0, -math.sin(t), math.cos(t), 0.0])
        if self.chance(0.5):
            self.card("*BOUNDARY", [name, *[self.r.randint(1, self.dim)] * 2])
            self.joined |= set(end)

    def reference(self):
        tags = self.tags.pop(), self.tags.pop()
        x = [self.size[0] + self.u(0, 0.3)] + [self.u(0.2, 0.7) for _ in range(2)]
        self.card("*NODE, NSET=REFS", *[[t] + x for t in tags])
        self.sets["FREF"] = None
        return tags

    def join_rigid(self, end):
        ref, rot = self.reference()
        name = self.nset(end, "RIG")
        self.card(f"*RIGID BODY, NSET={name}, REF NODE={ref}, ROT NODE={rot}")
        self.joined |= set(end)
        self.hub, self.rot = ref, rot
        del self.sets["FREF"]

    def join_kinematic(self, end):
        ref, _ = self.reference()
        del self.sets["FREF"]
        self.surface_of(self.blocks[0].faces(0, True), "ENDS")
        self.card(f"*COUPLING, REF NODE={ref}, SURFACE=ENDS, CONSTRAINT NAME=C1")
        self.card("*KINEMATIC", [1, 3])
        self.joined |= set(end)
        self.hub = ref

    def join_distributing(self, end):
        ref, _ = self.reference()
        del self.sets["FREF"]
        self.many_steps = False  # CalculiX loses a part of such loads in later steps
        self.surface_of(self.blocks[0].faces(0, True), "ENDS")
        self.card(f"*COUPLING, REF NODE={ref}, SURFACE=ENDS, CONSTRAINT NAME=C1")
        self.card("*DISTRIBUTING", [1, 6])
        self.joined |= set(end)  # with forces on its nodes CalculiX' moments do not balance
        self.hub = ref

    def join_plane(self, end):
        b = self.blocks[0]
        flat = all(abs(b.x[k][0] - b.x[b.side(0, True)[0]][0]) < 1e-12 for k in b.side(0, True))
        if not flat or len(end) < 4:
            return
        pts = {b.tag[k]: b.x[k] for k in b.side(0, True)}
        first = [b.tag[(2 * b.n[0], 0, 0)], b.tag[(2 * b.n[0], 2 * b.n[1], 0)], b.tag[(2 * b.n[0], 0, 2 * b.n[2])]]
        self.many_steps = False  # CalculiX iterates, and prints each increment
        rows = ["PLANE"] + first + [t for t in pts if t not in first]
        self.card("*MPC", *[rows[i:i + 12] for i in range(0, len(rows), 12)])
        self.joined |= set(end)

    def join_meanrot(self, end):
        ref, _ = self.reference()
        del self.sets["FREF"]
        self.many_steps = False
        rows = ["MEANROT"] + end + [ref]
        self.card("*MPC", *[rows[i:i + 12] for i in range(0, len(rows), 12)])
        self.hub, self.spin = ref, True

    def surface_of(self, faces, name):
        self.card(f"*SURFACE, NAME={name}", *[[e, f"S{f}"] for e, f in faces])

    # ---- masses, springs and dashpots ----
    def points(self):
        p, self.weigh = self.p, []
        free = [t for t in self.free() if t not in self.joined]
        if self.heat or self.family == "CAX" or p.random() > 0.3 or len(free) < 3:
            return
        kinds = ["SPRING1", "SPRING2"] + ["SPRINGA", "GROUND"] * (self.analysis not in ("nlgeom", "plastic"))
        kinds += ["MASS", "MASS"] * (self.analysis != "dynamic") + ["DASHPOTA"] * (self.analysis == "dynamic")
        for i, kind in enumerate(p.choice(kinds) for _ in range(p.randint(1, 4))):
            card = {"MASS": "MASS", "DASHPOTA": "DASHPOT"}.get(kind, "SPRING")
            nodes = p.sample(free, 1 if kind in ("MASS", "SPRING1", "GROUND") else 2)
            if kind == "GROUND":
                nodes.append(self.tags.pop())
                self.card("*NODE", [nodes[1]] + [p.uniform(-2, 2) for _ in range(self.dim)])
                self.card("*BOUNDARY", [nodes[1], 1, self.dim])
            first = [5000 + 10 * i, *nodes]
            rows = [first] + [[first[0] + 1, p.choice(free)]] * (kind == "MASS")
            self.card(f"*ELEMENT, TYPE={kind.replace('GROUND', 'SPRINGA')}, ELSET=AT{i}", *rows)
            k = p.randint(1, self.dim)
            along = [[""], [k], [k, k]][{"SPRING1": 1, "SPRING2": 2}.get(kind, 0)]
            value = {"MASS": p.uniform(1e-3, 1e-2), "DASHPOT": p.uniform(0.1, 10)}.get(card, p.uniform(1e3, 1e5))
            self.card(f"*{card}, ELSET=AT{i}", *([] if card == "MASS" else [along]), [value])
            self.weigh += [f"AT{i}"] * (kind == "MASS" and self.analysis == "static")

    def load_hub(self):
        if self.spin:
            self.card("*CLOAD", [self.hub, 1, self.u(-1, 1)])
            return
        if not self.pushed:
            self.pushed = [[self.hub, k] for k in (1, 2, 3) if self.chance(0.7)]
            self.pushed += [[self.rot or self.hub, k] for k in ((1, 2, 3) if self.rot else (4, 5, 6)) if self.chance(0.5)]
        if self.pushed:
            self.card("*CLOAD", *[row + [self.u(-1, 1)] for row in self.pushed])

    # ---- output ----
    def prints(self):
        # of heat in time the held nodes too, so that the largest value is no small one
        nodes = "NALL" if self.analysis == "heat-time" or self.chance(0.5) else self.r.choice([s for s in self.sets if s.startswith(("F", "HOLD"))])
        words = {"heat": ["NT", "RFL"], "heat-time": ["NT"], "dynamic": ["U", "V"], "modal-dynamic": ["U"], "steady-state": ["U"],
                 "nlgeom": ["U"], "plastic": ["U"], "static": ["U", "RF"]}.get(self.analysis, [])
        if words:
            sums = self.analysis == "static" and nodes == "HOLD"  # of all nodes they are 0
            total = self.choose((2, ""), (2, ", TOTALS=YES"), (1, ", TOTALS=ONLY")) if sums else ""
            freq = f", FREQUENCY={self.r.randint(2, 6)}" if self.analysis in ("dynamic", "heat-time") and self.chance(0.4) else ""
            self.card(f"*NODE PRINT, NSET={nodes}{total}{freq}" + self.whole(), *[[w] for w in words])
        words = {"static": ["S", "E", "ELSE", "EVOL", "ENER"], "heat": ["HFL"], "dynamic": ["S"], "nlgeom": ["S"], "plastic": ["S"]}.get(self.analysis, [])
        words = [w for w in words if self.chance(0.6) and not (w == "E" and self.family == "CPS")
                 and not (w == "ENER" and self.expands)]
        if words:
            total = self.choose((6, ""), (2, ", TOTALS=YES")) if self.analysis == "static" else ""
            self.card(f"*EL PRINT, ELSET={self.r.choice(['EALL'] + self.parts)}{total}" + self.whole(), *[[w] for w in words])

    def whole(self):
        return ", GLOBAL=YES" if self.chance(0.3) else ""

    # ---- steps ----
    def make(self):
        r = self.r
        self.analysis = self.choose((10, "static"), (3, "heat"), (2, "heat-time"), (2, "frequency"), (1, "prestress"), (1, "buckle"),
                                    (2, "dynamic"), (1, "steady-state"), (1, "modal-dynamic"), (2, "nlgeom"), (2, "plastic"))
        self.modal_only_solid = self.analysis in ("frequency", "prestress", "buckle", "dynamic", "steady-state", "modal-dynamic")
        self.can_join = self.analysis in ("static", "frequency")
        self.expands = self.analysis == "static" and self.chance(0.3)
        self.hot = self.analysis == "plastic" and self.chance(0.4)
        self.large = self.analysis == "plastic" and self.chance(0.3)
        self.tables = self.hot
        self.moved = self.hub = self.rot = self.spin = self.pushed = None
        self.filmed, self.step, self.many_steps = False, 0, True
        self.axis_at, self.axis = [self.u(-1, 1), self.u(-1, 1), 0.0], [self.u(-1, 1), self.u(-1, 1), self.u(0.3, 1)]
        self.mesh()
        if self.dim == 3:
            self.axis_at[2] = self.u(-1, 1)
        self.sections()
        self.support()
        free = [t for t in self.all if t not in self.held]
        for _ in range(3):
            self.nset(r.sample(free, min(len(free), r.randint(1, 5))), "F")
        self.joins()
        self.points()
        for name in [s for s in self.sets if s.startswith("F")]:
            if self.joined & set(self.sets[name]):
                del self.sets[name]
        if not any(s.startswith("F") for s in self.sets):
            self.nset([r.choice(self.free() or self.all)], "F")
        self.surfaces = []
        for axis, high in ((1, True), (0, True), (1, False)):
            self.surface_of(self.blocks[0].faces(axis, high), f"SIDE{len(self.surfaces)}")
            self.surfaces.append(f"SIDE{len(self.surfaces)}")
        self.amplitudes()
        if self.expands or self.heat or self.hot:
            # from a temperature below 0 CalculiX' stress of the same rise is another by 2e-6
            self.card("*INITIAL CONDITIONS, TYPE=TEMPERATURE", ["NALL", self.u(1, 30)])
        getattr(self, "steps_" + self.analysis.replace("-", "_"))()
        return "\n".join(self.out) + "\n"

    def begin(self, procedure, *rows, words=""):
        self.step += 1
        self.card("*STEP" + words)
        self.card(procedure, *rows)

    def act(self):
        if self.hub and self.chance(0.9):
            self.load_hub()
        self.loads()

    def steps_static(self):
        self.n_steps = self.r.choice([1, 1, 2, 3]) if self.many_steps else 1
        for _ in range(self.n_steps):
            self.begin("*STATIC", *([[0.5, self.u(0.5, 2)]] if self.chance(0.3) else []))
            if self.step == 1 or self.chance(0.8):
                self.act()
            if self.step == 1 or self.chance(0.5):
                self.prints()
            self.card("*END STEP")

    def steps_heat(self):
        self.begin("*HEAT TRANSFER, STEADY STATE", *([[1.0, 1.0]] if self.chance(0.5) else []))
        self.loads(), self.prints()
        self.card("*END STEP")

    def steps_heat_time(self):
        self.begin("*HEAT TRANSFER, DIRECT", [0.05, self.r.randint(4, 12) * 0.05], words=", INC=1000")
        self.loads(), self.prints()
        self.card("*END STEP")

    def steps_frequency(self):
        self.begin("*FREQUENCY", [self.r.randint(2, 5)])
        self.card("*END STEP")

    def steps_prestress(self):
        self.begin("*STATIC")
        self.load_cload()
        self.card("*END STEP")
        self.begin("*FREQUENCY", [self.r.randint(2, 4)], words=", PERTURBATION")
        self.card("*END STEP")

    def steps_buckle(self):
        self.begin("*BUCKLE", [1, 1e-6])
        self.card("*CLOAD", *[[t, 1, -1.0] for t in self.side(0, True)])
        self.card("*END STEP")

    def steps_dynamic(self):
        self.begin("*DYNAMIC, DIRECT" + (f", ALPHA={num(self.u(-0.3, 0))}" if self.chance(0.5) else ""),
                   [2e-5, self.r.randint(10, 40) * 2e-5], words=", INC=1000")
        self.loads(), self.prints()
        self.card("*END STEP")

    def modes(self):
        n = self.r.randint(3, 6)
        # CalculiX has another stiffness of C3D15, in which a mode may change places with the first one that is left out
        n = 3 * n if self.has("wedge") and self.blocks[0].order == 2 else n
        self.begin("*FREQUENCY, STORAGE=YES", [n])
        self.card("*END STEP")

    def damp(self):
        if self.chance(0.5):
            self.card("*MODAL DAMPING", [1, 10, self.u(0.01, 0.1)])
        else:
            self.card("*MODAL DAMPING, RAYLEIGH", ["", "", self.u(0, 20), self.u(1e-6, 1e-5)])

    def steps_steady_state(self):
        self.modes()
        self.begin("*STEADY STATE DYNAMICS", [10.0, self.u(200, 3000), self.r.randint(2, 4), self.u(1, 3)])
        self.damp()
        self.load_cload(), self.prints()
        self.card("*END STEP")

    def steps_modal_dynamic(self):
        self.modes()
        self.begin("*MODAL DYNAMIC", [2e-5, 6e-4])
        self.damp()
        self.load_cload(), self.prints()
        self.card("*END STEP")

    def steps_nlgeom(self):
        self.steps_in_chain(", NLGEOM", [0.25, 1.0])

    def steps_plastic(self):
        self.steps_in_chain(", NLGEOM" if self.large else "", [0.125, 1.0])

    def steps_in_chain(self, words, times):
        """Each step from the state of the last; amplitudes of single loads begin at 0 with these."""
        self.n_steps = self.r.choice([1, 2, 3])
        what = self.r.choice([self.load_cload, self.load_dload, self.load_boundary])
        for k in range(self.n_steps):
            self.begin("*STATIC, DIRECT", times, words=(words if k == 0 or self.chance(0.5) else "") + ", INC=1000")
            what()
            if self.hot and (k == 0 or self.chance(0.5)):
                self.card("*TEMPERATURE", ["NALL", self.u(-20, 140)])
            if k == 0:
                self.prints()
            self.card("*END STEP")


def deck(seed):
    return Maker(seed).make()


if __name__ == "__main__":
    import sys
    print(deck(int(sys.argv[1])), end="")
