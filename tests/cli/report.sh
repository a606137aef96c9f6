#!/bin/sh
# report.sh SINEW FOLDER: sinew report writes one page with all that it promises, and nothing half. 77 (skipped) without python3, after
# the parts that need none.
set -u
sinew=$1 work=$2
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
failed=0
bad() {
  echo "FAILED: $*"
  failed=1
}
# expect CODE WORDS COMMAND...: ends with the code and says the words
expect() {
  code=$1 words=$2
  shift 2
  "$@" >said 2>&1
  got=$?
  [ $got = "$code" ] && grep -q -- "$words" said || { bad "$* ended with $got, not $code with '$words'"; cat said; }
}

mkdir heat solid
cat >heat/case.yaml <<'CASE'
version: 1
title: "Warm <sheet>"
units: SI
mesh: {grid: [9, 5], size: [2, 1]}
physics: heat
materials: [{on: body, conductivity: 1, capacity: 1}]
boundary: [{on: x0, temperature: 1}, {on: x1, temperature: 0}]
initial: 0
time: {end: 4, step: 0.5}
output: {probes: [{name: middle, at: [1, 0.5]}]}
CASE
cat >solid/case.yaml <<'CASE'
version: 1
units: mm N
mesh: {grid: [7, 3, 3], size: [6, 1, 1], element: hex8}
physics: elasticity
model: 3d
formulation: displacement
materials: [{on: body, young: 1000, poisson: 0.3}]
boundary: [{on: x0, fix: all}, {on: x1, traction: [0, 0, -1]}]
output: {sums: [{name: root, on: x0, field: moment, about: [0, 0, 0]}]}
CASE
"$sinew" run heat --backend cpu -q || bad 'heat does not run'
expect 0 'too stiff' "$sinew" run solid --backend cpu -q
expect 9 'holds no results.hdf' "$sinew" report nowhere
expect 2 "'heat/case.yaml' must end in .html" "$sinew" report heat --output heat/case.yaml
expect 2 "'x.png' must end in .svg" "$sinew" plot heat --curves --output x.png
expect 9 'apt-get install python3' env PATH=/nowhere "$sinew" report heat
[ -e heat/results/report.html ] && bad "a page without anything that writes it"
[ $failed = 0 ] || exit 1
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }

echo 'raise SystemExit("taken from the current folder")' >json.py
expect 0 'heat/results/report.html' "$sinew" report heat
"$sinew" report solid/results --output solid.html --quiet >said 2>&1 || bad 'no page of the solid'
[ -s said ] && bad "--quiet says something"
"$sinew" run solid --backend cpu -q --output bent --set 'boundary=[{on: x0, fix: all}, {on: x1, fix: {z: -1}}]' 2>said || bad 'it does not bend'
"$sinew" report bent -q && grep -q 'displacements drawn 1 times' bent/report.html || bad "displacements are drawn less than they are"
grep -q '<td>von-mises</td><td>[0-9.]*</td><td>MPa</td>' solid.html && grep -q '<td>[0-9.]* %</td><td>[0-9.]* %</td>' solid.html || bad "largest values have no unit, or errors are no per cent"
cat >check.py <<'PYTHON'
import base64, re, struct, sys, zlib
from html.parser import HTMLParser

def picture(uri):
    data = base64.b64decode(uri.split(",", 1)[1])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    w, h = struct.unpack(">II", data[16:24])
    at, packed = 8, b""
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        assert struct.unpack(">I", data[at + 8 + n:at + 12 + n])[0] == zlib.crc32(data[at + 4:at + 8 + n])
        packed += data[at + 8:at + 8 + n] if kind == b"IDAT" else b""
        at += 12 + n
    raw = zlib.decompress(packed)
    rows = [raw[y * (3 * w + 1) + 1:(y + 1) * (3 * w + 1)] for y in range(h)]
    return lambda x, y: tuple(rows[int(y * h)][3 * int(x * w):3 * int(x * w) + 3])

class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.images, self.text, self.open = [], open(path).read(), []
        self.feed(self.text)
        assert not self.open, self.open
    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.images.append(picture(dict(attributes)["src"]))
        if tag not in ("img", "meta"):
            self.open.append(tag)
    def handle_startendtag(self, tag, attributes):  # <path/>
        pass
    def handle_endtag(self, tag):
        assert self.open.pop() == tag

