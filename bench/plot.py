#!/usr/bin/env python3
"""Draws the figures that the papers print from the JSON of `sinew bench spmv`.

    sinew bench spmv --backend cuda --json spmv.json
    python3 bench/plot.py spmv.json [FOLDER]

One PNG each, named after what it shows; [P] polynomial-pcg-sbell-elasticity, [E] ell-warp-heart-fem:
  slices      [P] Fig. 6 and after: SELL and SBELL with slices of 32, 64, 96
  formats     [P] GFLOP/s of all formats, the best variant of each, and the vendor's
  precisions  SBELL in double, float, half and 8 bits
  coalesced   [E] rows read by one thread each (CSR scalar) against side by side (CSR vector, K1)
  sorted      [E] Table VI: rows as they come (ELLPACK-R) against sorted (K1)
  renumbered  [E] Fig. A.2 to A.6: K1, K1r, K1rs and K2, K2r, K2rs
  threads     Sliced ELLR-T with 1 to 16 threads per row
  conversion  [E] Table IV and Fig. 10: products until new values and the whole build are won back
  regret      time of the choice over the best of all, per matrix
Bars are GFLOP/s unless said otherwise; a missing bar was refused by the format (see "cannot" in the JSON).
"""
import json
import os
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("plot.py needs matplotlib: apt-get install python3-matplotlib, or pip install matplotlib")


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: cannot be read as JSON: {error}")
    if data.get("bench") != "spmv":
        sys.exit(f"{path}: is not from 'sinew bench spmv'")
    data["matrices"] = [m for m in data["matrices"] if m.get("formats")]
    if not data["matrices"]:
        sys.exit(f"{path}: holds no measured matrix")
    return data


def measured(matrix, **wanted):
    """Figures of the variants that have these members."""
    return [f for f in matrix["formats"] if not f["cannot"] and all(f.get(k) == v for k, v in wanted.items())]


def rate(matrix, precision="double", **wanted):
    """GFLOP/s of the fastest of them, or None."""
    found = [f[precision]["gflop_per_s"] for f in measured(matrix, **wanted)]
    return max(found) if found else None


def vendor(matrix, kind, precision="double"):
    us = matrix[precision].get(f"cusparse_{kind}_us") or 0
    return 2e-3 * matrix["entries"] / us if us > 0 else None


def bars(data, folder, name, title, series, ylabel="GFLOP/s", log=False):
    """series: list of (label, one value or None per matrix)."""
    series = [(label, values) for label, values in series if any(v is not None for v in values)]
    if not series:
        print(f"{name}: nothing measured, not drawn")
        return
    names = [m["matrix"] for m in data["matrices"]]
    figure, axes = plt.subplots(figsize=(max(7, 0.9 * len(names) + 2), 4.2))
    width = 0.8 / len(series)
    for k, (label, values) in enumerate(series):
        at = [i - 0.4 + (k + 0.5) * width for i, v in enumerate(values) if v is not None]
        axes.bar(at, [v for v in values if v is not None], width, label=label)
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    axes.set_ylabel(ylabel)
    if log:
        axes.set_yscale("log")
    axes.set_title(f"{title}\n{data['device']}, copy {data['copy_gb_per_s']:.0f} GB/s", fontsize=10)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    figure.tight_layout()
    path = os.path.join(folder, f"spmv-{name}.png")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(path)


def draw_slices(data, folder):
    series = [(f"{name} {slice_}", [rate(m, format=name, slice=slice_) for m in data["matrices"]])
              for name in ("sell", "sbell") for slice_ in (32, 64, 96)]
    bars(data, folder, "slices", "SELL and SBELL by slice size, double", series)


def draw_formats(data, folder):
    names = list(dict.fromkeys(f["format"] for m in data["matrices"] for f in m["formats"]))
    for precision in ("double", "float"):
        series = [(n, [rate(m, precision, format=n) for m in data["matrices"]]) for n in names]
        series += [(f"cuSPARSE {k.upper()}", [vendor(m, k, precision) for m in data["matrices"]])
                   for k in ("csr", "bsr", "sell")]
        bars(data, folder, f"formats-{precision}", f"best variant of each format, {precision}", series)


def draw_precisions(data, folder):
    series = []
    for precision in ("double", "float", "half", "int8"):
        values = []
        for matrix in data["matrices"]:
            found = [f[precision]["gflop_per_s"] for f in measured(matrix, format="sbell") if precision in f]
            values.append(max(found) if found else None)
        series.append((precision, values))
    bars(data, folder, "precisions", "SBELL by the precision of its values", series)


def draw_pairs(data, folder):
    pick = lambda **wanted: [rate(m, **wanted) for m in data["matrices"]]
    bars(data, folder, "coalesced", "a row read by one thread, or side by side",
         [("CSR, thread per row", pick(format="csr", variant="scalar")),
          ("CSR, threads share a row", pick(format="csr", variant="vector")),
          ("ELL-WARP K1", pick(format="ell-warp", variant="k1"))])
    bars(data, folder, "sorted", "rows as they come, or sorted by length",
         [("ELLPACK", pick(format="ell")), ("ELLPACK-R", pick(format="ellr")), ("SELL", pick(format="sell", slice=32)),
          ("ELL-WARP K1", pick(format="ell-warp", variant="k1"))])
    bars(data, folder, "renumbered", "ELL-WARP: mapped back, renumbered (r), columns sorted (rs)",
         [(v, pick(format="ell-warp", variant=v)) for v in ("k1", "k1r", "k1rs", "k2", "k2r", "k2rs")]
         + [("segspmv", pick(format="segspmv", variant=None)), ("segspmv r", pick(format="segspmv", variant="r"))])
    bars(data, folder, "threads", "Sliced ELLR-T by threads per row",
         [(f"T = {t}", pick(format="sliced-ellr-t", threads=t)) for t in (1, 2, 4, 8, 16)])


def draw_conversion(data, folder):
    series = []
    for what, label in (("refresh", "new values"), ("build", "whole build")):
        for name in ("sbell", "sell", "ell-warp"):
            values = []
            for matrix in data["matrices"]:
                found = [f["double"][f"products_until_{what}_paid"] for f in measured(matrix, format=name)]
                found = [v for v in found if v > 0]
                values.append(min(found) if found else None)
            series.append((f"{name}, {label}", values))
    bars(data, folder, "conversion", "products until conversion from CSR is won back", series, "products", log=True)


def draw_regret(data, folder):
    series = [(p, [100 * m[p]["regret"] if m[p].get("regret") is not None else None for m in data["matrices"]])
              for p in ("double", "float")]
    bars(data, folder, "regret", "time of the choice above the best of all variants", series, "per cent")


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit("usage: python3 bench/plot.py SPMV.json [FOLDER]")
    data = load(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) == 3 else "."
    os.makedirs(folder, exist_ok=True)
    for draw in (draw_slices, draw_formats, draw_precisions, draw_pairs, draw_conversion, draw_regret):
        draw(data, folder)


if __name__ == "__main__":
    main()
