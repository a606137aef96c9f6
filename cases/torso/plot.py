"""Draws picture.png: the twelve leads.  python3 plot.py [RESULTS]   (matplotlib)"""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

with open((sys.argv[1] if len(sys.argv) > 1 else "results") + "/probes.csv") as f:
    rows = list(csv.reader(f))
column = {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}
figure, axes = plt.subplots(3, 4, figsize=(8, 4), sharex=True, sharey=True)
order = ("I", "aVR", "V1", "V4", "II", "aVL", "V2", "V5", "III", "aVF", "V3", "V6")
for axis, name in zip(axes.flat, order):
    axis.plot(column["time"], column[name], color="0.1", linewidth=1.5)
    axis.set_title(name, fontsize=9, pad=2)
    axis.grid(color="0.85")
axes[2][0].set_xlabel("ms")
axes[2][0].set_ylabel("mV")
figure.tight_layout(pad=0.5)
figure.savefig("picture.png", dpi=90)
