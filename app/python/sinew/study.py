"""A case at all combinations of some values, or at samples of distributions: sinew.sweep, and `sinew sweep`, which has this file
inside and starts it with the Python that is installed. So all above the class Sweep needs nothing but Python itself.

study.py PROGRAM CASE --over KEY=[..] [--over KEY=[..]] [--samples N] [--method NAME] [--seed S] [--indices] [--workers N]
         [--together N] [--threads N] [--output DIR] [--overwrite] [--quiet] [--set KEY=VALUE] [--backend NAME]
"""
import csv
import functools
import hashlib
import itertools
import json
import math
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading

TABLE, MOMENTS = "sweep.csv", "statistics.csv"
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


class Prior:
    """A distribution of a key: uniform(A, B), log-uniform(A, B) or normal(MEAN, DEVIATION)."""

    KINDS = ("uniform", "log-uniform", "normal")

    def __init__(self, kind, a, b):
        self.kind, self.a, self.b = kind, float(a), float(b)
        good = math.isfinite(self.a) and math.isfinite(self.b) and (self.b > 0 if kind == "normal" else self.a < self.b)
        if not good or (kind == "log-uniform" and self.a <= 0):
            raise ValueError(f"{self}: " + {"normal": "the deviation must be above 0", "uniform": "the first must be the smaller one",
                                            "log-uniform": "both must be above 0, the first the smaller one"}[kind])

    def __repr__(self):
        return f"{self.kind}({self.a:g}, {self.b:g})"

    def at(self, share):
        """The value below which a share (0 to 1, both excluded) of the distribution lies."""
        if self.kind == "normal":
            return statistics.NormalDist(self.a, self.b).inv_cdf(share)
        if self.kind == "uniform":
            return self.a + (self.b - self.a) * share
        return self.a * (self.b / self.a) ** share


def prior_of(text):
    """Of "normal(1, 0.1)"; None where it is no such word. ValueError for numbers that make no distribution."""
    found = re.fullmatch(r"\s*([a-z-]+)\(([^,()]+),([^,()]+)\)\s*", text)
    return Prior(found[1], float(found[2]), float(found[3])) if found and found[1] in Prior.KINDS else None


def random_shares(n, n_key, rng):
    return [[(rng.getrandbits(52) + 0.5) / 2 ** 52 for _ in range(n_key)] for _ in range(n)]


def latin_shares(n, n_key, rng):
    """A Latin hypercube (McKay, Beckman and Conover, Technometrics 21, 1979, 239): each n-th of each key has one sample."""
    columns = [rng.sample(range(n), n) for _ in range(n_key)]
    return [[(column[k] + (rng.getrandbits(52) + 0.5) / 2 ** 52) / n for column in columns] for k in range(n)]


# Sobol sequence, dimensions 2 to 20: polynomial and first direction numbers of S. Joe and F. Y. Kuo, SIAM J. Sci. Comput. 30, 2008, 2635.
DIRECTIONS = [(0, 1), (1, 1, 3), (1, 1, 3, 1), (2, 1, 1, 1), (1, 1, 1, 3, 3), (4, 1, 3, 5, 13), (2, 1, 1, 5, 5, 17), (4, 1, 1, 5, 5, 5),
              (7, 1, 1, 7, 11, 19), (11, 1, 1, 5, 1, 1), (13, 1, 1, 1, 3, 11), (14, 1, 3, 5, 5, 31), (1, 1, 3, 3, 9, 7, 49),
              (13, 1, 1, 1, 15, 21, 21), (16, 1, 3, 1, 13, 27, 49), (19, 1, 1, 1, 15, 7, 5), (22, 1, 3, 1, 15, 13, 25),
              (25, 1, 1, 5, 5, 19, 61), (1, 1, 3, 7, 11, 23, 15, 103)]
BITS = 32


