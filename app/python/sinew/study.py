"""A case at the points of a sweep: sinew.sweep, and `sinew sweep`, which has this file inside, behind points.py and served.py, and starts it with
the Python that is installed. So all above the class Sweep needs nothing but Python itself.

study.py PROGRAM CASE --over KEY=[..] [--over KEY=[..]] [--samples N] [--method NAME] [--seed S] [--indices] [--workers N]
         [--together N] [--threads N] [--output DIR] [--overwrite] [--quiet] [--set KEY=VALUE] [--backend NAME]
"""
import csv
import json
import math
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading

if __package__:
    from .served import Served
    from .points import Point, Prior, list_of, points_of, prior_of, sampled, wrong_number, wrong_samples, wrong_texts, wrong_values

TABLE, MOMENTS = "sweep.csv", "statistics.csv"
USAGE, FILES, STOPPED = 2, 9, 10  # exit codes


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


def group_size(points, workers):
    """How many points share a matrix: some groups for each worker, since the time of one is not known, and whole lots of right-hand sides."""
    lot = 8
    most = max(lot, -(-points // (4 * workers * lot)) * lot)
    return min(-(-points // workers), most, 16 * lot)


class Runs:
    """The runs of a sweep, several at a time. `words`: options of all."""

    def __init__(self, program, operand, text, output, words, together=None):
        self.program, self.operand, self.text, self.output, self.words, self.together = program, operand, text, output, words, together
        self.lock, self.running, self.idle, self.stopped, self.refused, self.environment = threading.Lock(), set(), [], False, None, None

    def run(self, points, workers, note):
        """Runs all; the table is written also where Ctrl-C ends it, which goes on as KeyboardInterrupt, as does what `note` raises."""
        import concurrent.futures
        with tempfile.TemporaryDirectory(prefix="sinew-") as meshes, concurrent.futures.ThreadPoolExecutor(workers) as pool:
            self.environment = {**os.environ, "SINEW_MESHES": meshes}  # a geometry is meshed once for all points that have it alike
            try:
                n, many = 0, self.together or group_size(len(points), workers)
                waiting = [pool.submit(self._some, points[k:k + many]) for k in range(0, len(points), many)]
                for done in concurrent.futures.as_completed(waiting):
                    for point in done.result():
                        n += 1
                        note(f"{n} of {len(points)}  {point.name}  {point.message.splitlines()[0] if point.code else 'ok'}")
                        if point.code == USAGE and ("unknown key" in point.message or (self.together or 1) > 1):
                            self.refused = point.message  # no other point will do better
                            self._stop()
                            return
            except BaseException:  # Ctrl-C, or what `note` of a caller raises
                self._stop()
                raise
            finally:
                concurrent.futures.wait(waiting)
                for served in self.idle:
                    served.end()
                if not self.refused:
                    write_table(self.output, points)

    def _some(self, points):
        """Several as one run; those that it leaves without a result one after the other, so that each has its own or a message."""
        unasked = self.together is None  # another group may change it
        if self.together == 1 or (unasked and len(points) == 1):
            return [self._run(point) for point in points]
        with tempfile.TemporaryDirectory(prefix="sinew-") as folder:
            path = os.path.join(folder, "points")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines("\t".join([p.name, *(f"{key}={text}" for key, text in p.settings)]) + "\n" for p in points)
            begun = os.stat(path).st_mtime_ns
            whole = self._run(Point([]), ["--output", self.output, "--together", path] + ["--shared"] * unasked)
        if whole.code == USAGE and unasked:
            self.together = 1  # nor will other groups
        elif whole.code in (0, USAGE, STOPPED):
            for point in points:
                if whole.code != STOPPED or not self._done(point, begun):
                    point.code, point.message = whole.code, whole.message
            return points
        return [self._done(point, begun) or self._run(point) for point in points]

    def _done(self, point, since):
        """The point, where its report is from since then and says that it has come to its end."""
        path = os.path.join(self.output, point.name, "report.json")
        try:
            if os.stat(path).st_mtime_ns < since:
                return None
            with open(path, encoding="utf-8") as file:
                if json.load(file)["status"] != "converged":
                    return None
        except (OSError, ValueError, KeyError):
            return None
        point.code, point.message = 0, ""
        return point

    def _run(self, point, more=None):
        """A finished run of this very case is kept by --resume, a stopped one goes on: the program knows which it is."""
        more = more or ["--output", os.path.join(self.output, point.name)]
        words = [self.program, "run", self.operand, *more, *self.words]
        for key, text in point.settings:
            words += ["--set", f"{key}={text}"]
        code, said = self._served(words[1:]) or self._alone(words)
        point.code = code
        if point.code:
            point.message = "\n".join(messages(said)[1]) or f"exit code {point.code}"
        return point

    def _served(self, words):
        """By a process that stays; None where it has ended over it."""
        with self.lock:
            if self.stopped:
                return STOPPED, "not begun"
            served = self.idle.pop() if self.idle else Served(self.program, self.environment)
            self.running.add(served.child)
        answer = served.ask(words, self.text)
        with self.lock:
            self.running.discard(served.child)
            if answer and answer["code"] != STOPPED:
                self.idle.append(served)
        code = None if served in self.idle else served.end()
        if not answer:
            return (STOPPED, "stopped on request") if self.stopped or code == STOPPED else None
        return answer["code"], answer["err"]

    def _alone(self, words):
        """By a process of its own, whose last words are heard."""
        with self.lock:
            if self.stopped:
                return STOPPED, "not begun"
            child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment)
            self.running.add(child)
        _, said = child.communicate(self.text or b"")
        with self.lock:
            self.running.discard(child)
        if self.stopped and child.returncode == -signal.SIGINT:  # before it had a handler
            return STOPPED, "not begun"
        return child.returncode, said.decode(errors="replace")

    def _stop(self):
        with self.lock:
            self.stopped = True
            for child in self.running:
                child.send_signal(signal.SIGINT)


def told(output, points):
    """What runs that came to their end have warned of, [(text, names of the points)]: of texts that differ in numbers alone the first one."""
    kinds = {}
    for point in points:
        if point.code != 0:
            continue
        with open(os.path.join(output, point.name, "report.json"), encoding="utf-8") as file:
            for text in json.load(file).get("warnings", []):
                kinds.setdefault(re.sub(r"[-+.\d]+(e[-+]?\d+)?", "#", text), (text, []))[1].append(point.name)
    return list(kinds.values())


def told_text(text, names, points):
    """A warning of a sweep: "3 of 8 points, the first is young=1e9: ..."."""
    return f"{len(names)} of {len(points)} points, the first is {names[0]}: {text}"


def rows_of(folder, point):
    """What a point adds to the table: a row for each row of its probes.csv, one without numbers where it failed."""
    if point.code:
        return [{}]
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    probes, rows = os.path.join(folder, "probes.csv"), [{}]
    if os.path.exists(probes):
        with open(probes, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file)) or [{}]
    else:  # a circulation alone has numbers of its last beat
        rows = [{name: repr(value) for name, value in (report.get("values") or {}).items() if value is not None}]
    cases = report.get("load_cases") or []
    if len(cases) == len(rows):
        rows = [{"load-case": case["name"], **row, **extremes_of(case)} for case, row in zip(cases, rows)]
    more = {**extremes_of(report), **{name: repr(report[name]) for name in ("unknowns", "iterations") if name in report}}
    return [{**row, **more} for row in rows]


def extremes_of(entry):
    """The largest and smallest values that a report, or a load case of it, tells of."""
    return {f"{kind}-{name}": repr(at["value"]) for kind in ("largest", "smallest") for name, at in (entry.get(kind) or {}).items()}


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
    try:
        os.remove(os.path.join(output, MOMENTS))  # of the samples of another sweep; this one's come at its end
    except FileNotFoundError:
        pass


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
            time = row.get("load-case", row.get("time", row.get("frequency", "")))
            for name, text in row.items():
                if name not in ("time", "frequency", "load-case"):
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


def sweep_points(program, operand, text, over, output, words, *, samples=None, method=None, seed=1, indices=False, workers=1, together=None,
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


def files_fail(output, why, program):
    """The message where folder or tables of a sweep cannot be written, or the program does not start."""
    return (f"cannot {'start' if why.filename == program else 'write'} '{why.filename2 or why.filename or os.path.join(output, TABLE)}': {why.strerror}\n"
            "  finished points are kept: the same command goes on from there")


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
    for name, value in ("workers", 1), ("together", None), ("samples", None), ("seed", None):
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
    wrong = wrong or wrong_texts(over) or wrong_samples(over, asked.samples, asked.method, asked.indices, asked.seed)
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
    except OSError as why:
        print(files_fail(output, why, asked.program), file=sys.stderr)
        return FILES
    if refused:
        print(refused, file=sys.stderr)
        return USAGE
    failed = [point for point in points if point.code]
    print(*(f"warning: {told_text(*what, points)}\n" for what in told(output, points)), sep="", end="", file=sys.stderr)
    print(*(f"{point.name}: {point.message}\n" for point in failed), sep="", end="", file=sys.stderr)
    tables = os.path.join(output, TABLE) + (f", {os.path.join(output, MOMENTS)}" if asked.samples else "")
    note(f"{len(points) - len(failed)} of {len(points)} points; {tables}")
    return failed[0].code if failed else 0


def sweep(case, over, *, samples=None, method=None, seed=1, indices=False, set=None, workers=1, together=None, backend=None, threads=None,
          output="sweep", overwrite=False, log=None):
    """Runs a case at all combinations of {"materials.0.young": [1e9, 2e9], "boundary.1.pressure": [1, 2, 3]}; a Sweep.

    Or at `samples` samples of distributions, {"materials.0.young": sinew.normal(210e9, 5e9)}, by `method` "latin" (default), "sobol" or
    "random", the same for the same `seed`; with indices=True samples * (keys + 2) runs give Sobol's sensitivity indices.

    Each point has a folder in `output`, and sweep.csv there has the probes, sums and largest values of all. A point that fails
    keeps its message and does not stop the others. Called again, finished points stay as they are and stopped ones go on; points
    of a case that says something else now fail (5) unless overwrite=True. workers: how many run at a time; together: how many
    points are solved as one; by default points that differ in loads alone, of a linear body, share its matrix. threads: of each run, by default its share of the cores. log: is called with a line for each point. Other words as of sinew.run."""
    from .case_text import flow
    import warnings

    from .errors import FileError, SinewWarning, UsageError, problem
    from .program import find
    from .runner import CaseInput, options
    if isinstance(over, dict):
        over = {key: list(values) if hasattr(values, "__iter__") and not isinstance(values, (str, dict)) else values for key, values in over.items()}
    wrong = wrong_values(over) or wrong_samples(over, samples, method, indices)
    for name, number in ("workers", workers), ("together", together), ("samples", samples):
        wrong = wrong or wrong_number(name, number)
    texts = {} if wrong else {key: values if isinstance(values, Prior) else [flow(value) for value in values] for key, values in over.items()}
    wrong = wrong or wrong_texts(texts)
    if wrong:
        raise UsageError(wrong, [problem(wrong, lambda *place: None)])
    given = CaseInput(case, output)
    try:
        points, refused = sweep_points(find(), given.operand, given.text, texts, os.path.abspath(output), options(set, backend, None), samples=samples,
                                       method=method, seed=seed, indices=indices, workers=workers, together=together, threads=threads, overwrite=overwrite,
                                       note=log or (lambda line: None))
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"stopped on request; the same call goes on with the points in {output}") from None
    except OSError as why:
        raise FileError(files_fail(output, why, find()), [], FILES) from why
    finally:
        if given.mesh:
            os.remove(given.mesh)
    if refused:
        raise UsageError(refused, [problem(refused, lambda *place: None)])
    done = Sweep(output, points, samples)
    for text, names in told(output, points):
        done.warnings.append(told_text(text, names, points))
        warnings.warn(done.warnings[-1], SinewWarning, stacklevel=2)
    return done


class Sweep:
    """A sweep that was run: `table` (a Table, as sweep.csv), `statistics` (of samples, as statistics.csv; else None), `failures`
    {name of the point: message}, `warnings` of its runs, sweep[k] the Result of point k."""

    def __init__(self, folder, points, samples=None):
        from .result import Table
        self.folder, self.points = os.path.abspath(folder), points
        self.table = Table.read(os.path.join(self.folder, TABLE))
        self.statistics = Table.read(os.path.join(self.folder, MOMENTS)) if samples else None
        self.warnings = []
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
        names = [name for name in columns[columns.index("code") + 1:-1] if self.table[name].dtype.kind == "f"]
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
