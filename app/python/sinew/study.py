"""A case at all combinations of some values: sinew.sweep, and `sinew sweep`, which has this file inside and starts it with the
Python that is installed. So all above the class Sweep needs nothing but Python itself.

study.py PROGRAM CASE --over KEY=[..] [--over KEY=[..]] [--workers N] [--threads N] [--output DIR] [--overwrite] [--quiet]
         [--set KEY=VALUE] [--backend NAME]
"""
import csv
import hashlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading

TABLE = "sweep.csv"
USAGE, STOPPED = 2, 10  # exit codes


def messages(said):
    """The messages in what the program said: (warnings, others). Lines that begin with a space belong to the one before."""
    items = []
    for line in said.splitlines():
        if line.startswith(" ") and items:
            items[-1] += "\n" + line
        elif line.strip():
            items.append(line)
    mark = "warning: "
    return [i[len(mark):] for i in items if i.startswith(mark)], [i for i in items if not i.startswith(mark)]


class Point:
    """One combination: `settings` [(key, text)], `name` of its folder, and how it ended: `code`, `message`."""

    def __init__(self, settings):
        self.settings, self.code, self.message = settings, None, ""
        name = ",".join(f"{key}={text}" for key, text in settings)
        plain = re.fullmatch(r"[\w.,=+-]{1,120}", name)  # else letters that no folder should have, or too many
        self.name = name if plain else "point-" + hashlib.sha1(name.encode()).hexdigest()[:12]


def points_of(over):
    """All combinations of {key: [texts]}, the last key fastest."""
    return [Point(list(zip(over, texts))) for texts in itertools.product(*over.values())]


class Runs:
    """The runs of a sweep, several at a time. `words`: options of all."""

    def __init__(self, program, operand, text, output, words):
        self.program, self.operand, self.text, self.output, self.words = program, operand, text, output, words
        self.lock, self.running, self.stopped, self.refused = threading.Lock(), set(), False, None

    def run(self, points, workers, note):
        """Runs all; the table is written also where Ctrl-C ends it, which goes on as KeyboardInterrupt."""
        import concurrent.futures
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            try:
                waiting = [pool.submit(self._one, point) for point in points]
                for k, done in enumerate(concurrent.futures.as_completed(waiting)):
                    point = done.result()
                    note(f"{k + 1} of {len(points)}  {point.name}  {point.message.splitlines()[0] if point.code else 'ok'}")
                    if point.code == USAGE and "unknown key" in point.message:
                        self.refused = point.message  # no other point will do better
                        self._stop()
                        return
            except KeyboardInterrupt:
                self._stop()
                raise
            finally:
                concurrent.futures.wait(waiting)
                if not self.refused:
                    write_table(self.output, points)

    def _one(self, point):
        """A finished run of this very case is kept by --resume, a stopped one goes on: the program knows which it is."""
        words = [self.program, "run", self.operand, "--output", os.path.join(self.output, point.name), *self.words]
        for key, text in point.settings:
            words += ["--set", f"{key}={text}"]
        with self.lock:
            if self.stopped:
                point.code, point.message = STOPPED, "not begun"
                return point
            child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.running.add(child)
        _, said = child.communicate(self.text or b"")
        with self.lock:
            self.running.discard(child)
            if self.stopped and child.returncode == -signal.SIGINT:  # before it had a handler
                point.code, point.message = STOPPED, "not begun"
                return point
        point.code = child.returncode
        if point.code:
            point.message = "\n".join(messages(said.decode(errors="replace"))[1]) or f"exit code {point.code}"
        return point

    def _stop(self):
        with self.lock:
            self.stopped = True
            for child in self.running:
                child.send_signal(signal.SIGINT)


