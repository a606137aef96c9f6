#!/bin/sh
# together.sh SINEW FOLDER: points of a sweep that are solved as one have the numbers of points that are solved one by one, to the
# bit where steps are explicit; what cannot be is refused by name, and a point that fails does not take the others along. 77
# (skipped) without python3.
set -u
sinew=$1 work=$2
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
failed=0
bad() {
  echo "FAILED: $*"
  failed=1
}
# expect CODE WORDS COMMAND...: ends with the code and says the words
expect() {
  code=$1 words=$2
  shift 2
  "$@" >said 2>&1 </dev/null
  got=$?
  [ $got = "$code" ] && { [ -z "$words" ] || grep -q -- "$words" said; } || { bad "$* ended with $got, not $code with '$words'"; cat said; }
}
cat >heart.yaml <<'CASE'
version: 1
mesh: {grid: [13, 9, 4], size: [6, 4, 1.5], element: tet4}
physics: monodomain
tissue:
  - on: body
    ionic: {model: mitchell-schaeffer}
    diffusivity: {along: 0.1, across: 0.03}
    fibers: {direction: [1, 1, 0]}
stimuli: [{name: corner, on: {box: {min: [0, 0, 0], max: [1, 1, 1.5]}}, duration: 2, amplitude: 40}]
time: {end: 12, step: 0.05}
output:
  every: 4
  sample: 1
  fields: [potential, recovery]
  maps: [activation]
  probes: [{name: far, at: [4.6, 3.3, 1]}, {name: when, at: [4.6, 3.3, 1], field: activation}]
  ecg: [{name: I, positive: [20, 0, 0], negative: [-20, 0, 0]}]
CASE
cat >front.yaml <<'CASE'
version: 1
mesh: {grid: [21, 17], size: [10, 8], element: tri3}
physics: eikonal
tissue: [{on: body, velocity: {along: 0.6, across: 0.3}, fibers: {direction: [1, 2]}, ionic: ten-tusscher}]
time: {end: 60, step: 5}
stimuli: [{name: spot, on: {sphere: {center: [2, 2], radius: 0.3}}}]
output: {probes: [{name: far, at: [9.1, 7.3]}], ecg: [{name: lead, positive: [30, 4, 5]}]}
CASE
# Points share fibres by a rule where it is the same.
cat >ruled.yaml <<'CASE'
version: 1
mesh: {grid: [6, 6, 6], size: [8, 8, 8]}
physics: eikonal
tissue:
  - {on: body, velocity: {along: 0.6, across: 0.2}, fibers: {rule: ellipsoid, center: [-2, -3, -1], inner: [3, 4], outer: [16, 18], alpha: {endo: 60, epi: -60}}}
stimuli: [{name: spot, on: {sphere: {center: [1, 1, 1], radius: 1.8}}}]
output: {probes: [{name: far, at: [7.1, 7.3, 6.9]}]}
CASE
# Cells and conductivities that change places, and one tissue in the place of two, while velocities stay.
cat >places.yaml <<'CASE'
version: 1
mesh: {grid: [21, 17], size: [10, 8], element: tri3, regions: [{name: right, share: "step(x - 6)"}]}
physics: eikonal
tissue: []
time: {end: 60, step: 5}
stimuli: [{name: spot, on: {sphere: {center: [2, 2], radius: 0.3}}}]
output: {medium: 0.2, probes: [{name: far, at: [9.1, 7.3]}], ecg: [{name: lead, positive: [30, 4, 5]}]}
CASE
# Drawn numbers.
sweep() {
  case=$1 out=$2
  shift 2
  "$sinew" sweep $case.yaml -q -o $out -j 1 --samples 5 --seed 7 "$@"
}
heart() { sweep heart "$@" --set time.scheme=rush-larsen-chebyshev --over 'tissue.0.ionic.tau-close=uniform(100, 160)' --over 'stimuli.0.amplitude=uniform(20, 60)'; }
# Stimuli at other times, on the grid of the steps.
late() { "$sinew" sweep heart.yaml -q -o "$@" -j 1 --set time.scheme=rush-larsen-chebyshev --over 'stimuli.0.start=[0, 0.5, 1.25]' --over 'initial.potential=[-80, -79]'; }
slow() { sweep heart "$@" --set solver.rtol=1e-12 --over 'tissue.0.diffusivity.along=uniform(0.08, 0.2)' --over 'tissue.0.ionic.tau-in=uniform(0.25, 0.35)'; }
front() { sweep front "$@" --over 'tissue.0.velocity.along=uniform(0.4, 0.8)' --over 'stimuli.0.start=uniform(0, 5)'; }
ruled() { "$sinew" sweep ruled.yaml -q -o "$@" -j 1 --over 'tissue.0.fibers.alpha.endo=[60, 30, -10]' --over 'tissue.0.velocity.along=[0.6, 0.7]'; }
places() {
  velocity='velocity: {along: 0.6, across: 0.3}, fibers: {direction: [1, 2]}'
  human="$velocity, ionic: ten-tusscher, conductivity: {intra: [0.17, 0.019]}"
  other="$velocity, ionic: aliev-panfilov, conductivity: {intra: [0.3, 0.1]}"
  "$sinew" sweep places.yaml -q -o "$@" -j 1 --over 'stimuli.0.start=[0, 1, 2, 3]' --over \
    "tissue=[[{on: body, $human}, {on: right, $other}], [{on: right, $human}, {on: body, $other}], [{on: [body, right], $other}]]"
}
for kind in heart late slow front ruled places; do
  expect 0 '' $kind $kind-one
  expect 0 '' $kind $kind-all --together 3
