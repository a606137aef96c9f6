"""Draws both runs of this case beside a beam with shear and rotary inertia. Any Python with matplotlib: `pvpython` has one.

pvpython cases/footbridge/picture.py RESULTS RESULTS-OF-FREQUENCY PICTURE.png      (the first with --set output.every=0.02)
"""
import cmath
import csv
import math
import sys

LENGTH, HEIGHT, WIDTH, YOUNG, POISSON, DENSITY = 30.0, 1.0, 2.0, 30e9, 0.2, 2500.0
WEIGHT, SHARE, STEPS, SPEED, BUMP, DAMPING = 700.0, 0.4, 1.74, 1.5, 0.5, 0.01
HELD = DENSITY * HEIGHT * WIDTH * LENGTH / 2  # mass of each mode: of sin(k x)


def mode(n):
    """k and omega of half waves n of a simply supported beam: the lower root of Timoshenko's equation, kappa = 5/6."""
    k, inertia, area = n * math.pi / LENGTH, WIDTH * HEIGHT**3 / 12, WIDTH * HEIGHT
    shear = 5 / 6 * YOUNG / (2 * (1 + POISSON))
    a = DENSITY * inertia * DENSITY / shear
    b = DENSITY * area + DENSITY * inertia * k**2 * (1 + YOUNG / shear)
    c = YOUNG * inertia * k**4
    return k, math.sqrt(2 * c / (b + math.sqrt(b * b - 4 * a * c)))


def bump(k):
    """What spreading a force over the bump leaves of its work on sin(k x)."""
    return math.exp(-((k * BUMP) ** 2) / 4)


def begun(omega, other, phase, t):
    """z and its second derivative: z" + 2 damping omega z' + omega^2 z = sin(other t + phase), from rest."""
    steady = cmath.exp(1j * phase) / (omega**2 - other**2 + 2j * DAMPING * omega * other)
    pole = omega * complex(-DAMPING, math.sqrt(1 - DAMPING**2))
    start = -steady.imag
    free = complex(start, (pole.real * start + (1j * other * steady).imag) / pole.imag)
    steady, free = steady * cmath.exp(1j * other * t), free * cmath.exp(pole * t)
    return steady.imag + free.real, (-(other**2) * steady).imag + (pole**2 * free).real


def walker(t, x):
    """Displacement and acceleration at x while the walker is at SPEED t."""
    moved = faster = 0.0
    pace = 2 * math.pi * STEPS
    for n in range(1, 11):
        k, omega = mode(n)
        force = -WEIGHT / HELD * bump(k)  # times sin(k SPEED t) (1 + SHARE sin(pace t))
        own = k * SPEED
        for share, other, phase in ((1, own, 0), (SHARE / 2, pace - own, math.pi / 2), (-SHARE / 2, pace + own, math.pi / 2)):
            z, a = begun(omega, other, phase, t)
            moved += force * share * z * math.sin(k * x)
            faster += force * share * a * math.sin(k * x)
    return moved, faster


def marking(frequency, x):
    """Complex displacement at x where WEIGHT SHARE acts."""
    other, sum = 2 * math.pi * frequency, 0
    for n in range(1, 61):
        k, omega = mode(n)
        sum -= WEIGHT * SHARE / HELD * bump(k) * math.sin(k * x) ** 2 / (omega**2 - other**2 + 2j * DAMPING * omega * other)
    return sum


def draw(walk, sweep, picture):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (above, below) = plt.subplots(2, 1, figsize=(9, 7), dpi=100)
    rows = [(float(r["time"]), 1e3 * float(r["middle"])) for r in csv.DictReader(open(walk + "/probes.csv"))]
    fine = [0.01 * i for i in range(2001)]
    above.plot(fine, [1e3 * walker(t, LENGTH / 2)[0] for t in fine], color="#4477aa", label="beam, closed form")
    above.plot([r[0] for r in rows], [r[1] for r in rows], ".", color="#cc3311", markersize=4, label="Sinew")
    above.set_xlabel("time [s]")
    above.set_ylabel("middle of the bridge [mm]")
    above.set_xlim(0, 20)
    rows = [(float(r["frequency"]), 1e3 * float(r["there"])) for r in csv.DictReader(open(sweep + "/probes.csv"))]
    fine = [1 + 0.005 * i for i in range(3801)]
    below.semilogy(fine, [1e3 * abs(marking(f, 12)) for f in fine], color="#4477aa")
    below.semilogy([r[0] for r in rows], [r[1] for r in rows], ".", color="#cc3311", markersize=5)
    below.set_xlabel("frequency [Hz]")
    below.set_ylabel("amplitude at 12 m [mm]")
    below.set_xlim(1, 20)
    above.legend(loc="upper left")
    for axes in (above, below):
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(picture)


if len(sys.argv) > 3:
    draw(*sys.argv[1:4])
else:  # the numbers of `expect:`
    for t in (8, 10, 15.2):
        print("walker at %g s: %.7g m, %.7g m/s2" % (t, *walker(t, LENGTH / 2)))
    for f in (1, 1.74, 6.94, 10, 20):
        z = marking(f, 12)
        print("%.7g Hz: %.7g m, %.6g degrees" % (f, abs(z), math.degrees(cmath.phase(z))))
