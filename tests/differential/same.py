#!/usr/bin/env python3
"""same.py SINEW [--cases N] [--seconds S] [--seed K] [--backend cuda] [--ranks N]: drawn bodies once as they are and once turned by any rotation, in other units of
length, force and time and with other numbers of nodes and elements. What probes see has to be the same. Another set in each run, whose
seed is printed. The second may be run on a GPU or by several processes; what these refuse is counted. Ends with 1 where an answer differs, or one of the two ends otherwise."""
import argparse, csv, json, math, os, random, subprocess, sys, tempfile, time

SIZES = {"tet4": 4, "wedge6": 6, "hex8": 5}  # Gmsh's numbers of elements
CELLS = {"hex8": [range(8)], "wedge6": [(0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7)],
         "tet4": [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]}
SIDES = [("x0", 0, 0, (0, 4, 7, 3)), ("x1", 0, 1, (1, 2, 6, 5)), ("y0", 1, 0, (0, 1, 5, 4)), ("y1", 1, 1, (2, 3, 7, 6)),
         ("z0", 2, 0, (0, 3, 2, 1)), ("z1", 2, 1, (4, 5, 6, 7))]
LARGE = ("finite", "metal at finite strain", "obstacle at finite strain", "tie at finite strain", "rigid at finite strain", "follower", "motion")
KINDS = LARGE + ("static", "metal", "obstacle", "tie", "rigid", "transient", "centrifugal", "heated", "orthotropic", "modes", "bodies",
                 "friction", "springs", "memory",
                 "layers", "bolt", "press", "ball", "shaft", "spread")
# In units of their own: scalars, but for the displacement of muscle.
OTHERS = ("heat", "heat in time", "front", "heart", "bidomain", "bath", "muscle")
TOLERANCE = {"heart": 1e-5, "bidomain": 1e-5, "bath": 1e-5, "ball": 5e-5, "shaft": 5e-5, "obstacle": 5e-5, "obstacle at finite strain": 5e-5, "friction": 5e-5}  # directions of friction settle to 2e-6 of its bounds
ON_A_GPU = {"heart": 2e-3, "bidomain": 2e-3, "bath": 2e-3}  # explicit stages have increments in half precision there (docs/theory/evolution.md)


class View:
    """How a case is written: x' = Q x, in units of length, force and time, and numbers of nodes and elements in another order."""

    def __init__(self, r=None, units=False):
        self.turn = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        self.length = self.force = self.time = 1.0
        self.random, self.backend = r, "cpu"
        if r:
            w, x, y, z = (lambda q: [v / math.sqrt(sum(c * c for c in q)) for v in q])([r.gauss(0, 1) for _ in range(4)])
            self.turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
        if units:
            self.length, self.force, self.time = r.choice([1e-3, 25.4, 1e3]), r.choice([1e-3, 9.81, 1e3]), r.choice([1e-3, 60.0])

    def to(self, v):
        return [sum(q * c for q, c in zip(row, v)) for row in self.turn]

    def back(self, v):
        return [sum(self.turn[j][i] * v[j] for j in range(3)) for i in range(3)]

    def vector(self, v, unit=1.0):
        return "[%s]" % ", ".join(repr(unit * c) for c in self.to(v))

    def place(self, v):
        return self.vector(v, self.length)

    def stress(self, v):
        return repr(v * self.force / self.length**2)


def grid(cells, size, origin, kind, prefix, halves, nodes, elements):
    """A block of cells, its volume named by the prefix and its sides x0 ... z1 behind it: elements (group, kind, nodes). Of two halves along x
    the far one is b, and between them lies a surface named cut."""
    first, strides = len(nodes), (1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1))
    for k in range(cells[2] + 1):
        for j in range(cells[1] + 1):
            nodes += [[o + s * a / n for o, s, a, n in zip(origin, size, (i, j, k), cells)] for i in range(cells[0] + 1)]
    for k in range(cells[2]):
        for j in range(cells[1]):
            for i in range(cells[0]):
                at = (i, j, k)
                corner = [first + sum(s * (a + b) for s, a, b in zip(strides, at, up))
                          for up in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))]
                far = halves and 2 * i >= cells[0]
                elements += [("b" if far else prefix, SIZES[kind], [corner[a] for a in part]) for part in CELLS[kind]]
                for name, axis, end, quad in SIDES + ([("cut", 0, 0, SIDES[0][3])] if far and 2 * (i - 1) < cells[0] else []):
                    if at[axis] != (cells[axis] - 1 if end else 0) and name != "cut":
                        continue
                    name = name if name == "cut" else prefix + name
                    if kind == "hex8" or (kind == "wedge6" and axis != 2):
                        elements.append((name, 3, [corner[a] for a in quad]))
                        continue
                    turn = quad.index(0 if 0 in quad else 6)  # diagonals go from 0 or to 6, those of wedges from 0 or 4
                    if kind == "wedge6" and end:
                        turn = quad.index(4)
                    quad = quad[turn:] + quad[:turn]
                    elements += [(name, 2, [corner[quad[a]] for a in part]) for part in ((0, 1, 2), (0, 2, 3))]