def directions(dimension):
    if dimension == 0:
        return [1 << (BITS - 1 - k) for k in range(BITS)]
    a, *first = DIRECTIONS[dimension - 1]
    s = len(first)
    v = [m << (BITS - 1 - k) for k, m in enumerate(first)]
    for k in range(s, BITS):
        value = v[k - s] ^ (v[k - s] >> s)
        for i in range(1, s):
            value ^= v[k - i] if a >> (s - 1 - i) & 1 else 0
        v.append(value)
    return v


def sobol_shares(n, n_key, rng):
    """A Sobol sequence, shifted at random (digital shift); best where n is a power of two."""
    tables, shift = [directions(d) for d in range(n_key)], [rng.getrandbits(BITS) for _ in range(n_key)]
    at, out = list(shift), []
    for k in range(n):
        out.append([(x + 0.5) / 2 ** BITS for x in at])
        low = ((k + 1) & -(k + 1)).bit_length() - 1  # Antonov and Saleev: one bit of the Gray code changes
        at = [x ^ v[low] for x, v in zip(at, tables)]
    return out


METHODS = {"latin": latin_shares, "sobol": sobol_shares, "random": random_shares}


def sampled(priors, n, method, seed, indices):
    """Points at n samples of {key: Prior}; with `indices` n (d + 2): first those of A, then of B, then A with key k of B
    (A. Saltelli et al., Comput. Phys. Commun. 181, 2010, 259)."""
    d, rng = len(priors), random.Random(seed)
    shares = METHODS[method](n, 2 * d if indices else d, rng)
    rows = [row[:d] for row in shares]
    if indices:
        rows += [row[d:] for row in shares]
        rows += [[row[d + k if k == i else k] for k in range(d)] for i in range(d) for row in shares]
    return [Point([(key, repr(prior.at(x))) for (key, prior), x in zip(priors.items(), row)]) for row in rows]


def wrong_samples(over, samples, method, indices, seed=None):
    """What is wrong with what was asked for, or None. `over`: {key: list or Prior}."""
    priors = [key for key, value in over.items() if isinstance(value, Prior)]
    if not priors:
        asked = samples or method or indices or seed is not None
        return "samples, their method, seed and indices go with distributions, such as uniform(1, 2)" if asked else None
    if len(priors) < len(over):
        return f"'{next(k for k in over if k not in priors)}' has a list and '{priors[0]}' a distribution: all keys have the one or the other"
    if not samples:
        return f"'{priors[0]}' has a distribution: say how many samples are taken of it, --samples N (samples=N in Python)"
    if method not in (None, *METHODS):
        return f"no method '{method}': one of {', '.join(METHODS)}"
    most = len(DIRECTIONS) + 1
    if method == "sobol" and len(over) * (2 if indices else 1) > most:
        return f"a Sobol sequence is held for {most} keys, and for {most // 2} with indices: there are {len(over)}; --method latin takes any number"
    return None


def wrong_values(over):
    """What is wrong with the values of sinew.sweep, or None."""
    if not over:
        return "there is nothing to go over: {'materials.0.young': [1e9, 2e9]}"
    for key, values in over.items():
        if not isinstance(values, (list, Prior)):
            return f"'{key}' has {values!r}: a list of values, or a distribution, is expected"
        if values == []:
            return f"'{key}' has no value"
    return None


