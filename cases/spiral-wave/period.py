"""Prints when the potential of each probe crosses -30 mV upward, and the periods.  python3 period.py [RESULTS]"""
import csv
import sys

with open((sys.argv[1] if len(sys.argv) > 1 else "results") + "/probes.csv") as f:
    names, *rows = csv.reader(f)
rows = [[float(n) for n in row] for row in rows]
for column, name in enumerate(names):
    if column == 0 or not any(row[column] < -30 for row in rows):
        continue  # time, and maps
    times = [a[0] + (-30 - a[column]) / (b[column] - a[column]) * (b[0] - a[0])
             for a, b in zip(rows, rows[1:]) if a[column] < -30 <= b[column]]
    print(name, "crosses at", " ".join("%.1f" % t for t in times), "ms; periods",
          " ".join("%.1f" % (b - a) for a, b in zip(times, times[1:])), "ms")
