"""python3 check.py PROGRAM [CCX]: `sinew convert FOLDER x.frd` against files of CalculiX 2.20. kinds.frd is what it wrote of kinds.inp,
less the lines about the host and the hour: numbers and nodes of elements are the same text, fields the same numbers to 1e-4 of the
largest (CalculiX extrapolates with six digits). The heads of modes, load cases and times, and what cubic elements become, are checked
by themselves; where CCX is there it solves the decks with steps, modes and buckling as well."""
import math
import os
import shutil
import subprocess
import sys
import tempfile


def rows(lines, at):
    found = []
    while not lines[at].startswith(" -3"):
        found.append(lines[at])
        at += 1
    return found, at


def number(line, k):
    return float(line[13 + 12 * k : 25 + 12 * k])


def read(path):
    """Nodes and elements as text, and a list of blocks: step, time, kind, name, components, {node: values}."""
    lines, file, head = [l.rstrip("\n") for l in open(path)], {"blocks": []}, None
    at = 0
    assert lines[0].startswith("    1C") and lines[-1].rstrip() == " 9999", path
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("    2C"):
            file["nodes"], at = rows(lines, at)
            assert int(line[6:36]) == len(file["nodes"])
        elif line.startswith("    3C"):
            file["elements"], at = rows(lines, at)
            assert int(line[6:36]) == sum(l.startswith(" -1") for l in file["elements"])
        elif line.startswith("    1PSTEP"):
            step = [int(w) for w in line[10:].split()]
        elif line.startswith("  100CL"):
            head = (float(line[12:24]), int(line[56:58]), line[63:73].strip(), int(line[58:63]), line[73:75])
            assert head[4] == " 1" and int(line[24:36]) == len(file["nodes"])
        elif line.startswith(" -4"):
            parts = [l for l in lines[at : at + 8] if l.startswith(" -5")]
            at += len(parts)
            data, at = rows(lines, at)
            n = len([p for p in parts if "ALL" not in p])
            values = {int(l[3:13]): [number(l, k) for k in range(n)] for l in data}
            file["blocks"].append((step, head, line[5:13].strip(), parts, values))
    return file


def same_numbers(mine, theirs, tolerance):
    largest = max(abs(v) for row in theirs.values() for v in row)
    assert mine.keys() == theirs.keys()
    worst = max(abs(a - b) for node in theirs for a, b in zip(mine[node], theirs[node]))
    assert worst <= tolerance * largest, f"{worst} of {largest}"
    return worst / largest


def run(program, folder, deck, fields=None):
    out = os.path.join(folder, "results")
    shutil.rmtree(out, ignore_errors=True)
    more = ["--set", f"output.fields={fields}"] if fields else []
    subprocess.run([program, "run", deck, "--output", out, "-q", "--backend", "cpu", *more], check=True, stderr=subprocess.DEVNULL)
    frd = os.path.join(folder, "mine.frd")
    said = subprocess.run([program, "convert", os.path.join(out, "results.hdf"), frd, "--overwrite"], check=True, capture_output=True, text=True)
    return read(frd), said.stderr


def kinds(program, here, folder):
    mine, _ = run(program, folder, os.path.join(here, "kinds.inp"), "[displacement, stress, strain, reaction, von-mises]")
    theirs = read(os.path.join(here, "kinds.frd"))
    assert mine["nodes"] == theirs["nodes"] and mine["elements"] == theirs["elements"]
    blocks = {b[2]: b for b in mine["blocks"]}
    for step, head, name, parts, values in theirs["blocks"]:
        if name == "ERROR":
            continue
        assert blocks[name][1] == head and blocks[name][3] == parts, name
        print(name, same_numbers(blocks[name][4], values, 1e-4))
    assert list(blocks) == ["DISP", "STRESS", "TOSTRAIN", "FORC"]