class Runs:
    """The runs of a sweep, several at a time. `words`: options of all."""

    def __init__(self, program, operand, text, output, words, together=1):
        self.program, self.operand, self.text, self.output, self.words, self.together = program, operand, text, output, words, together
        self.lock, self.running, self.stopped, self.refused, self.environment = threading.Lock(), set(), False, None, None

    def run(self, points, workers, note):
        """Runs all; the table is written also where Ctrl-C ends it, which goes on as KeyboardInterrupt."""
        import concurrent.futures
        with tempfile.TemporaryDirectory(prefix="sinew-") as meshes, concurrent.futures.ThreadPoolExecutor(workers) as pool:
            self.environment = {**os.environ, "SINEW_MESHES": meshes}  # a geometry is meshed once for all points that have it alike
            try:
                n, many = 0, self.together
                waiting = [pool.submit(self._some, points[k:k + many]) for k in range(0, len(points), many)]
                for done in concurrent.futures.as_completed(waiting):
                    for point in done.result():
                        n += 1
                        note(f"{n} of {len(points)}  {point.name}  {point.message.splitlines()[0] if point.code else 'ok'}")
                        if point.code == USAGE and ("unknown key" in point.message or many > 1):
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

    def _some(self, points):
        """Several as one run; where that fails, one after the other, so that each has its own result or message."""
        if self.together == 1:
            return [self._run(point) for point in points]
        with tempfile.TemporaryDirectory(prefix="sinew-") as folder:
            path = os.path.join(folder, "points")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines("\t".join([p.name, *(f"{key}={text}" for key, text in p.settings)]) + "\n" for p in points)
            whole = self._run(Point([]), ["--output", self.output, "--together", path])
        if whole.code in (0, USAGE, STOPPED):
            for point in points:
                point.code, point.message = whole.code, whole.message
            return points
        return [self._run(point) for point in points]

    def _run(self, point, more=None):
        """A finished run of this very case is kept by --resume, a stopped one goes on: the program knows which it is."""
        more = more or ["--output", os.path.join(self.output, point.name)]
        words = [self.program, "run", self.operand, *more, *self.words]
        for key, text in point.settings:
            words += ["--set", f"{key}={text}"]
        with self.lock:
            if self.stopped:
                point.code, point.message = STOPPED, "not begun"
                return point
            child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment)
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
    more.update({"smallest-" + name: repr(at["value"]) for name, at in report.get("smallest", {}).items()})
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


def moments(values):
    """Mean, deviation (of a sample), least, 5 %, median, 95 %, largest."""
    ordered, n = sorted(values), len(values)

    def quantile(p):
        at = p * (n - 1)
        k = min(int(at), n - 2) if n > 1 else 0
        return ordered[k] + (at - k) * (ordered[min(k + 1, n - 1)] - ordered[k])

    return [statistics.fmean(values), statistics.stdev(values) if n > 1 else 0.0, ordered[0], quantile(0.05), quantile(0.5), quantile(0.95), ordered[-1]]


def sensitivity(values, n, d):
    """Sobol's first and total index of each key, of values in the order of `sampled`; None where a run failed: its row counts for
    no key. First: Saltelli et al. 2010, table 2 (b); total: Jansen, the same (f)."""
    rows = [k for k in range(n) if all(values[k + j * n] is not None for j in range(d + 2))]
    if len(rows) < 2:
        return [math.nan] * (2 * d)
    middle = statistics.fmean(values[k + j * n] for k in rows for j in (0, 1))
    a, b = ([values[k + j * n] - middle for k in rows] for j in (0, 1))
    variance = statistics.fmean(x * x for x in a + b)
    if not variance > 0:
        return [math.nan] * (2 * d)
    mixed = [[values[k + (i + 2) * n] - middle for k in rows] for i in range(d)]
    first = [statistics.fmean(y * (m - x) for x, y, m in zip(a, b, row)) / variance for row in mixed]
    total = [statistics.fmean((x - m) ** 2 for x, m in zip(a, row)) / (2 * variance) for row in mixed]
    return [x for pair in zip(first, total) for x in pair]


