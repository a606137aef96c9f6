#!/bin/sh
# fronts.sh SINEW [MAPS] [BACKEND] [WORKERS] [HEART]: maps of activation with the twelve leads of both ventricles, 27,000 nodes, whose
# velocities and times of stimuli are drawn: MAPS (default 1000) points of a sweep by the clock on the wall. HEART: the mesh, where it
# is there already (sinew mesh of cases/bi-ventricle/mesh.geo with h = 1.65), else Gmsh makes it.
set -eu
sinew=$(readlink -f "$1") maps=${2:-1000} backend=${3:-auto} workers=${4:-2} heart=${5:-}
geo=$(readlink -f "$(dirname "$0")/../cases/bi-ventricle/mesh.geo")
[ -z "$heart" ] || heart=$(readlink -f "$heart")
work=$(mktemp -d "${TMPDIR:-/tmp}/sinew-fronts.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
if [ -z "$heart" ]; then
  sed 's/h = {2.5,/h = {1.65,/' "$geo" >heart.geo
  "$sinew" mesh heart.geo heart.h5 >/dev/null
  heart=$work/heart.h5
fi
cat >case.yaml <<CASE
version: 1
units: mm, ms, mV
mesh: {file: $heart}
physics: eikonal
tissue:
  - on: myocardium
    velocity: {along: 0.6, across: 0.3}
    conductivity: {intra: [0.17, 0.06]}
    ionic: ten-tusscher
    fibers: {rule: ldrb, lv: lv_endo, rv: rv_endo, epi: epi, base: base, alpha: {endo: 60, epi: -60}}
stimuli:
  - {name: left, on: {sphere: {center: [20, 0, -20], radius: 4}}}
  - {name: right, on: {sphere: {center: [29, 0, -20], radius: 4}}, start: 5}
time: {end: 400, step: 2}
output:
  medium: 0.2
  probes: [{name: free-wall, at: [-26.5, 0, 0]}]
  electrodes: {RA: [-180, 80, 150], LA: [180, 80, 150], LL: [100, 80, -250], V1: [20, -100, 10], V2: [40, -110, 0], V3: [50, -100, -20], V4: [60, -80, -30], V5: [90, -40, -30], V6: [110, 0, -30]}
CASE
begin=$(date +%s.%N)
"$sinew" sweep case.yaml -q -o maps --backend "$backend" --samples "$maps" --workers "$workers" \
  --together $(((maps + workers - 1) / workers)) --over 'tissue.0.velocity.along=uniform(0.4, 0.8)' \
  --over 'tissue.0.velocity.across=uniform(0.2, 0.4)' --over 'stimuli.1.start=uniform(0, 10)' >said 2>&1 || { cat said >&2; exit 1; }
end=$(date +%s.%N)
[ "$(cut -d, -f5 maps/sweep.csv | sort -u | wc -l)" -gt 2 ] || { echo "fronts.sh: all points failed" >&2; exit 1; }
awk "BEGIN { s = $end - $begin; printf \"%d maps with leads of 27,000 nodes, %s, %d workers: %.1f s, %.3f s each\n\", $maps, \"$backend\", $workers, s, s / $maps }"
