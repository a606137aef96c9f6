#!/usr/bin/env python3
"""Random decks (decks.py, each eighth of changes.py) by CalculiX and by Sinew, table by table.

    tests/differential/differ.py build/sinew [--decks 60] [--seed N] [--seconds S] [--jobs N] [--keep FOLDER]

Prints the seed of the run, and for each deck that differs its own seed and the smallest deck that still differs in the same
table. What may differ is MAY below, each row with its reason. 2,000 decks: tests/differential/many.sh build/sinew. Exit 1
where a deck differs beyond its row or is refused beyond REFUSED, 77 where there is no ccx."""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import calculix_suite as suite  # noqa: E402
import changes  # noqa: E402
import decks  # noqa: E402

SAME = 2e-6  # of the largest value of a table, which both print with seven digits
# Below these a table of these decks is round-off: loads are of the size of 1, moduli 1e5.
FLOOR = {"displacements": 1e-9, "forces": 1e-2, "total force": 1e-1, "stresses": 1e-2, "strains": 1e-7, "velocities": 1e-6,
         "internal energy": 1e-9, "total internal energy": 1e-9, "internal energy density": 1e-9, "temperatures": 1,
         "heat generation": 1, "heat flux": 1}
# What may differ: words that the deck has (all of them), the tables, by how much at most, and why. The first row that fits counts.
POINTS = "stresses|strains|density|flux"
TIMED = r"^\*(DYNAMIC|FREQUENCY|MODAL DYNAMIC|STEADY STATE)"
MAY = [
    (["TYPE=(SPRING|DASHPOT)"], "forces|total force", float("inf"), "another quantity: forces at ends of springs are those of the solid elements here; of SPRINGA CalculiX prints such about a line that has turned"),
    ([r"C3D6\b"], "", 9, "C3D6 has 2 integration points in CalculiX (one in the triangle), 6 here"),
    ([r"C3D15\b"], POINTS, 3, "points of C3D15 are others: 9 in CalculiX"),
    ([r"C3D15\b", TIMED], "velocities", 3, "9 points of C3D15 integrate its mass otherwise: most of all the shortest waves, which velocities show"),
    ([r"C3D15\b", TIMED], "", 1, "9 points of C3D15 integrate its mass otherwise"),
    ([r"C3D15\b"], "", 2, "C3D15 has 9 integration points in CalculiX, which are not enough for its stiffness"),
    ([r"C3D4\b", TIMED], "", 3, "CalculiX takes one point for the mass of C3D4"),
    ([r"C3D10\b", TIMED], "", 3, "CalculiX takes four points for the mass of C3D10"),
    (["^\\*TIE, NAME=APART"], "forces", 2, "CalculiX gives no force to nodes of the second surface beside which no node of the first lies, mortar ties do"),
    (["^\\*TIE, NAME=APART"], POINTS + "|energy", 1.5, "as of displacements below, next to the tie"),
    (["^\\*TIE, NAME=APART"], "", 0.6, "nodes that meet no nodes: CalculiX moves each as the nearest place, mortar ties here bear constant stress"),
    ([r"C3D4\b", "CENTRIF"], "", 0.2, "CalculiX takes one point for the centrifugal force of C3D4"),
    ([r"C3D10\b", "CENTRIF"], "", 0.1, "CalculiX takes four points for the centrifugal force of C3D10"),
    ([r"DC3D(4|10)\b"], "", 0.3, "CalculiX takes one point in DC3D4 and four in DC3D10 for the capacity, and too few on faces for *FILM"),
    (["CPS[3468]", "HEAT TRANSFER"], "", 0.2, "CPS become solid elements, of which those of wedges have 1 and 3 points for the capacity"),
    ([r"CPE[36]\b", "HEAT TRANSFER"], "", 0.2, "CPE3 and CPE6 become wedges, with 1 and 3 points for the capacity"),
    ([r"CPE[36]\b", "CENTRIF"], "", 0.2, "CPE3 and CPE6 become wedges, with 1 and 3 points for the centrifugal force"),
    (["CPS[3468]", r"^\*TEMPERATURE"], "energy", 5, "as of stresses below, squared"),
    (["CPS[3468]", r"^\*TEMPERATURE"], POINTS, 2, "CPS become solid elements of one thickness at a node, where temperatures vary too"),
    (["CPS[3468]", "HYPERELASTIC"], "displacements", 0.5, "CPS become solid elements, whose thickness does not follow the stress within one"),
    (["CPS[3468]", r"^\*PLASTIC"], "", 3, "as below, of what is left when a load goes"),
    (["CPS[3468]"], "", 1, "CPS become solid elements whose thickness varies"),
    (["CAX[3468]"], "forces", 9, "CAX become solid elements of a wedge of 2 degrees, whose forces across the axis are other components"),
    (["CAX[3468]"], "", 1.5, "CAX become solid elements of a wedge of 2 degrees"),
    (["NLGEOM", r"^\*PLASTIC"], "", 3e-2, "logarithms here, an energy of neo-Hooke in CalculiX"),
    ([r"^\*DYNAMIC", r"^\*BOUNDARY, AMPLITUDE"], "", 9, "CalculiX leaves out the inertia that a moved node lends its neighbours"),
    ([r"^\*DYNAMIC"], "velocities|stresses", 9, "CalculiX finds the acceleration at the beginning of elements of second order by another mass: what short steps of sudden loads have just begun to move"),
    ([r"^\*DYNAMIC"], "", 0.7, "as of velocities above, later"),
    ([r"^\*BUCKLE", "TYPE=SPRING"], "modes", 9, "CalculiX' factors beside springs are wrong: a column, held by one, has half of its own (docs/calculix.md)"),
    ([r"^\*STEP, PERTURBATION", "TYPE=SPRING"], "modes", 2e-2, "the force of a spring along a line gives no stiffness across it here"),
    (["^\\*STEP, PERTURBATION"], "modes", 1e-3, "CalculiX counts the gradient of the static displacement in the stiffness"),
    ([r"^\*MPC\nPLANE"], "", 2e-2, "PLANE is linear here, about the body as it was"),
    ([r"^\*TEMPERATURE"], POINTS, 1e-5, "CalculiX leaves 1e-7 of the stress of a hindered body in one that expands freely, where it is 0"),
    (["NLGEOM", "HYPERELASTIC"], "", 0.3, "CalculiX ends its iterations sooner"),
    (["NLGEOM"], "", 5e-3, "CalculiX ends its iterations sooner"),
    (["^\\*DISTRIBUTING"], "", 3, "beside other forces CalculiX loses moments of the reference node: the balance holds here"),
    ([r"TYPE=SPRINGA", r"\*STATIC[\s\S]*\*STATIC"], "", 2e-3, "in later steps CalculiX' springs go along the line that they had at the end of the last"),
    ([""], "modes", 1e-5, "CalculiX' eigenvalues have six digits"),
]
# What Sinew may refuse of a valid deck: words of its line, and why.
REFUSED = [
    ("calls more than 16 tables", "of supports that follow amplitudes in nine steps and more"),
    ("supports of transformed nodes that change from step to step", "written so in docs/calculix.md"),
]

