#!/bin/sh
# together.sh SINEW [HEARTS] [FRONTS] [EDGE] [BACKEND]: points of a sweep as one against one after the other, by the clock on the wall:
# HEARTS hearts (default 256) and FRONTS maps of activation (1000) of EDGE^3 nodes (31: 30 k). One by one a few are run, and the
# time is that of so many more.
set -eu
sinew=$(readlink -f "$1") hearts=${2:-256} fronts=${3:-1000} edge=${4:-31} backend=${5:-auto} few=8
work=$(mktemp -d "${TMPDIR:-/tmp}/sinew-together.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
size=$(awk "BEGIN { print 0.4 * ($edge - 1) }")
cat >heart.yaml <<CASE
version: 1
mesh: {grid: [$edge, $edge, $edge], size: [$size, $size, $size], element: tet4}
physics: monodomain
tissue:
  - on: body
    ionic: {model: ten-tusscher, preset: epi}
    diffusivity: {along: 0.15, across: 0.04}
    fibers: {direction: [1, 1, 0]}
stimuli: [{name: corner, on: {box: {min: [0, 0, 0], max: [2, 2, 2]}}, duration: 2, amplitude: 40}]
time: {end: 100, step: 0.05}
output:
  every: 100
  sample: 1
  fields: [potential]
  maps: [activation]
  probes: [{name: far, at: [$size, $size, $size], field: activation}]
  ecg: [{name: I, positive: [100, 0, 0], negative: [-100, 0, 0]}, {name: II, positive: [0, 100, 0], negative: [0, -100, 0]}]
CASE
cat >front.yaml <<CASE
version: 1
mesh: {grid: [$edge, $edge, $edge], size: [$size, $size, $size], element: tet4}
physics: eikonal
tissue: [{on: body, velocity: {along: 0.6, across: 0.3}, fibers: {direction: [1, 1, 0]}}]
stimuli: [{name: spot, on: {sphere: {center: [1, 1, 1], radius: 1}}}]
output: {probes: [{name: far, at: [$size, $size, $size]}]}
CASE
# seconds COMMAND...
seconds() {
  begin=$(date +%s.%N)
  "$@" >said 2>&1 || { cat said >&2; exit 1; }
  awk "BEGIN { print $(date +%s.%N) - $begin }"
}
# line CASE POINTS KEYS...
line() {
  case=$1 n=$2
  shift 2
  small=$((n < few ? n : few))
  one=$(seconds "$sinew" sweep $case.yaml -q -o $case-one --backend $backend --samples $small "$@")
  all=$(seconds "$sinew" sweep $case.yaml -q -o $case-all --backend $backend --samples $n --together $n "$@")
  awk "BEGIN { one = $one / $small; printf \"%-6s %5d points of %d nodes: %9.2f s together, %9.2f s one by one (%.3f s each): %.2f times as fast\n\", \
    \"$case\", $n, $edge ^ 3, $all, one * $n, one, one * $n / $all }"
}
line heart "$hearts" --over 'tissue.0.ionic.g-ks=uniform(0.2, 0.6)' --over 'stimuli.0.amplitude=uniform(30, 60)'
line front "$fronts" --over 'tissue.0.velocity.along=uniform(0.4, 0.8)' --over 'tissue.0.velocity.across=uniform(0.2, 0.4)'