CASE = """version: 1
mesh: {grid: %s, size: [2, 1, 1], element: %s, order: %d}
physics: elasticity
model: 3d
materials: [{on: body, young: 1000, poisson: 0.25, density: 1}]
"""
LOADED = "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}]\n"
MODES = "boundary: [{on: x0, fix: all}]\nanalysis: {type: modal, modes: 3}\n"
CASES = "boundary: [{on: x0, fix: all}]\nload-cases: [{name: half, boundary: [{on: x1, traction: [0.5, 0, 0]}]}, {name: whole, boundary: [{on: x1, traction: [1, 0, 0]}]}]\n"
MOTION = LOADED + "analysis: {type: transient}\ntime: {end: 0.2, step: 0.1}\n"


def case(program, folder, more, element="hex8", order=1, grid="[3, 2, 2]"):
    path = os.path.join(folder, "case.yaml")
    open(path, "w").write(CASE % (grid, element, order) + more)
    return run(program, folder, path)


def heads(program, folder):
    modes, _ = case(program, folder, MODES)
    found = [b[1] for b in modes["blocks"] if b[2] == "DISP"]
    assert [h[1:4] for h in found] == [(2, "MODAL", k) for k in (1, 2, 3)] and 0 < found[0][0] < found[2][0]
    steps, _ = case(program, folder, CASES)
    disp = [b for b in steps["blocks"] if b[2] == "DISP"]
    assert [b[0][1:] for b in disp] == [[1, 1], [1, 2]] and [b[1][:2] for b in disp] == [(1, 0), (2, 0)], disp
    half, whole = (max(abs(v[0]) for v in b[4].values()) for b in disp)
    assert abs(whole / half - 2) < 1e-4
    motion, _ = case(program, folder, MOTION)
    disp = [b for b in motion["blocks"] if b[2] == "DISP"]
    assert [b[1][0] for b in disp] == [0.1, 0.2] and [b[0][1:] for b in disp] == [[1, 1], [2, 1]]  # not what it begins with
    frd = os.path.join(folder, "one.frd")
    subprocess.run([program, "convert", os.path.join(folder, "results"), frd, "--step", "2"], check=True, stdout=subprocess.DEVNULL)
    one = [b for b in read(frd)["blocks"] if b[2] == "DISP"]
    assert len(one) == 1 and one[0][4] == disp[0][4]


def volume(x, nodes):
    a = [[x[n][k] - x[nodes[0]][k] for k in range(3)] for n in nodes[1:4]]
    return sum(a[0][i] * (a[1][(i + 1) % 3] * a[2][(i + 2) % 3] - a[1][(i + 2) % 3] * a[2][(i + 1) % 3]) for i in range(3)) / 6


def cubic(program, folder):
    """Linear pieces fill the body, each turned the right way."""
    frd, said = case(program, folder, LOADED + "output: {fields: [displacement, strain-energy]}\n", "tet4", 3)
    assert "without 'strain-energy'" in said
    x = {int(l[3:13]): [number(l, k) for k in range(3)] for l in frd["nodes"]}
    elements = [l for l in frd["elements"]]
    assert all(int(l[13:18]) == 3 for l in elements[::2])
    volumes = [volume(x, [int(w) for w in l[3:].split()]) for l in elements[1::2]]
    assert min(volumes) > 0 and math.isclose(sum(volumes), 2, rel_tol=1e-4), (min(volumes), sum(volumes))
    assert [int(l[3:13]) for l in elements[::2]] == list(range(1, len(volumes) + 1))


HEART = """version: 1
mesh: {grid: [13, 3, 2], size: [12, 2, 1]}
physics: monodomain
tissue: [{on: body, ionic: {model: aliev-panfilov}, diffusivity: 1}]
stimuli: [{on: x0, depth: 2, duration: 2, amplitude: 50}]
time: {end: 10, step: 0.1}
output: {every: 5, fields: [potential, recovery], maps: [activation]}
"""


