"""python3 compare.py PROGRAM [FOLDER]: runs the deck.inp of this or that folder and holds its tables against reference.dat there,
which CalculiX 2.20 wrote (5e-6 of the largest value)."""
import os
import subprocess
import sys
import tempfile


def tables(path):
    found = []
    for line in open(path):
        words = line.split()
        if not words:
            continue
        if not words[0].isdigit():
            found.append([])
        else:  # behind the numbers of nodes, or of elements and points; the name of the axes is left out
            found[-1].append([float(w) for w in words if "." in w])
    return found


here = sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(os.path.abspath(__file__))
with tempfile.TemporaryDirectory() as work:
    folder = os.path.join(work, "results")
    subprocess.run([sys.argv[1], "run", os.path.join(here, "deck.inp"), "--output", folder, "--quiet", "--set", "solver.rtol=1e-10"], check=True)
    ours, theirs = tables(os.path.join(folder, "deck.dat")), tables(os.path.join(here, "reference.dat"))
assert len(ours) == len(theirs) == 2
for mine, other in zip(ours, theirs):
    assert len(mine) == len(other) > 8 and all(len(a) == len(b) > 2 for a, b in zip(mine, other))
    largest = max(abs(v) for row in other for v in row)
    worst = max(abs(a - b) for p, q in zip(mine, other) for a, b in zip(p, q)) / largest
    print(f"{len(other)} rows, worst difference {worst:.1e} of the largest value, {largest:g}")
    if worst > 5e-6:
        sys.exit(1)
