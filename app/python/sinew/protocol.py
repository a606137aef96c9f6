"""Pacing protocols of a heart, `sinew protocol`, which has this file inside and starts it with the Python that is installed: one extra
stimulus after shorter and shorter intervals (S1S2), or faster and faster trains. Each interval is a run that begins with the state of the
train before it; protocol.csv has a row for each.

protocol.py PROGRAM CASE (--s1s2 | --dynamic) FROM,TO,STEP [--cycle MS] [--beats N] [--rest MS] [--resolution MS] [--whole] [--output DIR]
            [--launcher WORDS] [--threads N] [--overwrite] [--quiet] [--set KEY=VALUE] [--backend NAME] [--trust]
"""
import argparse
import csv
import math
import os
import shlex
import subprocess
import sys
import tempfile

USAGE, STOPPED = 2, 10  # exit codes
LEAD = 5       # ms before the last S1 at which trains end
ALTERNANS = 5  # ms between the durations of two beats in a row
SOONEST = 0.9  # of the delay of the first wave from rest: none comes to a probe sooner


class Failed(Exception):
    """A run or a case that cannot be had: (exit code, message)."""


def echo_value(text):
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [echo_value(part) for part in text[1:-1].split(",")]
    try:
        return float(text)
    except ValueError:
        return text.strip('"')


def echo_tree(lines):
    """The case that `sinew check` shows, as maps and lists: [(indent, text)] is used up."""
    indent, whole = lines[0][0], [] if lines[0][1].startswith("- ") else {}
    while lines and lines[0][0] == indent:
        if isinstance(whole, list):
            lines[0] = (indent + 2, lines[0][1][2:])
            whole.append(echo_tree(lines))
            continue
        key, _, text = lines.pop(0)[1].partition(":")
        more = lines and (lines[0][0] > indent or (lines[0][0] == indent and lines[0][1].startswith("- ")))
        whole[key] = echo_value(text) if text.strip() or not more else echo_tree(lines)
    return whole