Outcome = collections.namedtuple("Outcome", "what table worst why")


def run(words, folder, seconds=60):
    try:
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=seconds, errors="replace",
                              env=dict(os.environ, OMP_NUM_THREADS="1", SINEW_CACHE=str(folder)))
    except subprocess.TimeoutExpired:
        return None


def faces_of(lines):
    """Of the rows of *DLOAD with a pressure."""
    card, out = "", []
    for line in lines:
        card = line if line.startswith("*") else card
        words = [w.strip() for w in line.split(",")]
        if card.startswith("*DLOAD") and line is not card and re.fullmatch(r"P\d", words[1]):
            out.append((words[0], words[1]))
    return out


def for_calculix(text):
    """Its iterations end where ours do, and faces of later steps have 0 in the first one: of a face that a later step loads and
    the first does not, CalculiX 2.20 takes the old value of its neighbour in the list, and shifts the old values of those behind."""
    if "NLGEOM" not in text and "*PLASTIC" not in text:
        return text
    lines = text.splitlines(keepends=True)
    steps = [i for i, line in enumerate(lines) if line.startswith("*STEP")]
    at, behind = steps[0], steps[1] if len(steps) > 1 else len(lines)
    first = set(faces_of(lines[:behind]))
    late = [f for f in dict.fromkeys(faces_of(lines[behind:])) if f not in first]
    static = next((i for i in range(at, behind) if lines[i].startswith("*STATIC")), at)
    acts = next((i for i in range(static + 1, behind) if lines[i].startswith("*")), behind)
    zero = "".join(["*DLOAD\n"] * bool(late) + [f"{e}, {p}, 0.\n" for e, p in late])
    tight = "*CONTROLS, PARAMETERS=FIELD\n1e-9, 1e-9\n"
    return "".join(lines[:at + 1]) + tight + "".join(lines[at + 1:acts]) + zero + "".join(lines[acts:])


