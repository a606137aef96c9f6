"""Draws strip.png: the stored times of a result side by side.  python3 strip.py [RESULTS]   (h5py, numpy, matplotlib)"""
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

with h5py.File((sys.argv[1] if len(sys.argv) > 1 else "results") + "/results.hdf") as f:
    points = f["VTKHDF/Points"][:]
    times = f["VTKHDF/Steps/Values"][:]
    n = len(np.unique(points[:, 0]))
    values = f["VTKHDF/PointData/temperature"][: len(times) * len(points)].reshape(len(times), -1, n)
figure, axes = plt.subplots(1, len(times), figsize=(2.2 * len(times), 2.5))
for axis, time, value in zip(axes, times, values):
    axis.imshow(value, cmap="inferno", origin="lower", vmin=0, vmax=1)
    axis.set_title("t = %g" % time, fontsize=10)
    axis.axis("off")
figure.tight_layout(pad=0.3)
figure.savefig("strip.png", dpi=90)