def rows_of(folder, point):
    """What a point adds to the table: a row for each row of its probes.csv, one without numbers where it failed."""
    if point.code:
        return [{}]
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    with open(os.path.join(folder, "probes.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file)) or [{}]
    more = {"largest-" + name: repr(at["value"]) for name, at in report.get("largest", {}).items()}
    more.update({name: repr(report[name]) for name in ("unknowns", "iterations") if name in report})
    return [{**row, **more} for row in rows]


def write_table(output, points):
    """sweep.csv: the point, its values, its exit code, probes and sums, the largest values, and the message of a failure."""
    rows, columns = [], {}
    for point in points:
        if point.code is None:
            continue
        for row in rows_of(os.path.join(output, point.name), point):
            columns.update(dict.fromkeys(row))
            rows.append({"point": point.name, **dict(point.settings), "code": point.code, **row, "message": point.message})
    keys = [key for key, _ in points[0].settings]
    path = os.path.join(output, TABLE)
    with open(path + ".part", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, ["point", *keys, "code", *columns, "message"], restval="")
        table.writeheader()
        table.writerows(rows)
    os.replace(path + ".part", path)


def sweep_points(program, operand, text, over, output, words, *, workers=1, threads=None, overwrite=False, note=lambda line: None):
    """Runs them and returns the points, with how each ended, and the message of a key in `over` that no case has, or None."""
    points = points_of(over)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    words = [*words, "--threads", str(threads or max(1, cores // workers)), "--overwrite" if overwrite else "--resume", "--quiet"]
    os.makedirs(output, exist_ok=True)
    runs = Runs(program, operand, text, output, words)
    runs.run(points, workers, note)
    return points, runs.refused


def list_of(text):
    """The texts between the commas of "[1, {a: 2, b: 3}]"; None where it is no list."""
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    items, depth, quote = [""], 0, ""
    for c in text[1:-1]:
        if c == "," and not depth and not quote:
            items.append("")
            continue
        if c in "\"'":
            quote = "" if c == quote else quote or c
        elif not quote:
            depth += (c in "[{") - (c in "]}")
        items[-1] += c
    items = [item.strip() for item in items]
    return items if all(items) else None


def main(arguments):
    """`sinew sweep`: 0, or the exit code of the first point that failed."""
    import argparse
    parser = argparse.ArgumentParser(prog="sinew sweep", allow_abbrev=False)
    parser.add_argument("program")
    parser.add_argument("case")
    parser.add_argument("--over", action="append", required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("-j", "--threads", type=int)
    parser.add_argument("-o", "--output")
    parser.add_argument("-q", "--quiet", action="store_true")
    for name in "overwrite", "trust":
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--backend")
    asked = parser.parse_args(arguments)
    over = {}
    for word in asked.over:
        key, _, text = word.partition("=")
        if key in over:
            print(f"--over '{key}' is given twice: put all of its values into one list", file=sys.stderr)
            return USAGE
        over[key] = list_of(text)
        if not key or not over[key]:
            print(f"--over '{word}': not KEY=[VALUE, VALUE], such as --over 'materials.0.young=[1e9, 2e9]'", file=sys.stderr)
            return USAGE
    beside = asked.case if os.path.isdir(asked.case) else os.path.dirname(asked.case)
    output = asked.output or os.path.join(beside, "sweep")
    words = [word for setting in asked.set for word in ("--set", setting)] + ["--trust"] * asked.trust
    words += ["--backend", asked.backend] if asked.backend else []
    note = (lambda line: None) if asked.quiet else lambda line: print(line, flush=True)
    try:
        points, refused = sweep_points(asked.program, asked.case, None, over, output, words, workers=asked.workers, threads=asked.threads,
                              overwrite=asked.overwrite, note=note)
    except KeyboardInterrupt:
        print("stopped on request; the same command goes on", file=sys.stderr)
        return STOPPED
    if refused:
        print(refused, file=sys.stderr)
        return USAGE
    failed = [point for point in points if point.code]
    for point in failed:
        print(f"{point.name}: {point.message}", file=sys.stderr)
    note(f"{len(points) - len(failed)} of {len(points)} points; {os.path.join(output, TABLE)}")
    return failed[0].code if failed else 0


def sweep(case, over, *, set=None, workers=1, backend=None, threads=None, output="sweep", overwrite=False, log=None):
    """Runs a case at all combinations of {"materials.0.young": [1e9, 2e9], "boundary.1.pressure": [1, 2, 3]}; a Sweep.

    Each point has a folder in `output`, and sweep.csv there has the probes, sums and largest values of all. A point that fails
    keeps its message and does not stop the others. Called again, finished points stay as they are and stopped ones go on; points
    of a case that says something else now fail (5) unless overwrite=True. workers: how many run at a time; threads: of each, by
    default its share of the cores. log: is called with a line for each point. Other words as of sinew.run."""
    from .case_text import flow
    from .errors import UsageError, problem
    from .program import find
    from .runner import CaseInput, options
    given = CaseInput(case, output)
    texts = {key: [flow(value) for value in values] for key, values in over.items()}
    try:
        points, refused = sweep_points(find(), given.operand, given.text, texts, os.path.abspath(output), options(set, backend, None),
                              workers=workers, threads=threads, overwrite=overwrite, note=log or (lambda line: None))
    finally:
        if given.mesh:
            os.remove(given.mesh)
    if refused:
        raise UsageError(refused, [problem(refused, lambda *place: None)])
    return Sweep(output, points)


class Sweep:
    """A sweep that was run: `table` (a Table, as sweep.csv), `failures` {name of the point: message}, sweep[k] the Result of
    point k."""

    def __init__(self, folder, points):
        from .result import Table
        self.folder, self.points = os.path.abspath(folder), points
        self.table = Table.read(os.path.join(self.folder, TABLE))
        self.failures = {point.name: point.message for point in points if point.code}

    def __len__(self):
        return len(self.points)

    def __repr__(self):
        return f"<sinew.Sweep {self.folder}: {len(self)} points, {len(self.failures)} failed>"

    def __getitem__(self, k):
        from .result import Result
        return Result(os.path.join(self.folder, self.points[k].name))

    def to_pandas(self):
        """The table as a pandas.DataFrame."""
        return self.table.to_pandas()

    def to_xarray(self):
        """An xarray.Dataset with a dimension for each key, and one more where points have several stored times; failures are
        nan."""
        import numpy as np

        from .result import _column, _needed
        xarray = _needed("xarray", "to_xarray")
        keys, columns = [key for key, _ in self.points[0].settings], list(self.table)
        names = columns[columns.index("code") + 1:-1]
        values = [list(dict.fromkeys(dict(point.settings)[key] for point in self.points)) for key in keys]
        rows = [np.flatnonzero(self.table["point"] == point.name) for point in self.points]
        most = max(map(len, rows))
        whole = np.full((len(names), len(self.points), most), np.nan)
        for k, at in enumerate(rows):
            for i, name in enumerate(names):
                whole[i, k, :len(at)] = self.table[name][at]
        whole = whole.reshape(len(names), *map(len, values), most)
        coordinates = {key: _column(texts) for key, texts in zip(keys, values)}
        if most == 1:
            return xarray.Dataset({name: (keys, whole[i, ..., 0]) for i, name in enumerate(names)}, coordinates)
        return xarray.Dataset({name: ([*keys, "row"], whole[i]) for i, name in enumerate(names)}, coordinates)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
