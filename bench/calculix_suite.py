#!/usr/bin/env python3
"""CalculiX' own test suite (Debian's calculix-ccx-test) through Sinew: every deck is run or refused.

    bench/calculix_suite.py build/sinew [--examples DIR | --installed] [--only NAME] [--markdown FILE] [--expect FILE]

Without --examples the package is downloaded by apt-get and unpacked in a temporary folder: nothing of it is kept;
--installed takes the one that is installed or skips. What
Sinew writes as .dat is compared with the reference of the suite, table by table: the largest difference over the
largest value of the table (of stress: all components). Exit 77 where the suite cannot be had, 1 where a program
crashes, a refusal takes longer than a second or has more than a line and its remedy, or --expect lists other results."""
import argparse
import gzip
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAME = 2e-6
ZERO = {"stresses": 1e-2}  # a table below is round-off: the stress of a body that falls freely
HEAD = re.compile(r"^ (.*?)\s*(?:for set|forset|set) (\S+)\s+and time\s+(\S+)")


def fetch(folder):
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        return None
    got = subprocess.run(["apt-get", "download", "calculix-ccx-test"], cwd=folder, capture_output=True)
    deb = list(Path(folder).glob("*.deb"))
    if got.returncode or not deb:
        return None
    subprocess.run(["dpkg-deb", "-x", deb[0], folder], check=True)
    return next(Path(folder).glob("usr/share/doc/calculix-ccx-test/examples/test"), None)


def read(path):
    for p in (path, Path(str(path) + ".gz")):
        if p.exists():
            return gzip.open(p, "rb").read() if p.suffix == ".gz" else p.read_bytes()
    return b""


def number(word):
    """Also 1.234567-100, as Fortran writes exponents of three digits."""
    try:
        return float(word)
    except ValueError:
        return float(re.sub(r"(\d)([+-]\d+)$", r"\1E\2", word))


def numbers(words):
    """Without what lines end with that are in other directions than x, y and z."""
    out = []
    for w in words:
        try:
            out.append(number(w))
        except ValueError:
            break
    return out


def tables(text):
    """{(head, set): [(time, {label: numbers})]} of a .dat file."""
    out, rows = {}, None
    for line in text.splitlines():
        head = HEAD.match(line)
        if head:
            rows = {}
            out.setdefault((head[1].split("(")[0].strip(), head[2].upper()), []).append((number(head[3]), rows))
            points, total = "integ.pnt" in head[1], head[1].startswith("total ")
        elif line.strip() and rows is not None:
            words = line.split()
            if rows if total else not re.match(r"^\s*\d+\s", line):  # a sum has one line
                rows = None
                continue
            n = 2 if points else 1
            rows["total" if total else tuple(words[:n])] = numbers(words if total else words[n:])
    return out


def frequencies(text):
    """Cycles per time of CalculiX' table of modes, or its factors of buckling."""
    if "B U C K L I N G" in text:
        part = text.split("B U C K L I N G   F A C T O R   O U T P U T")[-1]
        return [number(x.split()[1]) for x in part.splitlines() if re.match(r"^\s*\d+\s+\S+\s*$", x)]
    part = text.split("E I G E N V A L U E   O U T P U T")[-1].split("P A R T I C I P A T I O N")[0]
    return [number(x.split()[3]) for x in part.splitlines() if re.match(r"^\s*\d+(\s+\S+){4}\s*$", x)]


def difference(ours, theirs, zero=0):
    """Largest difference over the largest value, and how many numbers were compared; None: other labels. CalculiX makes
    solid elements of flat ones: their points in layers are those of ours again."""
    worst = most = 0.0
    count = 0
    points = {}
    for label in ours:
        points[label[0]] = points.get(label[0], 0) + 1
    for label, values in theirs.items():
        if len(label) == 2 and label not in ours and points.get(label[0]):
            label = (label[0], str((int(label[1]) - 1) % points[label[0]] + 1))
        mine = ours.get(label)
        if mine is None and not any(values):  # CalculiX prints numbers of a set that are no nodes
            continue
        if mine is None or len(mine) < len(values):
            return None
        for a, b in zip(mine, values):
            worst, most, count = max(worst, abs(a - b)), max(most, abs(b)), count + 1
    return (worst / max(most, zero) if most else worst), count


def pairs(ours, theirs):
    """Tables one by one, without ours of the start; where there are others, those of equal times and the last ones."""
    if len(ours) > len(theirs) and ours[0][0] == 0:
        ours = ours[1:]
    if len(ours) == len(theirs):
        return list(zip(ours, theirs))
    at = {round(t / theirs[-1][0], 6): rows for t, rows in ours if theirs[-1][0]}
    same = [((t, at[round(t / theirs[-1][0], 6)]), (t, rows)) for t, rows in theirs[:-1]
            if theirs[-1][0] and round(t / theirs[-1][0], 6) in at]
    return same + [(ours[-1], theirs[-1])]


def compare(ours, theirs):
    """{table: difference}, the largest of all times; tables that Sinew does not write are listed apart."""
    same, missing = {}, []
    for (head, name), times in theirs.items():
        if (head, name) not in ours:
            missing.append(head)
            continue
        for (_, a), (_, b) in pairs(ours[head, name], times):
            same[head] = max(same.get(head, 0), (difference(a, b, ZERO.get(head, 0)) or (9.0, 0))[0])
    return same, sorted(set(missing))


