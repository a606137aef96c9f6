"""Draws both runs of this case beside waves of shear in closed form. Any Python with matplotlib: `pvpython` has one.

pvpython cases/soil-column/picture.py RESULTS RESULTS-OF-FREQUENCY PICTURE.png
"""
import bisect
import cmath
import csv
import math
import os
import sys

DEPTH, SHEAR, DENSITY, LOSS = 30.0, 8e7, 2000.0, 0.1
TIME = DEPTH / math.sqrt(SHEAR / DENSITY)  # of a wave from the rock to the surface
SPECTRUM = ((0.3, 0.2), (1, 1), (4, 1), (12, 0.3))
HERE = os.path.dirname(os.path.abspath(__file__))


def line(points, at):
    """Straight from point to point."""
    k = min(max(bisect.bisect(points, (at, math.inf)), 1), len(points) - 1)
    (a, b), (c, d) = points[k - 1], points[k]
    return b + (d - b) * min(max((at - a) / (c - a), 0), 1)


def surface(record, t):
    """Twice what arrives, thrown back by the rock with the other sign."""
    moved = 0
    for n in range(int(t / TIME) + 1):
        arrives = t - (2 * n + 1) * TIME
        moved += 2 * (-1) ** n * line(record, arrives) if arrives > 0 else 0
    return moved


def shaken(frequency):
    """Complex motion of the surface where the rock has the acceleration of SPECTRUM."""
    omega = 2 * math.pi * frequency
    k = omega * cmath.sqrt(DENSITY / (SHEAR * (1 + 1j * LOSS)))
    return -line(SPECTRUM, frequency) / omega**2 / cmath.cos(k * DEPTH)


def columns(path, *names):
    with open(path) as file:
        return [tuple(float(row[name]) for name in names) for row in csv.DictReader(file)]


def record():
    with open(os.path.join(HERE, "record.csv")) as file:
        return [tuple(float(word) for word in row.split(",")) for row in file.readlines()[1:]]


def draw(quake, sweep, picture):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rock, fine = record(), [0.02 * i for i in range(1001)]
    figure, (above, below) = plt.subplots(2, 1, figsize=(9, 7), dpi=100)
    above.plot(fine, [100 * line(rock, t) for t in fine], color="#999999", linewidth=1.2, label="rock")
    above.plot(fine, [100 * surface(rock, t) for t in fine], color="#4477aa", label="surface, closed form")
    rows = columns(quake + "/probes.csv", "time", "surface")
    above.plot([r[0] for r in rows], [100 * r[1] for r in rows], ".", color="#cc3311", markersize=3.5, label="Sinew")
    above.set_xlabel("time [s]")
    above.set_ylabel("displacement [cm]")
    above.set_xlim(0, 20)
    fine = [0.5 + 0.01 * i for i in range(1151)]
    below.plot(fine, [line(SPECTRUM, f) for f in fine], color="#999999", linewidth=1.2)
    below.plot(fine, [(2 * math.pi * f) ** 2 * abs(shaken(f)) for f in fine], color="#4477aa")
    rows = columns(sweep + "/probes.csv", "frequency", "surface")
    below.plot([r[0] for r in rows], [(2 * math.pi * r[0]) ** 2 * r[1] for r in rows], ".", color="#cc3311", markersize=5)
    below.set_xlabel("frequency [Hz]")
    below.set_ylabel("acceleration [m/s2]")
    below.set_xlim(0.5, 12)
    below.set_ylim(0)
    above.legend(loc="upper left")
    for axes in (above, below):
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(picture)


if len(sys.argv) > 3:
    draw(*sys.argv[1:4])
else:  # the numbers of `expect:`
    for t in (5, 7.5, 10, 12.5):
        print("surface at %g s: %.6f m" % (t, surface(record(), t)))
    for f in (0.5, 1.65, 5, 12):
        z = shaken(f)
        print("%.7g Hz: %.7g m, %.6g degrees" % (f, abs(z), math.degrees(cmath.phase(z))))