def by_calculix(text, folder):
    (folder / "c.inp").write_text(for_calculix(text))
    for old in ("c.dat",):
        (folder / old).unlink(missing_ok=True)
    done = run(["ccx", "c"], folder)
    if not done or done.returncode or "*ERROR" in done.stdout or not (folder / "c.dat").exists():
        said = re.search(r"\*ERROR.*(?:\n.*){0,2}", done.stdout) if done else None
        return None, said[0].replace("\n", " ") if said else "no .dat"
    return (folder / "c.dat").read_text(errors="replace"), ""


def by_sinew(program, text, folder):
    (folder / "s.inp").write_text(text)
    shutil.rmtree(folder / "out", ignore_errors=True)
    words = [program, "run", "s.inp", "--output", "out", "--overwrite", "--backend", "cpu"]
    if "HYPERELASTIC" in text or "*PLASTIC" in text:  # which locks, as CalculiX' elements do; what Sinew takes without it keeps the volume in the mean
        words += ["--set", "formulation=displacement"]
    done = run(words + ["--set", "solver.rtol=1e-11"], folder)
    if done and done.returncode == 6:
        done = run(words, folder)
    if not done or done.returncode:
        said = [x for x in done.stderr.splitlines() if x and not x.startswith(("warning", " "))] if done else ["longer than 60 s"]
        return None, (said or ["nothing said"])[0], done.returncode if done else -1
    dat, modes = folder / "out" / "s.dat", folder / "out" / "modes.csv"
    return (dat.read_text() if dat.exists() else "", modes.read_text() if modes.exists() else ""), done.stderr, 0


def worst_of(text, ours, theirs):
    """[(table, difference)] of all that CalculiX printed, times in the heads included."""
    out = []
    dat, modes = ours
    if modes:
        mine = [float(x.split(",")[1]) for x in modes.splitlines()[1:]]
        right = suite.frequencies(theirs)
        n = min(len(mine), len(right))
        out.append(("modes", max([abs(a - b) / max(abs(b), 1e-30) for a, b in zip(mine, right)] or [9.0]) if n else 9.0))
    mine, right = suite.tables(dat), suite.tables(theirs)
    for (head, name), times in right.items():
        if not any(rows for _, rows in times):
            continue
        if (head, name) not in mine:
            out.append((head, 9.0))
            continue
        got = mine[head, name]
        if len(got) > len(times) and got[0][0] == 0:
            got = got[1:]
        if "CAX" in text and re.search("forces|force|internal energy$|volume|generation", head):
            times = [(t, {k: [180 * v for v in row] for k, row in rows.items()}) for t, rows in times]  # of 2 of 360 degrees
        if "CPS" in text and head == "displacements":  # across the plane it is 0, which CalculiX leaves soft
            times = [(t, {k: row[:2] for k, row in rows.items()}) for t, rows in times]
        pairs = list(zip(got, times)) if len(got) == len(times) else suite.pairs(got, times)
        if len(got) < len(times) and "steps" not in head:
            pairs = pairs[-1:] if len(got) == 1 else pairs
        most = max([abs(v) for _, rows in times for line in rows.values() for v in line] + [FLOOR.get(head, 0)])
        for (mine_at, a), (at, b) in pairs:
            out.append(("times", abs(mine_at - at) / max(abs(at), 1e-30)))
            d = suite.difference(a, b, most)
            out.append((head, d[0] if d else 9.0))
    return out


