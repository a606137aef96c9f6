"""Draws the loops of both cases. Any Python with matplotlib: `pvpython` has one.

pvpython cases/cyclic-bar/picture.py RESULTS RESULTS-OF-CHABOCHE PICTURE.png
"""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

TURNS = ([(0, 0), (1, 1), (3, -1), (5, 1), (7, -1)], [(0, 0), (1, 0.6), (2, -0.6), (3, 0.6), (4, -0.6), (5, 0.6), (6, -0.6)])


def strain(turns, t):
    for (a, x), (b, y) in zip(turns, turns[1:]):
        if t <= b:
            return x + (y - x) * (t - a) / (b - a)
    return turns[-1][1]


figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
for ax, folder, turns, name in zip(axes, sys.argv[1:3], TURNS, ("one backstress", "three backstresses, saturation")):
    rows = list(csv.DictReader(open(folder + "/probes.csv")))
    ax.plot([strain(turns, float(r["time"])) for r in rows], [float(r["stress"]) for r in rows], color="#b03a2e", lw=1.2)
    ax.set_title(name)
    ax.set_xlabel("strain [%]")
    ax.grid(alpha=0.3)
axes[0].set_ylabel("stress [MPa]")
figure.tight_layout()
figure.savefig(sys.argv[3], dpi=100)