heat, solid = Page("heat/results/report.html"), Page("solid.html")
for page in heat, solid:
    assert "http" not in page.text and "converged" in page.text
assert "Warm &lt;sheet&gt;" in heat.text and "Warm <sheet>" not in heat.text
assert len(heat.images) == 1 and len(solid.images) == 3
left, right = heat.images[0](0.05, 0.5), heat.images[0](0.95, 0.5)
assert left[0] > 220 and left[1] > 200 and left[2] < 80, left       # warm: yellow
assert right[0] < 90 and right[1] < 60 and right[2] > 70, right     # cold: violet
assert heat.images[0](0.5, 0.02) == (255, 255, 255)                 # beside the sheet
path = re.search(r'<path d="(M[^"]*)" fill="none"', heat.text)[1]
heights = [float(v) for v in re.findall(r"[ML][\d.]+ ([\d.]+)", path)]
assert len(heights) == 9 and heights == sorted(heights, reverse=True) and heights[0] - heights[-1] > 150, heights
side, above = solid.images[0], solid.images[2]                      # a bar that is longer than high, clamped at the left, bent down
assert side(0.5, 0.1) == (255, 255, 255) and above(0.5, 0.5) != (255, 255, 255)
assert "too stiff" in solid.text and "<div class='warning'>" in solid.text
assert re.search(r"<td>root-y</td><td>-?5\.99|<td>root-y</td><td>-6", solid.text) and "N mm" in solid.text, solid.text[-3000:]
assert "fix: all" in solid.text and "von-mises" in solid.text
PYTHON
python3 -I check.py || bad "the page is not what it should be"
# A circulation alone leaves tables and no fields.
mkdir pump
cat >pump/case.yaml <<'CASE'
version: 1
title: A ventricle alone
physics: electromechanics
circulation:
  cycle: 800
  lv:
    elastance: {active: 0.3, passive: 0.012, v0: 10, contraction: 300, relaxation: 150, volume: 110}
    from: {pressure: 1.2, valve: {open: 2}}
    to: {valve: {open: 2}, windkessel: {zc: 8, r: 130, c: 9, pressure: 10}}
CASE
"$sinew" circulation pump --beats 3 -q || bad 'the circulation does not run'
expect 0 'pump/results/report.html' "$sinew" report pump
expect 0 'pump/results/curves.svg' "$sinew" plot pump --loops
expect 9 "sinew report. and 'sinew plot --curves' show them" "$sinew" plot pump
expect 9 "sinew report. and 'sinew plot --curves' show them" "$sinew" convert pump x.vtu
"$sinew" run solid -o modes -q --set 'analysis={type: modal, modes: 2}' --set materials.0.density=1 --set 'boundary=[{on: x0, fix: all}]' --set 'output={}' || bad 'no modes'
"$sinew" report modes -q && grep -q 'displacement of the first mode, ' modes/report.html || bad 'the page shows another mode than the first'
cat >pump.py <<'PYTHON'
import base64, csv, re
page = open("pump/results/report.html").read()
rows = list(csv.reader(open("pump/results/beats.csv")))
assert len(rows) == 4 and all(f"<td>{cell}</td>" in page for row in rows[1:] for cell in row)
assert "lv-ejection-fraction" in page and "active: 0.3" in page and "Pictures" not in page and "http" not in page
assert base64.b64decode(re.search(r"svg\+xml;base64,([^']*)", page)[1]) == open("pump/results/loops.svg", "rb").read()
import xml.etree.ElementTree as tree
inner = [n for n in tree.parse("pump/results/curves.svg").getroot() if n.tag.endswith("svg")]
assert "pressure, kPa" in [t.text for t in inner[0].findall(".//{*}text")] and int(inner[1].get("y")) == int(inner[0].get("height"))
columns = open("pump/results/loops.csv").readline().strip().split(",")[1:]
unit = {"volume": "mL", "pressure": "kPa", "flow": "mL/ms"}
assert columns and all(f'class="head">{c} ({unit[c.rpartition("-")[2]]})</text>' in page for c in columns)
PYTHON
python3 -I pump.py || bad "the page of a circulation is not what it should be"
cp -r heat/results damaged && echo '{' >damaged/report.json
expect 9 'makes no report' "$sinew" report damaged
[ -e damaged/report.html.new ] && bad "half of a page stays"
exit $failed