def write_mesh(path, d, view):
    nodes, elements = [], []
    grid(d["cells"], d["size"], (0, 0, 0), d["element"], "a", d["halves"], nodes, elements)
    if d["two"]:
        size = [d["size"][0] * d["a"]] + [d["cover"] * s for s in d["size"][1:]]
        grid(d["cells2"], size, (d["size"][0], 0.1, 0.05), d["element2"], "b", False, nodes, elements)
    number = list(range(1, len(nodes) + 1))
    if view.random:
        view.random.shuffle(number), view.random.shuffle(elements)
    groups = sorted(set(e[0] for e in elements))
    with open(path, "w") as f:
        f.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n" % len(groups))
        f.writelines('%d %d "%s"\n' % (3 if len(g) == 1 else 2, k + 1, g) for k, g in enumerate(groups))
        f.write("$EndPhysicalNames\n$Nodes\n%d\n" % len(nodes))
        f.writelines("%d %.17g %.17g %.17g\n" % ((number[k],) + tuple(view.length * c for c in view.to(nodes[k]))) for k in
                     sorted(range(len(nodes)), key=lambda k: number[k]))
        f.write("$EndNodes\n$Elements\n%d\n" % len(elements))
        f.writelines("%d %d 2 %d %d %s\n" % (k + 1, e[1], groups.index(e[0]) + 1, groups.index(e[0]) + 1, " ".join(str(number[a]) for a in e[2]))
                     for k, e in enumerate(elements))
        f.write("$EndElements\n")


def other(d, view):
    """Heat, hearts and muscle."""
    kind, fibers = d["kind"], view.vector([1, 0.3 * d["v"][0], 0.4 * d["v"][1]])
    text = "version: 1\nmesh: {file: m.msh%s}\n" % (", order: %d" % d["order"] if kind in ("heat", "heat in time", "muscle") else "")
    field, count = "temperature", 1
    if kind.startswith("heat"):
        text += "physics: heat\nmaterials: [{on: a, conductivity: %r, capacity: %r}]\n" % (d["a"], d["b"])
        text += "boundary: [{on: ax0, temperature: 10}, {on: ay1, flux: %r}, {on: ax1, convection: {coefficient: %r, ambient: 3}}]\n" % (d["c"], d["a"])
        text += "initial: 2\ntime: {end: 0.4, step: 0.05}\n" if kind == "heat in time" else ""
    elif kind == "muscle":
        text += "physics: electromechanics\nmodel: 3d\nmuscle: [{on: a, type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 100, fibers: {direction: %s}, " % fibers
        text += "sheets: {direction: %s}, tension: {form: stretch, value: \"%r*t\"}}]\n" % (view.vector([0, 1, 0]), 3 * d["a"])
        text += "boundary: [{on: ax0, fix: all}, {on: ay1, pressure: %r}]\ntime: {end: 1, step: 0.5}\n" % (0.3 * d["b"])
        field, count = "displacement", 3
    else:
        box = "{sphere: {center: %s, radius: 0.7}}" % view.place([0, 0, 0])
        text += "physics: %s\n%stissue:\n  - on: a\n    fibers: {direction: %s}\n" % (
            "eikonal" if kind == "front" else "monodomain", "model: bidomain\n" if kind in ("bidomain", "bath") else "", fibers)
        if kind == "front":
            text += "    velocity: {along: %r, across: 0.3}\n" % d["a"]
        else:
            text += "    ionic: {model: ten-tusscher, preset: epi}\n"
            text += ("    conductivity: {intra: [0.17, 0.019], extra: [0.62, 0.24], surface-to-volume: 140, capacitance: 0.01}\n" if kind in ("bidomain", "bath")
                     else "    diffusivity: {along: %r, across: 0.05}\n" % (0.2 * d["a"]))
        if kind == "bath":
            text += "bath: [{on: b, conductivity: 0.6}]\nelectrodes: [{name: e, on: ax1, density: %r, start: 1, duration: 2}, {name: f, on: ax0, balances: e}]\n" % (0.2 * d["b"])
        text += "stimuli: [{name: s, on: %s%s}]\n" % (box, "" if kind == "front" else ", duration: 2, amplitude: 40")
        text += "" if kind == "front" else "time: {end: 6, step: 0.05}\n"
        field = "activation" if kind == "front" else "extracellular" if kind == "bath" else "potential"
    text += "output:\n"
    if kind == "heart":
        text += "  ecg: [{name: lead, positive: %s, negative: %s}]\n" % (view.place([9, 1, 2]), view.place([-7, 0, 1]))
    if kind == "bath":
        text += "  ecg: [{name: lead, positive: %s}]\n" % view.place([c * s for c, s in zip((0.9, 0.4, 0.6), d["size"])])
    text += "  probes:\n"
    for k, share in enumerate([(0.31, 0.57, 0.41), (0.04, 0.31, 0.77)] if d["halves"] else [(0.63, 0.57, 0.41), (0.99, 0.31, 0.77)]):
        for c in ["-x", "-y", "-z"][:count] if count > 1 else [""]:
            text += "    - {name: p%s%d, at: %s, field: %s%s}\n" % (c, k, view.place([u * v for u, v in zip(share, d["size"])]), field, c)
    return text