def run_deck(program, deck, reference, folder):
    begin = time.time()
    words = [program, "run", deck, "--output", folder / "out", "--overwrite", "--backend", "cpu"]
    done = subprocess.run(words + ["--set", "solver.rtol=1e-10"], capture_output=True, text=True, timeout=600)
    if done.returncode == 6:  # double precision allows no less
        done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    seconds = time.time() - begin
    said = [x for x in done.stderr.splitlines() if x and not x.startswith(("warning", " "))]  # a remedy begins with blanks
    if done.returncode in (3, 4):
        return {"result": "refused", "why": said[0].split(":", 1)[1] if said else "", "seconds": seconds, "lines": len(said)}
    if done.returncode == 6:
        return {"result": "no result", "why": said[0] if said else "", "seconds": seconds}
    if done.returncode:
        return {"result": "failed", "why": f"exit {done.returncode}: {said[0] if said else ''}", "seconds": seconds}
    modes = folder / "out" / "modes.csv"
    if modes.exists() and frequencies(reference):
        ours = [float(x.split(",")[1]) for x in modes.read_text().splitlines()[1:]]
        theirs = frequencies(reference)
        worst = max(abs(a - b) / b for a, b in zip(ours, theirs))
        return {"result": "agrees" if worst <= SAME else "differs", "worst": worst, "tables": {"frequencies": worst},
                "missing": [], "seconds": seconds}
    ours = folder / "out" / (deck.stem + ".dat")
    same, missing = compare(tables(ours.read_text()) if ours.exists() else {}, tables(reference))
    if not same:
        return {"result": "no reference", "why": ", ".join(missing) or "no tables in the reference", "seconds": seconds}
    worst = max(same.values())
    return {"result": "agrees" if worst <= SAME else "differs", "worst": worst, "tables": same, "missing": missing,
            "seconds": seconds}


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("program")
    ask.add_argument("--examples", type=Path)
    ask.add_argument("--installed", action="store_true")
    ask.add_argument("--only", action="append")
    ask.add_argument("--markdown", type=Path)
    ask.add_argument("--expect", type=Path, help="lines 'NAME agrees': what must hold")
    o = ask.parse_args()
    with tempfile.TemporaryDirectory() as room:
        installed = Path("/usr/share/doc/calculix-ccx-test/examples/test")
        examples = o.examples or (installed if o.installed or installed.is_dir() else fetch(room))
        if not examples or not examples.is_dir():
            print("CalculiX' test suite is not here and cannot be downloaded (apt-get download calculix-ccx-test)")
            return 77
        names = sorted({p.name.split(".inp")[0] for p in examples.glob("*.inp*")})
        results, bad = {}, []
        for name in names:
            if o.only and name not in o.only:
                continue
            folder = Path(room) / "deck"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            deck = folder / f"{name}.inp"
            deck.write_bytes(read(examples / f"{name}.inp"))
            r = results[name] = run_deck(o.program, deck, read(examples / f"{name}.dat.ref").decode("latin-1"), folder)
            print(f"{name:20} {r['result']:13} {r['seconds']:6.2f} s  "
                  + (f"{r['worst']:.1e}" + (f" {r['tables']}" if r["result"] == "differs" else "") if "worst" in r else r["why"][:150]), flush=True)
            if r["result"] == "failed" or (r["result"] == "refused" and (r["seconds"] > 1 or r["lines"] > 1)):
                bad.append(name)
    count = {}
    for r in results.values():
        count[r["result"]] = count.get(r["result"], 0) + 1
    print(f"{len(results)} decks: " + ", ".join(f"{n} {what}" for what, n in sorted(count.items())))
    if o.markdown:
        o.markdown.write_text(markdown(results, count))
    for line in o.expect.read_text().splitlines() if o.expect else []:
        words = line.split()
        if words and not line.startswith("#") and results.get(words[0], {}).get("result") != words[1]:
            bad.append(f"{words[0]} (expected: {words[1]})")
    if bad:
        print("wrong: " + ", ".join(bad))
    return 1 if bad else 0


def markdown(results, count):
    out = ["| what became of a deck | decks |", "|---|---|"]
    out += [f"| {what} | {n} |" for what, n in sorted(count.items(), key=lambda x: -x[1])]
    out += ["", "| deck | largest difference over largest value | tables |", "|---|---|---|"]
    for name, r in results.items():
        if "worst" in r:
            out.append(f"| {name} | {r['worst']:.1e} | {', '.join(r['tables'])} |")
    why = {}
    for r in results.values():
        if r["result"] == "refused":
            word = re.search(r"\*(\w+)(: TYPE=\w+|: the parameter \w+)?", r["why"])
            key = word[0].replace(": ", " ") if word else r["why"][:60]
            why[key] = why.get(key, 0) + 1
    out += ["", "| refused for | decks |", "|---|---|"]
    out += [f"| {what} | {n} |" for what, n in sorted(why.items(), key=lambda x: -x[1])]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.exit(main())
