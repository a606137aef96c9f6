#!/usr/bin/env python3
"""Draws the figures that the papers print from the JSON of `sinew bench spmv`, `bench pcg` or `bench heart`.

    sinew bench spmv --backend cuda --json spmv.json
    sinew bench pcg --backend cuda --json pcg.json
    sinew bench heart --backend cuda --meshes DIR --petsc petsc_heart.json --json heart.json
    python3 bench/plot.py spmv.json|pcg.json|heart.json [FOLDER]

Of heart.json, all of ell-warp-heart-fem:
  figure1     shares of assembly and of linear solves in a step, here and in PETSc on one core
  figure2     shares of the parts of a step, launch by launch
  figure12    how many times faster than PETSc on one core

Of pcg.json, all of the polynomial-PCG paper:
  figure10    speed-up of least squares of order 6 over the CPU in CSR and double, the paper's range beside it
  table3      iterations over Jacobi's by order, the paper's beside ours
  degrees     time of a solve by degree, for every preconditioner and precision
Of spmv.json, one PNG each, named after what it shows; [P] polynomial-pcg-sbell-elasticity, [E] ell-warp-heart-fem:
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
    if data.get("bench") in ("pcg", "heart"):
        return data
    if data.get("bench") != "spmv":
        sys.exit(f"{path}: is not from 'sinew bench spmv', 'bench pcg' or 'bench heart'")
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


def save(data, folder, figure, axes, name, title):
    axes.set_title(f"{title}\n{data['device']}, meshes at {data['percent']} % of the paper's edges", fontsize=10)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    figure.tight_layout()
    path = os.path.join(folder, f"pcg-{name}.png")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(path)


def draw_figure10(data, folder):
    rows = (data.get("paper") or {}).get("table5") or []
    if not rows:
        print("figure10: not measured (--part cpu), not drawn")
        return
    figure, axes = plt.subplots(figsize=(7.5, 4.2))
    variants = [(v["format"], v["precision"]) for v in rows[0]["figure10"]]
    for k, (name, precision) in enumerate(variants):
        at = [i - 0.3 + 0.2 * k for i in range(len(rows))]
        found = [r["figure10"][k] for r in rows]
        label = f"{name} + {'double' if precision == 'double' else 'mixed'}"
        axes.bar(at, [v["speedup"] for v in found], 0.18, label=label)
        low, high = found[0]["paper_lowest"], found[0]["paper_highest"]
        axes.errorbar(at, [0.5 * (low + high)] * len(at), yerr=0.5 * (high - low), fmt="none", ecolor="black", capsize=3,
                      label="the paper's range" if k == 0 else None)
    axes.set_xticks(range(len(rows)), [r["mesh"] for r in rows])
    axes.set_ylabel("speed-up")
    axes.set_yscale("log")
    save(data, folder, figure, axes, "figure10", f"least squares of order 6 over {data['paper']['cpu']}, CSR, double")


def draw_table3(data, folder):
    table = (data.get("paper") or {}).get("table3")
    if not table:
        print("table3: not measured (--part table3), not drawn")
        return
    figure, axes = plt.subplots(figsize=(7.5, 4.2))
    for k, method in enumerate(dict.fromkeys(r["method"] for r in table["rows"])):
        rows = [r for r in table["rows"] if r["method"] == method]
        axes.plot([r["order"] for r in rows], [r["paper_ratio"] for r in rows], f"C{k}--", label=f"{method}, paper")
        own = [r for r in rows if r["converged"]]
        axes.plot([r["order"] for r in own], [r["ratio"] for r in own], f"C{k}o-", label=f"{method}, ours")
        like = [r for r in rows if "iterations_as_the_paper" in r]
        axes.plot([r["order"] for r in like], [r["iterations_as_the_paper"] / table["jacobi"] for r in like], f"C{k}x:",
                  label=f"{method}, as the paper")
    axes.set_xlabel("order")
    axes.set_ylabel("iterations over those of Jacobi")
    save(data, folder, figure, axes, "table3", "Table 3")


def draw_degrees(data, folder):
    for mesh in data.get("meshes", []):
        figure, axes = plt.subplots(figsize=(7.5, 4.2))
        rows = [r for r in mesh["solves"] if r["role"] == "degree" and r["converged"]]
        for name, precision in dict.fromkeys((r["preconditioner"], r["precision"]) for r in rows):
            found = [r for r in rows if (r["preconditioner"], r["precision"]) == (name, precision)]
            axes.plot([r["degree"] for r in found], [r["solve_ms"] for r in found], "o-", label=f"{name}, {precision}")
        if not rows:
            plt.close(figure)
            continue
        axes.set_xlabel("degree")
        axes.set_ylabel("ms")
        axes.set_yscale("log")
        save(data, folder, figure, axes, f"degrees-{mesh['mesh']}", f"{mesh['mesh']}: a solve by degree")


def heart_names(rows):
    return [f"{r['mesh']}\n{r['nodes']:,}" for r in rows]


def save_heart(data, folder, figure, axes, name, title, rows):
    axes.set_xticks(range(len(rows)), heart_names(rows), rotation=35, ha="right", fontsize=8)
    axes.set_title(f"{title}\n{data['device']}, {data['model']}, {data['time']}, dt {rows[0]['dt_ms']} ms, "
                   f"tolerance {rows[0]['rtol']:.0e}", fontsize=10)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    figure.tight_layout()
    path = os.path.join(folder, f"heart-{name}.png")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(path)


def stack(axes, at, width, shares, colours, labels):
    below = [0] * len(at)
    for share, colour, label in zip(shares, colours, labels):
        axes.bar(at, share, width, bottom=below, color=colour, label=label)
        below = [a + b for a, b in zip(below, share)]


def heart_rows(data, scheme):
    return sorted((r for r in data["figures"] if r["scheme"] == scheme), key=lambda r: r["nodes"])


def one_core(row):
    return next((p for p in row.get("petsc", []) if p["ranks"] == 1), None)


def draw_heart_figure1(data, folder):
    """The scheme of the paper: reaction at points, a matrix assembled in each Newton step."""
    rows = heart_rows(data, "gauss")
    figure, axes = plt.subplots(figsize=(9, 4.2))
    ours, theirs = [], []
    for r in rows:
        phase = r["phases_us_launch_by_launch"]
        whole = sum(phase.values())
        ours.append([100 * (phase["cells"] + phase["assembly"]) / whole, 100 * (phase["products"] + phase["solver"]) / whole])
        p = one_core(r)
        theirs.append([100 * p["assembly_us"] / p["us_per_step"], 100 * p["solve_us"] / p["us_per_step"]] if p else [0, 0])
    stack(axes, [i - 0.2 for i in range(len(rows))], 0.36, zip(*ours), ("C3", "C0"), ("assembly", "linear solves"))
    stack(axes, [i + 0.2 for i in range(len(rows))], 0.36, zip(*theirs), ("#e8a0a0", "#a0c0e8"),
          ("assembly, PETSc on one core", "linear solves, PETSc on one core"))
    axes.set_ylabel("per cent of a step")
    save_heart(data, folder, figure, axes, "figure1", "reaction at points", rows)


def draw_heart_figure2(data, folder):
    for scheme in ("nodal", "gauss"):
        rows = heart_rows(data, scheme)
        figure, axes = plt.subplots(figsize=(9, 4.2))
        names = list(rows[0]["phases_us_launch_by_launch"])
        shares = [[100 * r["phases_us_launch_by_launch"][n] / sum(r["phases_us_launch_by_launch"].values()) for r in rows]
                  for n in names]
        stack(axes, range(len(rows)), 0.7, shares, [f"C{k}" for k in range(len(names))], names)
        axes.set_ylabel("per cent of a step")
        save_heart(data, folder, figure, axes, f"figure2-{scheme}", f"reaction {scheme}: where a step's time goes", rows)


def draw_heart_figure12(data, folder):
    figure, axes = plt.subplots(figsize=(9, 4.2))
    rows = [r for r in heart_rows(data, "nodal") if one_core(r)]
    if not rows:
        plt.close(figure)
        print("figure12: no figures of PETSc (--petsc), not drawn")
        return
    for k, scheme in enumerate(("nodal", "gauss")):
        found = {r["mesh"]: one_core(r) for r in heart_rows(data, scheme)}
        values = [found[r["mesh"]]["speed_up"] if found.get(r["mesh"]) else 0 for r in rows]
        axes.bar([i - 0.2 + 0.4 * k for i in range(len(rows))], values, 0.38, label=scheme)
    axes.axhline(12, color="black", linestyle=":", label="the paper's best, 50,000 nodes")
    axes.set_yscale("log")
    axes.set_ylabel("times as fast as PETSc on one core")
    save_heart(data, folder, figure, axes, "figure12", "the same scheme; PETSc by the faster of Jacobi and block Jacobi", rows)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit("usage: python3 bench/plot.py SPMV.json|PCG.json|HEART.json [FOLDER]")
    data = load(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) == 3 else "."
    os.makedirs(folder, exist_ok=True)
    if data["bench"] == "heart":
        for draw in (draw_heart_figure1, draw_heart_figure2, draw_heart_figure12):
            draw(data, folder)
        return
    if data["bench"] == "pcg":
        for draw in (draw_figure10, draw_table3, draw_degrees):
            draw(data, folder)
        return
    for draw in (draw_slices, draw_formats, draw_precisions, draw_pairs, draw_conversion, draw_regret):
        draw(data, folder)


if __name__ == "__main__":
    main()
