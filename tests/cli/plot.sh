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
expect 0 'temperature \[1\], on nodes, in K' "$sinew" info results
expect 0 'material \[1\], on cells, once for all steps' "$sinew" info results
[ -e results/picture.png ] && bad "a picture was made without anything that draws"
[ $failed = 0 ] || exit 1

pvpython -c 'import vtkmodules.vtkIOXdmf2' >/dev/null 2>&1 || python3 -c 'import vtkmodules.vtkIOXdmf2' >/dev/null 2>&1 || {
  echo "skipped: no ParaView, and no Python with VTK"
  exit 77
}
expect 0 'temperature (K)' "$sinew" plot .
expect 0 'material' "$sinew" plot results --field material --time 0.1 --output m.png
for picture in results/picture.png m.png; do
  [ "$(head -c 4 $picture | tail -c 3)" = PNG ] || bad "$picture is no picture"
  [ -e $picture.new.png ] && bad "$picture.new.png was left"
done
exit $failed