def draw(r, kind):
    d = {name: r.uniform(0.5, 1.5) for name in "abc"}
    d.update(kind=kind, halves=kind in ("layers", "bolt", "bath"), element=r.choice(list(SIZES)), element2=r.choice(list(SIZES)), order=r.choice([1, 1, 2]),
             two=kind in ("tie", "tie at finite strain", "bodies", "friction", "press"), cells=[r.randint(2, 3) for _ in range(3)],
             cells2=[r.randint(2, 4) for _ in range(3)], size=[r.uniform(0.8, 2) for _ in range(3)], cover=r.uniform(0.6, 0.85),
             young=r.uniform(50, 500), poisson=r.uniform(0.1, 0.42), v=[r.uniform(-1, 1) for _ in range(3)], w=[r.uniform(-1, 1) for _ in range(3)])
    return d


def material(d, view, young):
    kind = d["kind"]
    text = "young: %s, poisson: %r, density: %r" % (view.stress(young), d["poisson"], 0.01 * view.force * view.time**2 / view.length**4)
    if kind.startswith("metal"):
        return "type: plastic, %s, yield: [[0, %s], [0.1, %s]]" % (text, view.stress(0.003 * young), view.stress(0.02 * young))
    if kind in LARGE:
        return "type: neo-hooke, " + text
    if kind == "memory":
        return "type: viscoelastic, %s, prony: [[0.4, %r]]" % (text, 0.5 * view.time)
    if kind not in ("orthotropic", "heated"):
        return text
    moduli = [view.stress(young * c) for c in (1, 0.5, 0.7, 0.3, 0.25, 0.2)]
    return "type: orthotropic, axes: {x: %s, y: %s}, young: [%s], poisson: [0.2, 0.25, 0.15], shear: [%s]%s" % (
        view.vector([1, 0, 0]), view.vector([0, 1, 0]), ", ".join(moduli[:3]), ", ".join(moduli[3:]),
        ", expansion: [1e-3, 2e-3, 5e-4]" if kind == "heated" else "")