def row_of(text, table):
    if table == "times" and "*STEADY STATE" not in text:  # whose frequencies are those of modes and between them
        return SAME, ""
    for words, tables, limit, why in MAY:
        if all(re.search(w, text, re.M) for w in words) and re.search(tables, table):
            return limit, why
    return SAME, ""


def judge(program, text, folder):
    """Outcome of a deck: agrees, differs, refused, invalid (CalculiX does not run it)."""
    theirs, said = by_calculix(text, folder)
    if theirs is None:
        return Outcome("invalid", "", 0, said)
    ours, said, code = by_sinew(program, text, folder)
    if ours is None:
        if code not in (3, 4):
            return Outcome("differs", "exit", 9.0, f"exit {code}: {said}")
        why = next((why for words, why in REFUSED if re.search(words, said)), None)
        return Outcome("refused" if why else "differs", "refused", 9.0, said)
    worst = Outcome("agrees", "", 0.0, "")
    allowed = ""
    for table, difference in worst_of(text, ours, theirs):
        limit, why = row_of(text, table)
        if difference > limit and (worst.what == "agrees" or difference > worst.worst):
            worst = Outcome("differs", table, difference, why)
        if worst.what == "agrees" and difference > SAME:
            allowed = why
    return worst if worst.what == "differs" or not allowed else Outcome("allowed", "", 0.0, allowed)


def rows_of(lines, a, b):
    """Rows of data of a card, of which a comma at the end goes on in the next line."""
    rows, at = [], a + 1
    while at < b:
        end = at + 1
        while end < b and lines[end - 1].rstrip().endswith(","):
            end += 1
        rows.append((at, end))
        at = end
    return rows


def pruned(lines):
    """Without nodes that no element has, also in sets."""
    used, keep, out, card = set(), [], [], ""
    for line in lines:
        card = line if line.startswith("*") else card
        if card.startswith(("*ELEMENT", "*EQUATION", "*MPC")) and line is not card:
            used |= set(re.findall(r"\b\d+\b(?![.e])", line))
        used |= set(re.findall(r"NODE=(\d+)", line))
    for line in lines:
        card = line if line.startswith("*") else card
        if card.startswith("*NODE,") and line is not card and line.split(",")[0] not in used:
            continue
        if card.startswith("*NSET") and line is not card:
            keep = [w for w in re.findall(r"\d+", line) if w in used]
            line = ", ".join(keep) + "\n" if keep else ""
        out.append(line)
    return [line for line in out if line]


