"""Draws the response of this case beside Euler and Bernoulli's beam. Any Python with matplotlib: `pvpython` has one.

pvpython cases/harmonic-cantilever/picture.py RESULTS PICTURE.png
"""
import cmath
import csv
import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

E, RHO, L, SIDE, LOSS, FORCE = 210e9, 7850.0, 1.0, 0.02, 0.02, 10.0


def beam(frequency):
    """Tip of a cantilever under a force at its tip, modulus E (1 + i loss): Bishop and Johnson, The Mechanics of Vibration."""
    omega, bending = 2 * math.pi * frequency, E * (1 + 1j * LOSS) * SIDE**4 / 12
    k = (RHO * SIDE**2 * omega**2 * L**4 / bending) ** 0.25
    shape = cmath.sin(k) * cmath.cosh(k) - cmath.cos(k) * cmath.sinh(k)
    return FORCE * L**3 / bending * shape / (k**3 * (1 + cmath.cos(k) * cmath.cosh(k)))


with open(sys.argv[1] + "/probes.csv") as file:
    rows = [(float(r["frequency"]), float(r["tip"]), float(r["phase"])) for r in csv.DictReader(file)]
fine = [5 + 0.1 * i for i in range(4951)]
exact = [beam(f) for f in fine]
figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(9, 6), dpi=100, height_ratios=[2, 1])
above.semilogy(fine, [abs(u) for u in exact], color="#4477aa", label="Euler and Bernoulli")
above.semilogy([r[0] for r in rows], [r[1] for r in rows], "o", color="#cc3311", markersize=4, label="Sinew")
above.set_ylabel("amplitude at the tip [m]")
above.legend()
below.plot(fine, [math.degrees(cmath.phase(u)) for u in exact], color="#4477aa")
below.plot([r[0] for r in rows], [r[2] for r in rows], "o", color="#cc3311", markersize=4)
below.set_ylabel("phase [degrees]")
below.set_yticks([-180, -90, 0])
below.set_xlabel("frequency [Hz]")
for axes in (above, below):
    axes.grid(alpha=0.3)
figure.tight_layout()
figure.savefig(sys.argv[2])