def write_statistics(output, points, samples, indices):
    """statistics.csv: of each number of each stored time over the samples, and with `indices` how much of its variance each key
    explains alone (first) and with the others (total)."""
    keys, whole = [key for key, _ in points[0].settings], {}
    for k, point in enumerate(points):
        for row in [] if point.code or point.code is None else rows_of(os.path.join(output, point.name), point):
            time = row.get("time", row.get("frequency", ""))
            for name, text in row.items():
                if name not in ("time", "frequency"):
                    whole.setdefault((name, time), [None] * len(points))[k] = float(text)
    path = os.path.join(output, MOMENTS)
    with open(path + ".part", "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["name", "time", "samples", "mean", "deviation", "least", "5 %", "median", "95 %", "largest"]
                       + [f"{kind} {key}" for key in keys if indices for kind in ("first", "total")])
        for (name, time), values in whole.items():
            some = [v for v in values[:samples * (2 if indices else 1)] if v is not None and math.isfinite(v)]
            if some:
                held = [v if v is not None and math.isfinite(v) else None for v in values]
                table.writerow([name, time, len(some), *map(repr, moments(some)), *map(repr, sensitivity(held, samples, len(keys)) if indices else [])])
    os.replace(path + ".part", path)


def sweep_points(program, operand, text, over, output, words, *, samples=None, method=None, seed=1, indices=False, workers=1, together=1,
                 threads=None, overwrite=False, note=lambda line: None):
    """Runs them and returns the points, with how each ended, and the message of a key in `over` that no case has, or None."""
    points = sampled(over, samples, method or "latin", seed, indices) if samples else points_of(over)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    words = [*words, "--threads", str(threads or max(1, cores // workers)), "--overwrite" if overwrite else "--resume", "--quiet"]
    os.makedirs(output, exist_ok=True)
    runs = Runs(program, operand, text, output, words, together)
    runs.run(points, workers, note)
    if samples and not runs.refused:
        write_statistics(output, points, samples, indices)
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
    for name in "program", "case", "--method", "--backend":
        parser.add_argument(name)
    parser.add_argument("--over", action="append", required=True)
    parser.add_argument("-j", "--threads", type=int)
    parser.add_argument("-o", "--output")
    parser.add_argument("-q", "--quiet", action="store_true")
    for name, value in ("workers", 1), ("together", 1), ("samples", None), ("seed", None):
        parser.add_argument("--" + name, type=int, default=value)
    for name in "overwrite", "trust", "indices":
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("--set", action="append", default=[])
    asked = parser.parse_args(arguments)
    over, wrong = {}, None
    for word in asked.over:
        key, _, text = word.partition("=")
        if key in over:
            wrong = f"--over '{key}' is given twice: put all of its values into one list"
            break
        try:
            over[key] = list_of(text) or prior_of(text)
        except ValueError as error:
            wrong = f"--over '{word}': {error}"
            break
        if not (key and over[key]):
            wrong = (f"--over '{word}': not KEY=[VALUE, VALUE], such as --over 'materials.0.young=[1e9, 2e9]', and no distribution: "
                     f"{', '.join(kind + '(A, B)' for kind in Prior.KINDS)}")
            break
    wrong = wrong or wrong_samples(over, asked.samples, asked.method, asked.indices, asked.seed)
    if wrong:
        print(wrong, file=sys.stderr)
        return USAGE
    output = asked.output or os.path.join(asked.case if os.path.isdir(asked.case) else os.path.dirname(asked.case), "sweep")
    words = [word for setting in asked.set for word in ("--set", setting)] + ["--trust"] * asked.trust
    words += ["--backend", asked.backend] if asked.backend else []
    note = (lambda line: None) if asked.quiet else lambda line: print(line, flush=True)
    try:
        points, refused = sweep_points(asked.program, asked.case, None, over, output, words, samples=asked.samples, method=asked.method,
                                       seed=1 if asked.seed is None else asked.seed, indices=asked.indices, workers=asked.workers, together=asked.together, threads=asked.threads,
                                       overwrite=asked.overwrite, note=note)
    except KeyboardInterrupt:
        print("stopped on request; the same command goes on", file=sys.stderr)
        return STOPPED
    if refused:
        print(refused, file=sys.stderr)
        return USAGE
    failed = [point for point in points if point.code]
    print(*(f"{point.name}: {point.message}\n" for point in failed), sep="", end="", file=sys.stderr)
    tables = os.path.join(output, TABLE) + (f", {os.path.join(output, MOMENTS)}" if asked.samples else "")
    note(f"{len(points) - len(failed)} of {len(points)} points; {tables}")
    return failed[0].code if failed else 0


# Distributions for sinew.sweep, of two numbers: between them all values, or all logarithms, alike; mean and deviation of Gauss's.
uniform, log_uniform, normal = (functools.partial(Prior, kind) for kind in Prior.KINDS)


def sweep(case, over, *, samples=None, method=None, seed=1, indices=False, set=None, workers=1, together=1, backend=None, threads=None,
          output="sweep", overwrite=False, log=None):
    """Runs a case at all combinations of {"materials.0.young": [1e9, 2e9], "boundary.1.pressure": [1, 2, 3]}; a Sweep.

    Or at `samples` samples of distributions, {"materials.0.young": sinew.normal(210e9, 5e9)}, by `method` "latin" (default), "sobol" or
    "random", the same for the same `seed`; with indices=True samples * (keys + 2) runs give Sobol's sensitivity indices.

    Each point has a folder in `output`, and sweep.csv there has the probes, sums and largest values of all. A point that fails
    keeps its message and does not stop the others. Called again, finished points stay as they are and stopped ones go on; points
    of a case that says something else now fail (5) unless overwrite=True. workers: how many run at a time; together: how many
    hearts or fronts are solved as one; threads: of each run, by default its share of the cores. log: is called with a line for each point. Other words as of sinew.run."""
    from .case_text import flow
    from .errors import UsageError, problem
    from .program import find
    from .runner import CaseInput, options
    over = {key: list(values) if hasattr(values, "__iter__") and not isinstance(values, (str, dict)) else values for key, values in over.items()}
    wrong = wrong_values(over) or wrong_samples(over, samples, method, indices)
    for name, number in ("workers", workers), ("together", together), ("samples", 1 if samples is None else samples):
        if number < 1:
            wrong = f"{name} is {number}, must be at least 1"
    if together > 1 and isinstance(case, dict):
        wrong = "points of a dict cannot be solved together: write it to a file"
    if wrong:
        raise UsageError(wrong, [problem(wrong, lambda *place: None)])
    given = CaseInput(case, output)
    texts = {key: values if isinstance(values, Prior) else [flow(value) for value in values] for key, values in over.items()}
    try:
        points, refused = sweep_points(find(), given.operand, given.text, texts, os.path.abspath(output), options(set, backend, None), samples=samples,
                                       method=method, seed=seed, indices=indices, workers=workers, together=together, threads=threads, overwrite=overwrite,
                                       note=log or (lambda line: None))
    finally:
        if given.mesh:
            os.remove(given.mesh)
    if refused:
        raise UsageError(refused, [problem(refused, lambda *place: None)])
    return Sweep(output, points, samples)


class Sweep:
    """A sweep that was run: `table` (a Table, as sweep.csv), `statistics` (of samples, as statistics.csv; else None), `failures`
    {name of the point: message}, sweep[k] the Result of point k."""

    def __init__(self, folder, points, samples=None):
        from .result import Table
        self.folder, self.points = os.path.abspath(folder), points
        self.table = Table.read(os.path.join(self.folder, TABLE))
        self.statistics = Table.read(os.path.join(self.folder, MOMENTS)) if samples else None
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
        """An xarray.Dataset with a dimension for each key (of samples: one, `sample`), and one more where points have several stored
        times; failures are nan."""
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
        if self.statistics is None:
            whole, dims = whole.reshape(len(names), *map(len, values), most), keys
            coordinates = {key: _column(texts) for key, texts in zip(keys, values)}
        else:
            dims = ["sample"]
            coordinates = {key: (dims, _column([dict(point.settings)[key] for point in self.points])) for key in keys}
        if most == 1:
            return xarray.Dataset({name: (dims, whole[i, ..., 0]) for i, name in enumerate(names)}, coordinates)
        return xarray.Dataset({name: ([*dims, "row"], whole[i]) for i, name in enumerate(names)}, coordinates)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
