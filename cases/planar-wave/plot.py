"""Draws picture.png: potential and recovery along the strip.  python3 plot.py [RESULTS]   (h5py, numpy, matplotlib)"""
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

with h5py.File((sys.argv[1] if len(sys.argv) > 1 else "results") + "/results.hdf") as f:
    points = f["VTKHDF/Points"][:]
    times = f["VTKHDF/Steps/Values"][:]
    n = len(points)
    fields = {name: f["VTKHDF/PointData/" + name][: len(times) * n].reshape(-1, n) for name in ("potential", "recovery")}
line = np.flatnonzero(points[:, 1] == 0)
line = line[np.argsort(points[line, 0])]
figure, axes = plt.subplots(2, 1, figsize=(8, 4), sharex=True)
for axis, name, unit in zip(axes, fields, ("mV", "1")):
    for i in range(2, len(times), 2):
        axis.plot(points[line, 0], fields[name][i][line], color=plt.cm.viridis(i / len(times)), label="%g ms" % times[i])
    axis.set_ylabel("%s, %s" % (name, unit))
axes[1].set_xlabel("x, mm")
axes[0].legend(loc="right", fontsize=8)
figure.tight_layout(pad=0.5)
figure.savefig("picture.png", dpi=90)