def acts(d, view):
    """Entries of `boundary`, and what else the case has."""
    kind, young, h = d["kind"], d["young"], d["size"][0]
    pull = "traction: " + view.vector([0.004 * young * c for c in d["v"]], view.force / view.length**2)
    rows, more = ["{on: ax0, fix: all}"], ""
    if kind in ("static", "finite", "transient", "motion", "orthotropic", "tie", "tie at finite strain", "memory", "springs", "layers"):
        rows.append("{on: %s, %s}" % ("bx1" if d["two"] else "ax1", pull))
    if kind == "springs":
        rows[0] = "{on: ax0, spring: %r}" % (young * view.force / view.length**3)
    if kind.startswith("metal"):
        rows.append("{on: ax1, traction: %s}" % view.vector([0.0045 * young, 2e-4 * young * d["v"][1], 2e-4 * young * d["v"][2]], view.force / view.length**2))
    if kind.startswith("rigid"):
        at = [1.1 * h, 0.4 * d["size"][1], 0.6 * d["size"][2]]
        rows.append("{on: ax1, rigid: {at: %s, force: %s, moment: %s}}" % (
            view.place(at), view.vector([0.002 * young * c for c in d["v"]], view.force), view.vector([0.002 * young * c for c in d["w"]], view.force * view.length)))
    if kind == "follower":
        rows.append("{on: ay1, pressure: %s, follower: true}" % view.stress(0.01 * young * d["a"]))
    if kind == "centrifugal":
        more += "body: [{on: a, centrifugal: {origin: %s, axis: %s, speed: %r}}]\n" % (view.place([-0.5, 0.2, 0.1]), view.vector([0.1, 0.2, 1]), 0.4 / view.time)
    if kind == "heated":
        more += "thermal: {temperature: %r, reference: 0}\n" % d["c"]
    if kind == "spread":
        rows.append("{on: ax1, distribute: {at: %s, force: %s, moment: %s}}" % (
            view.place([1.2 * h, 0.3, 0.4]), view.vector([0.002 * young * c for c in d["v"]], view.force), view.vector([0.002 * young * c for c in d["w"]], view.force * view.length)))
    if kind == "bolt":
        rows.append("{on: ax1, fix: all}")
        more += "bolts: [{on: cut, axis: %s, preload: %r}]\n" % (view.vector([1, 0, 0]), 0.004 * young * d["size"][1] * d["size"][2] * view.force)
    if kind in ("ball", "shaft"):
        centre, radius = [h * 1.001 + 3, 0.5 * d["size"][1], 0.4 * d["size"][2]], 3 * view.length
        move = ", ".join('"%r*t"' % (view.length / view.time * c) for c in view.to([-0.01 * h, 0.002 * h * d["v"][1], 0.003 * h]))
        shape = "sphere: {at: %s" % view.place(centre) if kind == "ball" else "cylinder: {at: %s, axis: %s" % (view.place(centre), view.vector([0.02, 0.1, 1]))
        more += "contact: [{on: ax1, against: {%s, radius: %r, move: [%s]}}, friction: %r}]\n" % (shape, radius, move, 0.2 * d["b"])
    if kind == "press":
        rows.append("{on: bx1, fix: all}")
        more += "contact: [{on: bx0, against: ax1, interference: %r}]\n" % (0.005 * h * d["a"] * view.length)
    if kind.startswith("obstacle"):
        move = ", ".join('"%r*t"' % (view.length / view.time * c) for c in view.to([-0.015 * h, 0.004 * h * d["v"][1], 0.003 * h]))
        more += "contact: [{on: ax1, against: {plane: {at: %s, normal: %s, move: [%s]}}, friction: %r}]\n" % (
            view.place([1.001 * h, 0, 0]), view.vector([-1, 0.01, 0.02]), move, 0.2 * d["b"])
    if kind.startswith("tie"):
        rows.append("{on: bx0, tie: ax1}")
    if kind in ("bodies", "friction"):
        way = view.to([-0.012 * h, 0.003 * h * d["v"][1] if kind == "friction" else 0, 0])
        rows.append("{on: bx1, fix: {%s}}" % ", ".join("%s: %r" % (c, view.length * w) for c, w in zip("xyz", way)))
        more += "contact: [{on: bx0, against: ax1%s}]\n" % (", friction: %r" % (0.3 * d["b"]) if kind == "friction" else "")
    times = {"memory": 0.25, "transient": 0.1, "motion": 0.1}
    steps = kind.startswith(("metal", "obstacle")) or kind in ("bolt", "press", "ball", "shaft") or kind in times or (kind in LARGE) or kind in ("bodies", "friction")
    more += "analysis: {type: transient}\n" if kind in ("transient", "motion") else "analysis: {type: modal, modes: 4}\n" if kind == "modes" else ""
    return rows, more + ("time: {end: %r, step: %r}\n" % (view.time, times.get(kind, 0.5) * view.time) if steps else "")


def case(d, view):
    rows, more = acts(d, view)
    text = "version: 1\nmesh: {file: m.msh, order: %d}\nphysics: elasticity\nmodel: 3d\n%s" % (d["order"], "strain: finite\n" if d["kind"] in LARGE else "")
    text += "materials:\n  - {on: a, %s}\n" % material(d, view, d["young"])
    if d["two"] or d["halves"]:
        text += "  - {on: b, %s}\n" % material(d, view, d["young"] * d["b"])
    text += "boundary:\n" + "".join("  - %s\n" % row for row in rows) + more
    if d["kind"] == "modes":
        return text
    text += "output:\n  fields: [displacement, stress]\n  probes:\n"
    for k, share in enumerate([(0.63, 0.57, 0.41), (0.99, 0.31, 0.77)]):
        at = view.place([c * s for c, s in zip(share, d["size"])])
        for field in ("displacement-x", "displacement-y", "displacement-z", "von-mises"):
            text += "    - {name: %s-%d, at: %s, field: %s}\n" % (field, k, at, field)
    return text


