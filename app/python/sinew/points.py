"""Which points a sweep has: all combinations of some values, or samples of distributions. `sinew sweep` has this file inside, before
served.py and study.py: all here needs nothing but Python itself."""
import functools
import hashlib
import itertools
import math
import operator
import random
import re
import statistics


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
    if not isinstance(over, dict):
        return f"over is a dict of keys and their values, {{'materials.0.young': [1e9, 2e9]}}, not {type(over).__name__}"
    if not over:
        return "there is nothing to go over: {'materials.0.young': [1e9, 2e9]}"
    for key, values in over.items():
        if not isinstance(values, (list, Prior)):
            return f"'{key}' has {values!r}: a list of values, or a distribution, is expected"
        if values == []:
            return f"'{key}' has no value"
    return None


def wrong_texts(over):
    """What is wrong with {key: [texts] or Prior}, or None: a point has its folder by its values."""
    for key, texts in over.items():
        for text in [] if isinstance(texts, Prior) else texts:
            if texts.count(text) > 1:
                return f"'{key}' has {text} {texts.count(text)} times: each point has a folder by its values; leave the others out"
    return None


def wrong_number(name, number):
    """What is wrong with a count, or None."""
    try:
        return None if number is None or operator.index(number) >= 1 else f"{name} is {number}, must be at least 1"
    except TypeError:
        return f"{name} is {number!r}, must be a whole number"


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


# Distributions for sinew.sweep, of two numbers: between them all values, or all logarithms, alike; mean and deviation of Gauss's.
uniform, log_uniform, normal = (functools.partial(Prior, kind) for kind in Prior.KINDS)
