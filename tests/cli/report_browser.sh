#!/bin/sh
# report_browser.sh SINEW FOLDER: a browser without network shows the page of `sinew report` as it was written, and says no error. 77
# (skipped) without Chromium or python3.
set -u
sinew=$1 work=$2
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "skipped: no Chromium"; exit 77; }
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
bad() {
  echo "FAILED: $*"
  exit 1
}
cat >case.yaml <<'CASE'
version: 1
title: A bar in 25 steps
mesh: {grid: [3, 3], size: [2, 1]}
physics: elasticity
model: plane-strain
materials: [{on: body, young: 1000, poisson: 0}]
boundary: [{on: x0, symmetry: true}, {on: y0, symmetry: true}, {on: x1, fix: {x: 0.1*t}}]
time: {end: 1, step: 0.04}
output: {fields: [displacement, von-mises], probes: [{name: end, at: [2, 0], field: displacement-x}]}
CASE
"$sinew" run case.yaml -q || bad 'the case does not run'
"$sinew" report results -q || bad 'no page'
opened() { # words of the browser: it leaves what it made of the page, and tells errors
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr \
    --host-resolver-rules='MAP * ~NOTFOUND' --window-size=1000,1600 "$@" "file://$work/results/report.html" 2>said
}
opened --dump-dom >dom.html || { cat said; echo "skipped: the browser does not start here"; exit 77; }
! grep CONSOLE said || bad 'the browser tells an error'
opened --screenshot="$work/page.png" >/dev/null || bad 'no picture of the page'
cat >compare.py <<'PYTHON'
import struct, zlib
from html.parser import HTMLParser

class Seen(HTMLParser):
    """Tags and words of a page; a browser adds bodies to tables."""
    def __init__(self, path):
        super().__init__()
        self.seen = []
        self.feed(open(path, encoding="utf-8").read())
    def handle_starttag(self, tag, attributes):
        if tag != "tbody":
            self.seen.append((tag, dict(attributes).get("src")))
    def handle_data(self, data):
        self.seen.extend(data.split())

written, shown = Seen("results/report.html").seen, Seen("dom.html").seen
assert written == shown, next(pair for pair in zip(written, shown) if pair[0] != pair[1])
assert sum(tag == ("details", None) for tag in written) == 1 and "everywhere" in written
data, at, packed = open("page.png", "rb").read(), 8, b""
width, height, _, kind = struct.unpack(">IIBB", data[16:26])
while at < len(data):
    n, name = struct.unpack(">I4s", data[at:at + 8])
    packed += data[at + 8:at + 8 + n] if name == b"IDAT" else b""
    at += 12 + n
raw, step = zlib.decompress(packed), {2: 3, 6: 4}[kind]
# With filters undone it would be the picture; rows that are all alike, which a blank page has, show without.
rows = {raw[y * (step * width + 1):(y + 1) * (step * width + 1)] for y in range(height)}
assert (width, height) == (1000, 1600) and len(rows) > 200, len(rows)
PYTHON
python3 -I compare.py || bad 'the browser shows another page'
