"""page.py PROGRAM FOLDER OUT page|curves said|quiet: one HTML page about a result, for `sinew report`, or its curves as one SVG, for `sinew plot
--curves`. Both have this file inside and start it with the Python that is installed. It needs nothing but Python itself, and the page needs no network: pictures are inside as data, curves as SVG.

Numbers are those of report.json and probes.csv; the case and the fields come from `sinew info`, the mesh from `sinew convert`.
"""
import base64
import csv
import html
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

WIDTH, HEIGHT, CELLS = 460, 340, 500_000  # of a picture; cells of the largest body that is drawn
CURVE = 720, 260  # width and height of a curve
NOISE = 1e-7  # what a field varies by below this share of itself is left by the solver, and is not drawn
MANY = 20  # rows of a table that is folded
# Viridis (S. van der Walt and N. Smith, 2015, public domain), at equal steps; linear between.
COLOURS = [(68, 1, 84), (72, 37, 118), (65, 68, 135), (53, 95, 141), (42, 120, 142), (33, 145, 140), (34, 168, 132), (68, 191, 112),
           (122, 209, 81), (189, 223, 38), (253, 231, 37)]
LINES = ["#1b6ca8", "#c8553d", "#3a7d44", "#7d3c98", "#b7950b", "#566573"]
KIND = {"von-mises": "stress", "peak-tension": "stress", "activation": "time", "displacement": "length", "displacement-amplitude": "length"}  # of its unit
PREFERRED = ["von-mises", "activation", "peak-tension", "potential", "temperature", "displacement-amplitude", "displacement"]
HEXAHEDRON = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
TETRAHEDRON = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
WEDGE = [(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)]
PYRAMID = [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
# Faces of VTK's cells between their corners; of flat ones the cell itself.
FACES = {5: [(0, 1, 2)], 22: [(0, 1, 2)], 69: [(0, 1, 2)], 9: [(0, 1, 2, 3)], 23: [(0, 1, 2, 3)], 28: [(0, 1, 2, 3)],
         10: TETRAHEDRON, 24: TETRAHEDRON, 71: TETRAHEDRON, 12: HEXAHEDRON, 25: HEXAHEDRON, 29: HEXAHEDRON,
         13: WEDGE, 26: WEDGE, 14: PYRAMID, 27: PYRAMID}
FLAT = {5, 22, 69, 9, 23, 28}


class Mesh:
    """A .vtu of `sinew convert`: points, cells and fields at nodes, as flat lists."""

    def __init__(self, path):
        raw = open(path, "rb").read()
        head, self.raw = raw[:raw.index(b"<AppendedData")].decode(), raw
        self.start = raw.index(b"_", raw.index(b"<AppendedData")) + 1
        order = "<" if 'byte_order="LittleEndian"' in head else ">"
        self.fields, arrays, section = {}, {}, ""
        for tag in re.finditer(r"<(Points|Cells|PointData|CellData)>|<DataArray type=\"(\w+)\" Name=\"([^\"]*)\" "
                               r"(?:NumberOfComponents=\"(\d+)\" )?format=\"appended\" offset=\"(\d+)\"", head):
            if tag[1]:
                section = tag[1]
            else:
                letter = {"Float64": "d", "Int64": "q", "UInt8": "B"}[tag[2]]
                place = (order, letter, int(tag[4] or 1), int(tag[5]))
                (self.fields if section == "PointData" else arrays)[html.unescape(tag[3])] = place
        self.points, self.types = self.read(arrays["Points"]), self.read(arrays["types"])
        self.ends, self.nodes = self.read(arrays["offsets"]), self.read(arrays["connectivity"])

    def read(self, place):
        order, letter, _, offset = place
        at = self.start + offset
        size = struct.unpack_from(order + "Q", self.raw, at)[0]
        return struct.unpack_from(order + str(size // struct.calcsize(letter)) + letter, self.raw, at + 8)

    def surface(self):
        """Faces that one cell alone has, as triples and quadruples of nodes."""
        faces, start = {}, 0
        for kind, end in zip(self.types, self.ends):
            for face in FACES.get(kind, []):
                nodes = tuple(self.nodes[start + a] for a in face)
                key = (tuple(sorted(nodes)), kind in FLAT)
                faces[key] = None if key in faces and kind not in FLAT else nodes
            start = end
        return [f for f in faces.values() if f]


def colour(share):
    at = min(max(share, 0), 1) * (len(COLOURS) - 1)
    k = min(int(at), len(COLOURS) - 2)
    return bytes(round(a + (b - a) * (at - k)) for a, b in zip(COLOURS[k], COLOURS[k + 1]))


def png(pixels):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + bytes(pixels[3 * WIDTH * y:3 * WIDTH * (y + 1)]) for y in range(HEIGHT))
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def draw(points, faces, shares, axes):
    """The body seen against axes[2]; axes[0] goes to the right, axes[1] up. The nearest of what lies at a pixel is drawn."""
    seen = [[sum(a * x for a, x in zip(axis, p)) for axis in axes] for p in points]
    used = {n for f in faces for n in f}
    low, high = ([pick(seen[n][k] for n in used) for k in (0, 1)] for pick in (min, max))
    scale = min((WIDTH - 20) / max(high[0] - low[0], 1e-300), (HEIGHT - 20) / max(high[1] - low[1], 1e-300))
    place = {n: ((seen[n][0] - (low[0] + high[0]) / 2) * scale + WIDTH / 2, HEIGHT / 2 - (seen[n][1] - (low[1] + high[1]) / 2) * scale,
                 seen[n][2]) for n in used}
    pixels, depth, table = bytearray(b"\xff" * (3 * WIDTH * HEIGHT)), [-math.inf] * (WIDTH * HEIGHT), [colour(k / 255) for k in range(256)]
    for face in faces:
        for a, b, c in [(face[0], face[k], face[k + 1]) for k in range(1, len(face) - 1)]:
            (ax, ay, az), (bx, by, bz), (cx, cy, cz) = place[a], place[b], place[c]
            area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
            if abs(area) < 1e-9:
                continue
            va, vb, vc = 255 * shares[a], 255 * shares[b], 255 * shares[c]
            for y in range(math.ceil(min(ay, by, cy)), math.floor(max(ay, by, cy)) + 1):
                for x in range(math.ceil(min(ax, bx, cx)), math.floor(max(ax, bx, cx)) + 1):
                    u = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area
                    v = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area
                    w = 1 - u - v
                    if u < -1e-9 or v < -1e-9 or w < -1e-9:
                        continue
                    z, at = u * az + v * bz + w * cz, y * WIDTH + x
                    if z > depth[at]:
                        depth[at] = z
                        pixels[3 * at:3 * at + 3] = table[min(max(int(u * va + v * vb + w * vc), 0), 255)]
    return "data:image/png;base64," + base64.b64encode(png(pixels)).decode()


def number(value):
    return f"{value:.6g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def table(rows, head=None):
    """A long one is folded, so that what comes behind it is seen."""
    cells = lambda row, tag: "".join(f"<{tag}>{html.escape(number(v))}</{tag}>" for v in row)
    out = "<table>" + (f"<tr>{cells(head, 'th')}</tr>" if head else "") + "".join(f"<tr>{cells(r, 'td')}</tr>" for r in rows) + "</table>\n"
    return out if len(rows) <= MANY else f"<details><summary>{len(rows):,} rows</summary>{out}</details>\n"


def curve(title, label, times, lines):
    """An SVG of columns over a first one."""
    left, right, top, bottom, (w, h) = 70, 150, 26, 34, CURVE
    values = [v for _, line in lines for v in line if math.isfinite(v)]
    if len(times) < 2 or not values or times[-1] == times[0]:
        return ""
    low, high = min(values), max(values)
    if high == low:
        low, high = low - (abs(low) or 1), high + (abs(high) or 1)
    t0, t1 = min(times), max(times)
    X = lambda t: left + (t - t0) / (t1 - t0) * (w - left - right)
    Y = lambda v: h - bottom - (v - low) / (high - low) * (h - top - bottom)
    out = [f'<svg viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img"><text x="{left}" y="16" class="head">{html.escape(title)}</text>']
    for k in range(5):
        v, t = low + (high - low) * k / 4, t0 + (t1 - t0) * k / 4
        out.append(f'<path d="M{left} {Y(v):.1f}H{w - right}" class="grid"/><text x="{left - 6}" y="{Y(v) + 4:.1f}" text-anchor="end">{v:.4g}</text>')
        out.append(f'<text x="{X(t):.1f}" y="{h - bottom + 16}" text-anchor="middle">{t:.4g}</text>')
    out.append(f'<text x="{(left + w - right) / 2}" y="{h - 3}" text-anchor="middle">{html.escape(label)}</text>')
    for k, (name, line) in enumerate(lines):
        path, pen = [], "M"
        for t, v in zip(times, line):
            path.append(f"{pen}{X(t):.1f} {Y(v):.1f}" if math.isfinite(v) else "")
            pen = "L" if math.isfinite(v) else "M"
        out.append(f'<path d="{"".join(path)}" fill="none" stroke="{LINES[k % 6]}" stroke-width="1.5"/>'
                   f'<text x="{w - right + 8}" y="{top + 12 + 15 * k}" fill="{LINES[k % 6]}">{html.escape(name)}</text>')
    return "".join(out) + "</svg>\n"


def pictures(program, folder, report):
    with tempfile.TemporaryDirectory() as work:
        path, modes = os.path.join(work, "step.vtu"), report.get("modes") and not report.get("frequencies")
        done = subprocess.run([program, "convert", folder, path, *(["--step", "1"] if modes else [])], capture_output=True, text=True)
        if done.returncode:
            return f"<p>No pictures: {html.escape(done.stderr.strip())}</p>"
        mesh = Mesh(path)
    field = next((f for f in PREFERRED if f in mesh.fields), None)
    if not field or len(mesh.types) > CELLS:
        return f"<p>No pictures: {'no field to draw' if not field else f'more than {CELLS:,} cells'}.</p>"
    n = mesh.fields[field][2]
    raw, faces = mesh.read(mesh.fields[field]), mesh.surface()
    values = [raw[i] if n == 1 else math.hypot(*raw[i * n:i * n + n]) for i in range(len(raw) // n)]
    points = [list(mesh.points[3 * i:3 * i + 3]) for i in range(len(mesh.points) // 3)]
    used = sorted({k for f in faces for k in f})
    if not used:
        return "<p>No pictures: no faces to draw.</p>"
    size = max(max(points[k][c] for k in used) - min(points[k][c] for k in used) for c in range(3))
    warped = ""
    if "displacement" in mesh.fields:
        u = mesh.read(mesh.fields["displacement"])
        most = max(math.hypot(*u[3 * k:3 * k + 3]) for k in used)
        factor = 0.07 * size / most if most else 0
        factor = factor if modes or not most else max(factor, 1)  # never less than there is; modes have no size of their own
        warped = f", displacements drawn {factor:.3g} times as large"
        points = [[x + factor * d for x, d in zip(p, u[3 * k:3 * k + 3])] for k, p in enumerate(points)]
    low, high = min(values[k] for k in used), max(values[k] for k in used)
    same = high - low <= NOISE * max(abs(low), abs(high))
    shares = [0.5 if same else (v - low) / (high - low) for v in values]
    flat = all(t in FLAT for t in mesh.types) and len({p[2] for p in points}) == 1
    views = [("in the plane", ((1, 0, 0), (0, 1, 0), (0, 0, 1)))] if flat else [
        ("from the front (-y)", ((1, 0, 0), (0, 0, 1), (0, -1, 0))), ("from the right (+x)", ((0, 1, 0), (0, 0, 1), (1, 0, 0))),
        ("from above (+z)", ((1, 0, 0), (0, 1, 0), (0, 0, 1)))]
    bar = "".join(f"<span style='background:rgb{tuple(colour(k / 20))}'></span>" for k in range(21))
    unit = unit_of(field, report)
    legend = f"<p class='bar'>{f'{low:.4g}' if same else f'{low:.4g} {bar} {high:.4g}'} {html.escape(unit)}{' everywhere' if same else ''}</p>"
    figures = "".join(f"<figure><img alt='{html.escape(field)} {where}' src='{draw(points, faces, shares, axes)}'>"
                      f"<figcaption>{html.escape(field)}, {where}</figcaption></figure>" for where, axes in views)
    return f"<p>{html.escape(field)} {'of the first mode' if modes else 'at the last stored time'}{warped}.</p>{legend}<div class='views'>{figures}</div>\n"


def unit_of(field, report):
    unit = report.get("unit") or {}
    return unit.get(KIND.get(field, field)) or ""


def largest(entry, report):
    return [[name, v.get("value"), unit_of(name, report), v.get("at") and ", ".join(number(x) for x in v["at"]), v.get("group") or ""]
            for name, v in (entry.get("largest") or {}).items()]


def percent(share):
    return "" if share is None else f"{100 * share:.2g} %"


def listed(report, key, title):
    """A list of the report as a table, without the maps inside its items but that of probes and sums."""
    items = [{**i, **(i.get("values") or {})} for i in report.get(key) or [] if isinstance(i, dict)]
    if not items:
        return ""
    head = list(dict.fromkeys(k for i in items for k in i if not isinstance(i[k], dict)))
    rows = [[", ".join(map(number, v)) if isinstance(v, list) else "" if v is None else v for v in (i.get(k) for k in head)] for i in items]
    return f"<h3>{title}</h3>" + table(rows, head)


def came_out(report, units):
    out, cases = "", report.get("load_cases") or []
    rows = [["" if not cases else c.get("name", ""), *row] for c in (cases or [report]) for row in largest(c, report)]
    if rows:
        out += "<h3>Largest values</h3>" + table(rows, ["load case", "field", "value", "unit", "at", "group"])
    errors = [[c.get("name", ""), percent(c["stress_error"].get("at_largest")), percent(c["stress_error"].get("relative"))]
              for c in (cases or [report]) if c.get("stress_error")]
    if errors:
        out += "<h3>Estimated error of the stress</h3>" + table(errors, ["load case", "at the largest von Mises stress", "in the energy norm"])
    out += "".join(listed(report, key, title) for key, title in (("modes", "Modes"), ("contact", "Contact"), ("bolts", "Bolts"), ("passes", "Passes")))
    if report.get("values"):
        out += "<h3>Probes and sums, at the end</h3>" + table([[k, v, units.get(k) or ""] for k, v in report["values"].items()], ["name", "value", "unit"])
    return out


def over_time(folder):
    """A curve of each column of the tables over time, with its name and unit."""
    out, path = [], os.path.join(folder, "report.json")
    report = json.load(open(path)) if os.path.exists(path) else {}
    unit = {**(report.get("unit") or {}), **(report.get("value_units") or {})}
    for table_name, of in ("probes.csv", unit.get), ("loops.csv", lambda name: LOOP_UNIT.get(name.rpartition("-")[2]) or unit.get(name)):
        told = lambda name: f"{name} ({of(name)})" if of(name) else name
        path = os.path.join(folder, table_name)
        rows = list(csv.reader(open(path, newline=""))) if os.path.exists(path) else []
        if len(rows) < 3 or len(rows[0]) < 2:
            continue
        columns = [[float(r[k]) for r in rows[1:]] for k in range(len(rows[0]))]
        for k in range(1, len(rows[0])):
            out.append(curve(told(rows[0][k]), told(rows[0][0]), columns[0], [(rows[0][k], columns[k])]))
    return [c for c in out if c]


def over_passes(report):
    """A curve of what each pass of `adapt` found."""
    rows, out = [r for r in report.get("passes") or [] if isinstance(r, dict)], []
    if len(rows) < 2:
        return out
    unit = {**(report.get("unit") or {}), **(report.get("value_units") or {})}
    taken = [(name, [r.get(key) for r in rows]) for key, name in (("unknowns", "unknowns"), ("error", "estimated error"), ("largest_von_mises", "von-mises"))]
    taken += [(name, [(r.get("values") or {}).get(name) for r in rows]) for name in rows[-1].get("values") or {}]
    for name, values in taken:
        if all(isinstance(v, (int, float)) for v in values):
            out.append(curve(f"{name} ({unit[name]})" if unit.get(name) else name, "pass", list(range(1, len(rows) + 1)), [(name, values)]))
    return [c for c in out if c]


def beats(folder):
    """The numbers of each beat, and the loops of pressure and volume."""
    path, loops, out = os.path.join(folder, "beats.csv"), os.path.join(folder, "loops.svg"), ""
    rows = list(csv.reader(open(path, newline=""))) if os.path.exists(path) else []
    if len(rows) > 1:
        last = rows[1:] if len(rows) <= 9 else rows[-8:]
        out += f"<h3>Beats{'' if len(rows) <= 9 else ', the last ones'}</h3>" + table(last, rows[0])
    if os.path.exists(loops):
        drawn = base64.b64encode(open(loops, "rb").read()).decode()
        out += f"<h3>Pressure over volume</h3><figure><img alt='loops' src='data:image/svg+xml;base64,{drawn}'></figure>"
    return out


def case_beside(folder, report):
    """Its text as it lies beside the results now: a circulation keeps no copy."""
    path = os.path.join(os.path.dirname(os.path.abspath(folder)), os.path.basename(report.get("case") or ""))
    return open(path, encoding="utf-8", errors="replace").read() if os.path.isfile(path) else "The case file does not lie beside the results any more."


def curves(folder, report):
    drawn, passes = over_time(folder), over_passes(report)
    return ("<h2>Over time</h2>" + "".join(drawn) if drawn else "") + ("<h2>Over the passes</h2>" + "".join(passes) if passes else "")


def drawing(folder):
    """One SVG of all curves, one below the other; above them loops of pressure and volume, where there are any."""
    path, loops = os.path.join(folder, "report.json"), os.path.join(folder, "loops.svg")
    drawn = over_time(folder) + over_passes(json.load(open(path)) if os.path.exists(path) else {})
    if not drawn:
        raise ValueError("no probes, leads, sums or loops at two times or more, and no passes of 'adapt': see 'probes' and 'sums' under 'output:'")
    head = open(loops, encoding="utf-8").read() if os.path.exists(loops) else ""
    size = re.search(r"width='(\d+)' height='(\d+)'", head)
    wide, top = (int(n) for n in size.groups()) if size else (0, 0)
    placed = head + "".join(c.replace("<svg ", f'<svg y="{top + CURVE[1] * k}" ', 1) for k, c in enumerate(drawn))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{max(CURVE[0], wide)}" height="{top + CURVE[1] * len(drawn)}">'
            f'<style>{CURVE_STYLE}</style><rect width="100%" height="100%" fill="#fff"/>\n{placed}</svg>\n')


def convergence(report):
    rows = [[k.replace("_", " "), report[k]] for k in ("unknowns", "method", "preconditioner", "precision_used", "iterations", "newton_iterations",
            "linear_solves", "true_residual") if report.get(k) is not None]
    out = "<h2>Convergence</h2>" + (table(rows) if report.get("nodes") else "")
    steps = [s for s in report.get("load_steps") or [] if isinstance(s, dict)]
    for key in ("newton", "newton_iterations", "iterations"):
        if len(steps) > 2 and all(isinstance(s.get(key), (int, float)) for s in steps):
            out += curve(f"{key.replace('_', ' ')} of each load step", "step", list(range(1, len(steps) + 1)), [(key, [s[key] for s in steps])])
            break
    seconds = report.get("seconds") or {}
    return out + listed(report, "load_steps", "Load steps") + "<h3>Seconds</h3>" + table([[k, v] for k, v in seconds.items()])


CURVE_STYLE = "svg text{font:11px sans-serif;fill:#444}svg .head{font-weight:bold}svg .grid{stroke:#ddd}"
LOOP_UNIT = {"volume": "mL", "pressure": "kPa", "flow": "mL/ms", "thickness": "mm"}  # of columns of loops.csv, by their last word
STYLE = """body{font:15px/1.45 sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#222}table{border-collapse:collapse;margin:.6em 0}
td,th{border:1px solid #ccc;padding:3px 9px;text-align:left;font-variant-numeric:tabular-nums}th{background:#f2f2f2}pre{background:#f6f6f6;padding:1em;
overflow:auto}.warning{background:#fff3cd;border-left:4px solid #e0a800;padding:.5em 1em;margin:.5em 0;white-space:pre-wrap}.bad{color:#b00020}
.views{display:flex;flex-wrap:wrap;gap:12px}figure{margin:0}figure img{border:1px solid #ddd;max-width:100%}figcaption{font-size:13px;color:#555}
.bar span{display:inline-block;width:9px;height:12px}""" + CURVE_STYLE


def page(program, folder):
    report = json.load(open(os.path.join(folder, "report.json")))
    fields = os.path.join(folder, "results.hdf")
    if os.path.exists(fields):
        info = subprocess.run([program, "info", fields], capture_output=True, text=True, check=True).stdout
        asked = info.split("\n  case\n", 1)[1] if "\n  case\n" in info else ""
        asked, drawn = re.sub(r"(?m)^    ", "", asked), f"<h2>Pictures</h2>{pictures(program, folder, report)}"
    else:
        asked, drawn = case_beside(folder, report), ""
    title, status = report.get("title") or report.get("case") or folder, report.get("status", "")
    warnings = "".join(f"<div class='warning'>{html.escape(w)}</div>" for w in report.get("warnings") or [])
    rows = [[k, report[v]] for k, v in (("case", "case"), ("units", "units"), ("nodes", "nodes"), ("elements", "elements"), ("device", "device"),
            ("version of Sinew", "version"), ("hash of the case", "case_hash"), ("hash of the mesh", "mesh_hash")) if report.get(v) is not None]
    return (f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{html.escape(str(title))}</title><style>{STYLE}</style></head><body>\n"
            f"<h1>{html.escape(str(title))}</h1><p>Status: <b class='{'' if status == 'converged' else 'bad'}'>{html.escape(status)}</b>"
            f"{' - ' + html.escape(report['message']) if report.get('message') else ''}</p>\n<h2>Summary</h2>{table(rows)}"
            f"<h2>Warnings</h2>{warnings or '<p>None.</p>'}\n{drawn}"
            f"<h2>What came out</h2>{came_out(report, report.get('value_units') or {})}{beats(folder)}{curves(folder, report)}{convergence(report)}"
            f"<h2>What was asked for</h2><pre>{html.escape(asked)}</pre></body></html>\n")


def main(program, folder, out, kind):
    text = page(program, folder) if kind == "page" else drawing(folder)
    with open(out + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(out + ".new", out)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:5])
        if sys.argv[5] != "quiet":
            print(sys.argv[3])
    except (OSError, ValueError, KeyError, IndexError, struct.error, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"'{sys.argv[2]}' makes no {'report' if sys.argv[4] == 'page' else 'curves'}: {error}\n")
        sys.exit(9)