done
python3 -I - <<'PYTHON' || bad "points together have other numbers"
import csv
def table(name):
    with open(name + "/sweep.csv", newline="") as file:
        return list(csv.DictReader(file))
for kind, most in (("heart", 0), ("late", 0), ("slow", 1e-11), ("front", 0), ("ruled", 0), ("places", 0)):
    one, all = table(kind + "-one"), table(kind + "-all")
    assert len(one) == len(all) and len(one) >= 5, kind
    values = set()
    for a, b in zip(one, all):
        assert a["point"] == b["point"] and a["code"] == b["code"] == "0", (kind, a, b)
        for name in a:
            if name in ("point", "message", "iterations", "tissue"):
                continue
            x, y = float(a[name] or "nan"), float(b[name] or "nan")
            near = 1e-12 * 100 if name == "I" else most * 100  # sums of leads go over other parts
            assert abs(x - y) <= near or (x != x and y != y), (kind, name, a, b)
        values.add(a["far"])
    assert len(values) > 3, (kind, "all points are alike")
PYTHON
# Intervals of leads, too.
for point in heart-one/*/; do
  cmp -s "$point/intervals.csv" "heart-all/${point#heart-one/}/intervals.csv" || bad "intervals of $point are others"
done
# The whole fields, where h5dump is there.
if command -v h5dump >/dev/null; then
  for point in heart-one/point-* heart-one/tissue*; do
    [ -d "$point" ] || continue
    for field in potential recovery activation; do
      for n in one all; do
        h5dump -d /VTKHDF/PointData/$field "heart-$n/${point#heart-one/}/results.hdf" 2>/dev/null | sed 1d >$n.txt
      done
      [ -s one.txt ] && cmp -s one.txt all.txt || bad "$field of $point is another one"
    done
  done
fi
expect 0 '' "$sinew" sweep heart.yaml -q -o edges --together 2 --over 'stimuli.0.duration=[1, 1.013]'
grep -q 'begin or end at different times' edges/*1.013/report.json || bad "steps of other lengths are not told"
touch mark
expect 0 '' heart heart-all --together 3
[ -z "$(find heart-all -name results.hdf -newer mark)" ] || bad "finished points were run again"
refused() {
  words=$1
  shift
  expect 2 "$words" "$sinew" sweep heart.yaml -o refused --together 2 "$@"
  [ -z "$(find refused -name results.hdf 2>/dev/null)" ] || bad "'$words' left results"
}
refused "differ in 'time.step'" --over 'time.step=[0.05, 0.1]'
refused "adaptive steps" --set 'time.adaptive={tolerance: 1e-3, min: 0.01, max: 0.2}' --set time.scheme=bdf2 --over 'tissue.0.diffusivity.along=[0.1, 0.2]'
refused "output.checkpoint" --set output.checkpoint=4 --over 'tissue.0.diffusivity.along=[0.1, 0.2]'
refused "reaction: gauss" --set reaction=gauss --set time.scheme=backward-euler --over 'tissue.0.diffusivity.along=[0.1, 0.2]'
refused "varies with the place" --over 'tissue.0.ionic.tau-close=["100 + 5*x", 110]'
expect 3 '2 of 3 points' "$sinew" sweep heart.yaml -o some --together 3 --over 'tissue.0.diffusivity.along=[0.1, -1, 0.2]'
exit $failed