def heart(program, folder):
    """Scalars at nodes for readers that know none of them; times in ms, maps once, and the numbers that .dat has."""
    path = os.path.join(folder, "case.yaml")
    open(path, "w").write(HEART)
    frd, said = run(program, folder, path)
    assert "no name" not in said, said
    assert [(b[2], b[1][0]) for b in frd["blocks"]] == [("POT", 5), ("RECOVERY", 5), ("POT", 10), ("RECOVERY", 10), ("ACTIVATE", 10)], [b[:3] for b in frd["blocks"]]
    for field, block in (("potential", frd["blocks"][2]), ("activation", frd["blocks"][4])):
        out = os.path.join(folder, field + ".dat")
        subprocess.run([program, "convert", os.path.join(folder, "results"), out, "--field", field], check=True, stdout=subprocess.DEVNULL)
        wanted = [float(w) for w in open(out)]
        assert len(block[3]) == 1 and len(set(wanted)) > 3
        same_numbers(block[4], {n + 1: [v] for n, v in enumerate(wanted)}, 1e-5)


STEPS = "*STEP\n*STATIC\n*CLOAD\n868, 1, 2.\n865, 2, 1.\n*NODE FILE\nU, RF\n*EL FILE\nS\n*END STEP\n*STEP\n*STATIC\n*CLOAD\n868, 1, 5.\n*END STEP\n"
FIELDS = "[displacement, stress, reaction]"
FREQUENCY = "*STEP\n*FREQUENCY\n2\n*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n"
BUCKLE = "*STEP\n*BUCKLE\n2\n*CLOAD\n871, 3, -1.\n862, 3, -2.\n*NODE FILE\nU\n*END STEP\n"


def against_ccx(program, ccx, here, folder):
    """The hexahedron of 8 nodes alone, whose stress both extrapolate in one way; modes have a sign of their own."""
    text = open(os.path.join(here, "kinds.inp")).read()
    nodes = [l for l in text.split("*ELEMENT")[0].splitlines() if l.startswith("8")]
    element = text.split("TYPE=C3D8, ELSET=BODY\n")[1].split("*ELEMENT")[0]
    head = "*NODE, NSET=ALL\n" + "\n".join(nodes) + "\n*ELEMENT, TYPE=C3D8, ELSET=BODY\n" + element
    head += "*MATERIAL, NAME=STEEL\n*ELASTIC\n1000., 0.25\n*DENSITY\n1.\n*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*BOUNDARY\n"
    head += "".join(f"{n}, 1, 3\n" for n in (850, 853, 856, 859))
    for name, step in (("steps", STEPS), ("modes", FREQUENCY), ("buckling", BUCKLE)):
        deck = os.path.join(folder, name)
        open(deck + ".inp", "w").write(head + step)
        subprocess.run([ccx, name], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        theirs, (mine, _) = read(deck + ".frd"), run(program, folder, deck + ".inp", FIELDS if name == "steps" else None)
        blocks = [b for b in theirs["blocks"] if b[2] in (("DISP", "STRESS", "FORC") if name == "steps" else ("DISP",)) and not (name == "buckling" and b[1][3] == 1)]
        assert mine["elements"] == theirs["elements"]
        assert len(blocks) >= 2
        of_name = {}
        for b in blocks:
            k = of_name[b[2]] = of_name.get(b[2], -1) + 1
            other = [c for c in mine["blocks"] if c[2] == b[2]][k]
            assert abs(other[1][0] / b[1][0] - 1) < 1e-5 and other[1][1] == b[1][1], (other[1], b[1])
            if name == "steps":
                assert other[1][:4] == b[1][:4] and other[0][1:] == b[0][1:]
                if b[2] == "FORC":  # CalculiX has the loads in it as well
                    b = (*b[:4], {n: v for n, v in b[4].items() if n in (850, 853, 856, 859)})
                    other = (*other[:4], {n: other[4][n] for n in b[4]})
                print(name, b[2], same_numbers(other[4], b[4], 1e-4))
            elif b[2] == "DISP":
                largest = [max(abs(v) for r in f.values() for v in r) for f in (other[4], b[4])]
                assert name == "buckling" or abs(largest[0] / largest[1] - 1) < 1e-4, largest


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        kinds(sys.argv[1], here, folder)
        heads(sys.argv[1], folder)
        cubic(sys.argv[1], folder)
        heart(sys.argv[1], folder)
        ccx = sys.argv[2] if len(sys.argv) > 2 else shutil.which("ccx")
        if ccx:
            against_ccx(sys.argv[1], ccx, here, folder)
        else:
            print("skipped: no ccx")