class Program:
    """The program with the options of all runs."""

    def __init__(self, path, case, words, output, overwrite, meshes, launcher):
        self.path, self.case, self.words, self.output, self.overwrite = path, case, words, output, overwrite
        self.launcher = launcher  # words before each run, as those of mpirun
        self.environment = {**os.environ, "SINEW_MESHES": meshes}  # a geometry is meshed once for all runs

    def _call(self, words, launcher=()):
        try:
            done = subprocess.run([*launcher, self.path, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  env=self.environment)
        except OSError as why:
            raise Failed(USAGE, f"sinew: --launcher '{launcher[0]}' cannot be started: {why.strerror}") from None
        if done.returncode:
            raise Failed(done.returncode, done.stderr.strip() or f"exit code {done.returncode}")
        return done.stdout

    def shown(self):
        """The case with every default filled in."""
        said = self._call(["check", self.case, "--verbose", *self.words]).splitlines()
        lines = [(len(line) - len(line.lstrip()), line.strip()) for line in said[:said.index("") if "" in said else None]]
        return echo_tree([line for line in lines if line[1] and not line[1].startswith("#")])

    def run(self, name, settings, begin=None):
        """A run in a folder of its own; one that has finished is kept. Returns the folder."""
        folder = os.path.join(self.output, name)
        words = ["run", self.case, "--output", folder, "--quiet", "--overwrite" if self.overwrite else "--resume", *self.words]
        for key, value in settings.items():
            words += ["--set", f"{key}={value:.12g}" if isinstance(value, float) else f"{key}={value}"]
        self._call(words + (["--from", begin] if begin else []), self.launcher)
        return folder


class Beat:
    """Upstroke, end (by 90 % of the amplitude; nan: not yet) and rest since the one before, at a probe."""

    def __init__(self, start, end, rest):
        self.start, self.end, self.rest = start, end, rest

    @property
    def duration(self):
        return self.end - self.start


def crossing(t, v, k, level):
    return t[k - 1] + (level - v[k - 1]) / (v[k] - v[k - 1]) * (t[k] - t[k - 1])


def beats_of(t, v, threshold):
    """The beats in potentials v at times t: each begins where v rises through the threshold."""
    beats, low, end = [], v[0] if v else 0, math.nan
    ups = [k for k in range(1, len(v)) if v[k - 1] < threshold <= v[k]]
    for i, k in enumerate(ups):
        last = ups[i + 1] if i + 1 < len(ups) else len(v)
        low = min(v[ups[i - 1] if i else 0:k])
        top = max(range(k, last), key=lambda j: v[j])
        level = low + 0.1 * (v[top] - low)
        down = next((j for j in range(top + 1, last) if v[j] < level), None)
        before, end = end, crossing(t, v, down, level) if down else math.nan
        beats.append(Beat(crossing(t, v, k, threshold), end, crossing(t, v, k, threshold) - before))
    return beats


def table_of(folder):
    with open(os.path.join(folder, "probes.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name]) for row in rows] for name in (rows[0] if rows else {})}


class Protocol:
    """What both protocols share: the probes of the case, its first two stimuli, and the table."""

    def __init__(self, program, args, note):
        self.program, self.args, self.note, self.rows = program, args, note, {}
        case = program.shown()
        output, stimuli = case.get("output", {}), case.get("stimuli", [])
        self.probes = {p["name"]: p["at"] for p in output.get("probes", []) if p.get("field", "potential") == "potential"}
        if case.get("physics") != "monodomain" or not self.probes:
            raise Failed(USAGE, "sinew: a protocol takes a heart ('physics: monodomain') with at least one of 'probes' of the potential")
        if len(stimuli) < (2 if args.s1s2 else 1):
            raise Failed(USAGE, "sinew: --s1s2 takes the first two entries of 'stimuli:', the train and the extra stimulus\n"
                                "  remedy: add the second one, with 'on', 'duration' and 'amplitude'" if stimuli else
                         "sinew: the case has no stimuli")
        self.off, self.soonest = {}, {}
        self.start, self.threshold = stimuli[0].get("start", 0.0), output.get("threshold", -30.0)
        self.common = {} if "sample" in output else {"output.sample": min(1.0, output.get("every", 1.0))}
        if len(stimuli) > 1:
            self.off = {f"stimuli.1.{'current' if 'current' in stimuli[1] else 'amplitude'}": 0.0}
        self.cycle = args.cycle
        if self.cycle <= stimuli[0]["duration"]:
            raise Failed(USAGE, f"sinew: --cycle is {self.cycle:g} ms, no longer than a stimulus")

    def beats(self, folder):
        table = table_of(folder)
        return {name: beats_of(table["time"], table[name], self.threshold) for name in self.probes}

    def first_wave(self, beats):
        """From rest, behind the first pulse of all."""
        self.soonest = self.soonest or {name: SOONEST * (one[0].start - self.start) if one else 0 for name, one in beats.items()}

    def own(self, beats, first):
        """Without those of waves that were on their way before this pulse."""
        return {name: [b for b in one if b.start >= first + self.soonest.get(name, 0)] for name, one in beats.items()}

    def columns(self, beats, stimulus):
        """Of a beat of each probe, or None: interval of rest before, duration, delay behind the stimulus, velocity from probe to probe."""
        row, names = {}, list(self.probes)
        for name in names:
            beat = beats[name] or Beat(*[math.nan] * 3)
            row.update({name + "-rest": beat.rest, name + "-apd": beat.duration, name + "-delay": beat.start - stimulus})
        for a, b in zip(names, names[1:]):
            time = row[b + "-delay"] - row[a + "-delay"]
            row[f"{a}-{b}-velocity"] = math.dist(self.probes[a], self.probes[b]) / time if time and not math.isnan(time) else math.nan
        return row

    def keep(self, key, row):
        self.rows[key] = row
        columns = dict.fromkeys(name for one in self.rows.values() for name in one)
        path = os.path.join(self.program.output, "protocol.csv")
        with open(path + ".part", "w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, columns, restval="")
            table.writeheader()
            table.writerows({name: f"{value:.10g}" if isinstance(value, float) else value for name, value in one.items()}
                            for one in (self.rows[k] for k in sorted(self.rows, reverse=True)))
        os.replace(path + ".part", path)
        self.note(f"{row['interval']:g} ms  {row['result']}" + (f", {row['extra']} more" if row["extra"] else ""))
        return row["result"]

    def scan(self, try_one, low, high, step):
        """From the longest interval on; ends at the first block unless the whole range is wanted. Then the places where the result
        changes are halved down to the resolution."""
        n = int(math.floor((high - low) / step * (1 + 1e-12) + 1e-9)) + 1
        for k in range(n):
            if try_one(high - k * step) == "block" and not self.args.whole:
                break
        while self.args.resolution:
            tried = sorted(self.rows)
            wide = [(a, b) for a, b in zip(tried, tried[1:])
                    if self.rows[a]["result"] != self.rows[b]["result"] and b - a > self.args.resolution * (1 + 1e-9)]
            if not wide:
                break
            for a, b in wide:
                try_one((a + b) / 2)

    def summary(self):
        tried = sorted(self.rows, reverse=True)
        got = [k for k in tried if self.rows[k]["result"] != "block"]
        lost = [k for k in tried if self.rows[k]["result"] == "block"]
        again = [k for k in tried if self.rows[k]["result"] == "reentry"]
        if got and lost:
            self.note(f"capture      down to {min(got):g} ms; block at {max(lost):g} ms" if max(lost) < min(got) else
                      f"capture      down to {min(got):g} ms, with block at {max(lost):g} ms")
        elif got:
            self.note(f"capture      of all, down to {min(got):g} ms")
        if again:
            self.note(f"reentry      from {min(again):g} to {max(again):g} ms")


class Extra(Protocol):
    """A train of S1, then an S2 after each interval from the state 5 ms before the last S1."""

    def begin(self):
        beats = self.args.beats
        self.last = self.start + (beats - 1) * self.cycle
        self.train = {"stimuli.0.period": self.cycle, "stimuli.0.count": beats}
        self.state, end = None, self.last - LEAD
        if beats > 1:
            self.state = self.program.run("train", {**self.common, **self.off, **self.train, "time.end": end, "output.checkpoint": end})
            self.first_wave(self.beats(self.state))

    def try_one(self, interval):
        stimulus, end = self.last + interval, self.last + interval + self.args.rest
        folder = self.program.run(f"s2-{interval:g}", {**self.common, **self.train, "stimuli.1.start": stimulus, "time.end": end}, self.state)
        beats = self.own(self.beats(folder), self.last)
        more = [len(beat) - 1 for beat in beats.values()]  # behind the last S1
        result = "reentry" if max(more) > 1 else "block" if max(more) < 1 else "capture" if min(more) == 1 else "partial"
        last = max((b.start - stimulus for one in beats.values() for b in one[1:]), default=math.nan)
        return self.keep(interval, {"interval": interval, "result": result, "extra": max(max(more) - 1, 0), "last": last,
                                    **self.columns({name: one[1] if len(one) > 1 else None for name, one in beats.items()}, stimulus)})


class Trains(Protocol):
    """Trains of beats, each from the state that the one before has left."""

    def begin(self):
        self.time, self.state = self.start, None

    def try_one(self, cycle):
        n, first = self.args.beats, self.time
        end = first + n * cycle
        self.train = {**self.common, **self.off, "stimuli.0.start": first, "stimuli.0.period": cycle, "stimuli.0.count": n}
        self.state = self.program.run(f"cycle-{cycle:g}", {**self.train, "time.end": end, "output.checkpoint": n * cycle}, self.state)
        self.time = end
        beats = self.beats(self.state)
        self.first_wave(beats)
        beats = self.own(beats, first)
        count = [len(beat) for beat in beats.values()]
        durations = [[b.duration for b in beat[-3:] if not math.isnan(b.duration)] for beat in beats.values()]
        uneven = any(len(d) > 1 and abs(d[-1] - d[-2]) > ALTERNANS for d in durations)
        result = "reentry" if max(count) > n else "block" if min(count) < n - 1 else "alternans" if uneven else "capture"
        of = {name: {int((b.start - first - self.soonest[name]) // cycle): b for b in one} for name, one in beats.items()}  # by pulse
        pulse = max(set.intersection(*(set(one) for one in of.values())), default=0)  # the last one that has come to all probes
        row = self.columns({name: one.get(pulse) for name, one in of.items()}, first + pulse * cycle)
        for name, d in zip(self.probes, durations):
            row[name + "-apd-before"] = d[-2] if len(d) > 1 else math.nan
        return self.keep(cycle, {"interval": cycle, "result": result, "extra": max(max(count) - n, 0), "last": math.nan, **row})

    def rest(self):
        """What goes on when pacing has ended: the first beat may be that of the last pulse."""
        settings = {**self.train, "time.end": self.time + self.args.rest}
        beats = self.beats(self.program.run("rest", settings, self.state))
        more = max(len(beat) for beat in beats.values())
        if more > 1:
            self.note(f"induced      {more} beats in {self.args.rest:g} ms after pacing")


def range_of(text):
    try:
        first, last, step = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not FROM,TO,STEP") from None
    if not (first >= last > 0 and step > 0 and math.isfinite(first)):
        raise argparse.ArgumentTypeError(f"'{text}': FROM must be at least TO, and TO and STEP above 0")
    return first, last, step


def parsed(words):
    parser = argparse.ArgumentParser(prog="sinew protocol", add_help=False, allow_abbrev=False)
    parser.add_argument("case")
    for name in ("s1s2", "dynamic"):
        parser.add_argument("--" + name, type=range_of)
    for name, value in (("cycle", 1000), ("rest", 500), ("resolution", 0)):
        parser.add_argument("--" + name, type=float, default=value)
    parser.add_argument("--beats", type=int, default=0)
    for name in ("whole", "overwrite", "trust"):
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("-q", "--quiet", action="store_true")
    parser.add_argument("-o", "--output")
    parser.add_argument("--launcher", default="")
    for name in ("-j", "--threads"), ("--backend",), ("--set",):
        parser.add_argument(*name, action="append", default=[])
    return parser.parse_args(words)


def main(words):
    args = parsed(words[1:])
    if bool(args.s1s2) == bool(args.dynamic):
        print("sinew: a protocol is one of --s1s2 and --dynamic", file=sys.stderr)
        return USAGE
    args.beats = args.beats or (4 if args.s1s2 else 10)
    beside = args.case if os.path.isdir(args.case) else os.path.dirname(args.case)
    output = args.output or os.path.join(beside, "protocol")
    options = ["--trust"] if args.trust else []
    for name in ("threads", "backend", "set"):
        for value in getattr(args, name):
            options += ["--" + name, value]
    try:
        launcher = shlex.split(args.launcher)
    except ValueError as why:
        print(f"sinew: --launcher '{args.launcher}': {why}", file=sys.stderr)
        return USAGE
    note = (lambda line: None) if args.quiet else (lambda line: print(line, flush=True))
    try:
        os.makedirs(output, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="sinew-") as meshes:
            program = Program(words[0], args.case, options, output, args.overwrite, meshes, launcher)
            protocol = (Extra if args.s1s2 else Trains)(program, args, note)
            protocol.begin()
            high, low, step = args.s1s2 or args.dynamic
            protocol.scan(protocol.try_one, low, high, step)
            if args.dynamic:
                protocol.rest()
        protocol.summary()
        note(f"{len(protocol.rows)} intervals; {os.path.join(output, 'protocol.csv')}")
    except Failed as why:
        print(why.args[1], file=sys.stderr)
        return why.args[0]
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return STOPPED
    except OSError as why:
        print(f"cannot write '{output}': {why.strerror}", file=sys.stderr)
        return 9
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