def shrink(program, text, folder, table, seconds=60):
    """The smallest deck that still differs in that table, by leaving out cards and rows."""
    end = time.time() + seconds

    def differs(lines):
        try:
            got = judge(program, "".join(lines), folder) if time.time() < end else None
        except (ValueError, IndexError, KeyError, subprocess.TimeoutExpired):  # tables of a deck that was cut apart
            return False
        return got and got.what == "differs" and got.table == table

    def cards(lines):
        at = [i for i, line in enumerate(lines) if line.startswith("*")] + [len(lines)]
        return [(a, b) for a, b in zip(at, at[1:])]

    lines, size = text.splitlines(keepends=True), None
    while size != len(lines) and time.time() < end:
        size = len(lines)
        for a, b in reversed(cards(lines)):
            if differs(lines[:a] + lines[b:]):
                lines = lines[:a] + lines[b:]
        for a, b in reversed(cards(lines)):
            if lines[a].startswith(("*NODE,", "*MATERIAL", "*STEP", "*END")):
                continue
            step = max(1, len(rows_of(lines, a, b)))
            while step >= 1 and time.time() < end:
                i = 0
                while i < len(rows_of(lines, a, b)) and time.time() < end:
                    rows = rows_of(lines, a, b)[i:i + step]
                    rest = lines[:rows[0][0]] + lines[rows[-1][1]:]
                    if differs(rest) or (lines[a].startswith("*ELEMENT") and differs(pruned(rest))):
                        b -= rows[-1][1] - rows[0][0]
                        lines = rest
                    else:
                        i += step
                step //= 2
        if differs(pruned(lines)):
            lines = pruned(lines)
    return "".join(lines)


def one(program, seed, room):
    folder = Path(room) / str(seed)
    folder.mkdir()
    try:
        text = (changes if seed % 8 == 7 else decks).deck(seed)
        return seed, text, judge(program, text, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("program")
    ask.add_argument("--decks", type=int, default=60)
    ask.add_argument("--seed", type=int, help="of the run; deck k has the seed SEED * 100000 + k")
    ask.add_argument("--only", type=int, help="one deck by its own seed")
    ask.add_argument("--seconds", type=float, default=1e9, help="begins no deck after this time")
    ask.add_argument("--jobs", type=int, default=os.cpu_count())
    ask.add_argument("--keep", type=Path, help="folder for decks that differ, whole and shrunk")
    ask.add_argument("--no-shrink", action="store_true")
    ask.add_argument("--most", type=int, default=0, help="as many may differ, which are printed all the same")
    o = ask.parse_args()
    if not shutil.which("ccx"):
        print("skipped: no CalculiX (apt-get install calculix-ccx)")
        return 77
    program = str(Path(o.program).resolve())
    seed = o.seed if o.seed is not None else int(time.time()) % 1000000
    seeds = [o.only] if o.only is not None else [seed * 100000 + k for k in range(o.decks)]
    print(f"seed {seed}, {len(seeds)} decks", flush=True)
    count, why, wrong = collections.Counter(), collections.Counter(), []
    begin = time.time()
    with tempfile.TemporaryDirectory() as room, concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        def task(k):
            return one(program, k, room) if time.time() - begin < o.seconds else None
        for got in pool.map(task, seeds):
            if not got:
                count["left out for time"] += 1
                continue
            k, text, outcome = got
            count[outcome.what] += 1
            if outcome.what in ("allowed", "invalid", "refused"):
                why[outcome.what, outcome.why[:150]] += 1
            if outcome.what != "differs":
                continue
            wrong.append((k, text, outcome))
            print(f"deck {k}: {outcome.table}: {outcome.worst:.2e} {outcome.why[:300]}", flush=True)
            if o.keep:
                o.keep.mkdir(parents=True, exist_ok=True)
                (o.keep / f"{k}.inp").write_text(text)
        for k, text, outcome in [] if o.no_shrink else wrong[:10]:
            folder = Path(room) / f"shrink-{k}"
            folder.mkdir()
            small = shrink(program, text, folder, outcome.table)
            print(f"---- deck {k}, {outcome.table} differs by {outcome.worst:.2e}; the smallest that does:\n{small}----", flush=True)
            if o.keep:
                (o.keep / f"{k}-small.inp").write_text(small)
    print(f"{len(seeds)} decks in {time.time() - begin:.0f} s: " + ", ".join(f"{n} {what}" for what, n in sorted(count.items())))
    for (what, text), n in sorted(why.items(), key=lambda x: -x[1]):
        print(f"  {n:4} {what}: {text}")
    return 1 if len(wrong) > o.most else 0


if __name__ == "__main__":
    sys.exit(main())