def answer(command, folder, d, view):
    """Rows of numbers in the frame and the units of the body as it is, or what the program said."""
    os.makedirs(folder)
    write_mesh(os.path.join(folder, "m.msh"), d, view)
    with open(os.path.join(folder, "case.yaml"), "w") as f:
        f.write(other(d, view) if d["kind"] in OTHERS else case(d, view))
    command = command + ["run", os.path.join(folder, "case.yaml"), "--quiet", "--output", os.path.join(folder, "results")]
    command += ["--backend", view.backend] + ([] if d["kind"] == "front" else ["--set", "solver.rtol=1e-10"])
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        return None, "exit %d: %s" % (done.returncode, done.stdout.strip()[:400])
    name = "modes.csv" if d["kind"] == "modes" else "probes.csv"
    with open(os.path.join(folder, "results", name)) as f:
        table = [[float(c) for c in row] for row in list(csv.reader(f))[1:]]
    if d["kind"] == "modes":
        return [[row[1] * view.time for row in table]], ""
    if d["kind"] in OTHERS and d["kind"] != "muscle":
        return [row[1:] for row in table], ""
    if d["kind"] == "muscle":
        return [[c for k in (1, 4) for c in view.back(row[k : k + 3])] for row in table], ""
    rows = []
    for row in table:
        rows.append([])
        for k in (1, 5):
            rows[-1] += [c / view.length for c in view.back(row[k : k + 3])] + [row[k + 3] * view.length**2 / view.force]
    return rows, ""


def apart(a, b, is_vector):
    """The largest difference, of vectors as part of the largest component and of others of the largest number of a column."""
    worst = 0.0 if len(a) == len(b) else math.inf
    for first, n in ([(0, 3), (3, 1), (4, 3), (7, 1)] if is_vector else [(k, 1) for k in range(len(a[0]))]):
        of = max(abs(c) for row in a for c in row[first : first + n])
        off = max(abs(p - q) for x, y in zip(a, b) for p, q in zip(x[first : first + n], y[first : first + n]))
        worst = max(worst, off / of if of > 0 else off)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinew")
    parser.add_argument("--cases", type=int, default=2 * len(KINDS + OTHERS))
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--ranks", type=int, default=1)
    args = parser.parse_args()
    alone = [os.path.abspath(args.sinew)]
    many = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(args.ranks)] + alone if args.ranks > 1 else alone
    refused = 0
    r, begin, tried, bad = random.Random(args.seed), time.time(), 0, 0
    print("seed %d" % args.seed)
    with tempfile.TemporaryDirectory() as folder:
        while tried < args.cases and time.time() - begin < args.seconds:
            kind = (KINDS + OTHERS)[tried % len(KINDS + OTHERS)]
            d, pair = draw(r, kind), []
            if args.ranks > 1:  # as many nodes as they need
                d["cells"] = [c * (4 if d["order"] > 1 and kind in KINDS else 7) for c in d["cells"]]
            views = (View(), View(r, kind not in OTHERS))
            views[1].backend = args.backend
            for k, view in enumerate(views):
                pair.append(answer(many if k else alone, os.path.join(folder, "%d-%d" % (tried, k)), d, view))
            tried += 1
            if args.ranks > 1 and pair[0][0] is not None and "several processes" in pair[1][1]:
                refused += 1
                continue
            one, two = pair[0][0], pair[1][0]
            off = math.inf if one is None or two is None else apart(one, two, kind in KINDS and kind != "modes")
            most = TOLERANCE.get(kind, 1e-6)
            if off > (most if args.backend == "cpu" else ON_A_GPU.get(kind, most)):
                bad += 1
                print("case %d, %s: %g apart  %s  %s\n%s" % (tried - 1, kind, off, pair[0][1], pair[1][1], json.dumps(d)))
    print("%d cases, %d differ%s" % (tried, bad, ", %d refused by several processes" % refused if refused else ""))
    return 1 if bad or not tried else 0


sys.exit(main())
