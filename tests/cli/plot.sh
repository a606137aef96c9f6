#!/bin/sh
# plot.sh SINEW FOLDER: sinew plot draws what it is asked for, refuses what is not there, and says how to get what draws.
# 77 (skipped) where neither ParaView nor a Python with VTK is, after the parts that need none.
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

cat >case.yaml <<'CASE'
version: 1
title: "Warm sheet"
units: SI
mesh: {grid: [9, 5], size: [2, 1]}
physics: heat
materials: [{on: body, conductivity: 1, capacity: 1}]
boundary: [{on: x0, temperature: 1}]
initial: 0
time: {end: 0.2, step: 0.1}
CASE
expect 0 results "$sinew" run case.yaml
expect 9 'holds no results.hdf' "$sinew" plot nowhere
expect 2 "did you mean 'temperature'" "$sinew" plot . --field temperatur
expect 2 'steps 1 to 3' "$sinew" plot . --step 4
expect 9 'apt-get install paraview' env PATH=/nowhere "$sinew" plot .
mkdir old && printf '%s\n' '#!/bin/sh' "echo \"ModuleNotFoundError: No module named 'vtkmodules.vtkIOXdmf2'\" >&2" 'exit 1' >old/python3 && chmod +x old/python3
expect 9 'the VTK of this Python reads no XDMF' env PATH="$PWD/old" "$sinew" plot .
expect 0 'temperature \[1\], on nodes, in K' "$sinew" info results
expect 0 'material \[1\], on cells, once for all steps' "$sinew" info results
expect 2 'leave out' "$sinew" plot . --film --step 2
expect 2 'has stored times from 0 to' "$sinew" plot . --time 1e6
expect 2 'has stored times from 0 to' "$sinew" convert . x.vtu --time=-0.1
expect 2 'makes no film' "$sinew" plot . --film --field material
expect 2 "ends with '.jpg'; pictures are .png" "$sinew" plot . --output p.jpg
expect 2 "ends with '.mp4'; pictures are .png" "$sinew" plot . --output p.mp4
expect 2 "ends with '.avi'; films are .png (animated), .mp4, .gif" "$sinew" plot . --film --output p.avi
expect 9 'apt-get install ffmpeg' env PATH=/nowhere "$sinew" plot . --film --output p.mp4
cat >modes.yaml <<'CASE'
version: 1
mesh: {grid: [5, 3], size: [4, 1], order: 2}
physics: elasticity
model: plane-stress
materials: [{on: body, young: 1000, poisson: 0.3, density: 1}]
boundary: [{on: x0, fix: all}]
analysis: {type: modal, modes: 3}
CASE
"$sinew" run modes.yaml -o modes -q || bad "no modes"
expect 2 'modes do not follow one another, and make no film' "$sinew" plot modes --film
expect 2 'of a picture of the body' "$sinew" plot . --curves --field temperature
expect 9 'no probes, leads' "$sinew" plot . --curves
"$sinew" run case.yaml --output probed --quiet --set 'units=m, s, K' --set 'output={probes: [{name: warm & dry, at: [1, 0.5]}, {name: cold, at: [2, 1]}]}' || bad "no run with probes"
expect 0 curves.svg "$sinew" plot probed --curves
python3 - <<'PYTHON' || bad "curves.svg does not hold the curves"
import xml.etree.ElementTree as tree
root = tree.parse("probed/curves.svg").getroot()
inner = [n for n in root if n.tag.endswith("svg")]
assert [n.find("{*}text").text for n in inner] == ["warm & dry (K)", "cold (K)"], inner
assert "time (s)" in [text.text for text in inner[0].findall("{*}text")]
rows = [line.split(",") for line in open("probed/probes.csv").read().splitlines()[1:]]
line = [p for p in inner[1].findall("{*}path") if p.get("stroke")][0].get("d")
heights = [float(p.split()[1]) for p in line.replace("M", "L").split("L") if p]
drawn = [(heights[0] - h) / (heights[0] - heights[-1]) for h in heights]
held = [float(r[2]) / float(rows[-1][2]) for r in rows]
assert len(heights) == 3 and max(abs(a - b) for a, b in zip(drawn, held)) < 1e-3, (drawn, held)
PYTHON
[ -e results/picture.png ] && bad "a picture was made without anything that draws"
[ $failed = 0 ] || exit 1

pvpython -c 'import vtkmodules.vtkIOXdmf2' >/dev/null 2>&1 || python3 -c 'import vtkmodules.vtkIOXdmf2' >/dev/null 2>&1 || {
  echo "skipped: no ParaView, and no Python with VTK"
  exit 77
}
expect 0 'temperature (K)' "$sinew" plot .
"$sinew" plot modes -o first.png && "$sinew" plot modes --step 1 -o one.png && cmp -s first.png one.png || bad "modes are drawn from another than the first on"
expect 0 'material' "$sinew" plot results --field material --time 0.1 --output m.png
expect 0 'temperature (K)' "$sinew" plot . --film
python3 - results/film.png <<'PYTHON' || bad "film.png is not an animation of three pictures"
import struct, sys, zlib
data, at, chunks = open(sys.argv[1], "rb").read(), 8, []
while at < len(data):
    size = struct.unpack_from(">I", data, at)[0]
    name, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
    assert zlib.crc32(name + body) == struct.unpack_from(">I", data, at + 8 + size)[0]
    chunks.append((name, body))
    at += size + 12
assert dict(chunks)[b"acTL"] == struct.pack(">II", 3, 0)
pixels = [zlib.decompress(b"".join(b if n == b"IDAT" else b[4:] for n, b in chunks[i + 1:j] if n in (b"IDAT", b"fdAT")))
          for i, j in [(k, next(m for m in range(k + 1, len(chunks)) if chunks[m][0] in (b"fcTL", b"IEND")))
                       for k, c in enumerate(chunks) if c[0] == b"fcTL"]]
assert len(pixels) == 3 and len(set(map(len, pixels))) == 1 and len(set(pixels)) == 3
numbers = [struct.unpack_from(">I", b)[0] for n, b in chunks if n in (b"fcTL", b"fdAT")]
assert numbers == list(range(len(numbers))), numbers
PYTHON
if command -v ffmpeg >/dev/null; then
  expect 0 'film.mp4' "$sinew" plot . --film --output film.mp4
  [ "$(head -c 8 film.mp4 | tail -c 4)" = ftyp ] || bad "film.mp4 is no MPEG-4"
  expect 0 'film.gif' "$sinew" plot . --film --output film.gif
  [ "$(head -c 6 film.gif)" = GIF89a ] || bad "film.gif is no GIF"
  [ "$(ffmpeg -i film.gif -f null - 2>&1 | tr '\r' '\n' | sed -n 's/^frame= *\([0-9]*\) .*/\1/p' | tail -n 1)" -ge 3 ] || bad "film.gif has not three pictures"
  ls film.*.new* >/dev/null 2>&1 && bad "part of a film was left"
fi
for picture in results/picture.png results/film.png m.png; do
  [ "$(head -c 4 $picture | tail -c 3)" = PNG ] || bad "$picture is no picture"
  [ -e $picture.new.png ] && bad "$picture.new.png was left"
done
exit $failed
