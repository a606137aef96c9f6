#!/bin/sh
# sweep.sh SINEW FOLDER IO_SHIM: a point of a sweep whose files cannot be stored is told with its message and counts as failed, the
# other points have their results, and the same command makes up for it; by one run for all points, and by one for each. 77
# (skipped) without python3.
set -u
sinew=$1 work=$2 io=$(realpath "$3")
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
failed=0
bad() {
  echo "FAILED: $*"
  failed=1
}
# LD_PRELOAD is a list with spaces, so that a path in it has none.
case $io in *" "*) mkdir -p /tmp/sinew-shims.$$ && cp "$io" /tmp/sinew-shims.$$/io.so && io=/tmp/sinew-shims.$$/io.so ;; esac
trap 'rm -rf /tmp/sinew-shims.$$' EXIT
cat >loads.yaml <<'CASE'
version: 1
mesh: {grid: [4, 3], size: [2, 1]}
physics: elasticity
model: plane-stress
materials: [{on: body, young: 1000, poisson: 0.3}]
boundary: [{on: x0, fix: all}, {on: x1, pressure: 1}]
output: {probes: [{name: tip, at: [2, 0.5], field: displacement-x}]}
CASE
cat >fronts.yaml <<'CASE'
version: 1
mesh: {grid: [4, 3], size: [2, 1], element: tri3}
physics: eikonal
tissue: [{on: body, velocity: 0.5}]
stimuli: [{name: spot, on: {sphere: {center: [0, 0], radius: 0.3}}}]
output: {probes: [{name: tip, at: [2, 0.5]}]}
CASE
cat >hearts.yaml <<'CASE'
version: 1
mesh: {grid: [4, 3], size: [2, 1], element: tri3}
physics: monodomain
tissue: [{on: body, ionic: {model: mitchell-schaeffer}, diffusivity: 0.1}]
stimuli: [{name: spot, on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 40}]
time: {end: 2, step: 0.1}
output: {every: 1, probes: [{name: tip, at: [2, 0.5]}]}
CASE
loads() { "$sinew" sweep loads.yaml -o "$@" -j 1 --over 'boundary.1.pressure=[1, 2, 3]'; }
fronts() { "$sinew" sweep fronts.yaml -o "$@" -j 1 --together 3 --over 'tissue.0.velocity=[1, 2, 3]'; }
hearts() { "$sinew" sweep hearts.yaml -o "$@" -j 1 --together 3 --over 'stimuli.0.amplitude=[1, 2, 3]'; }
alone() { loads "$@" --together 1; }

# whole FOLDER: each point has the numbers of a sweep without faults, as good as to its last digits
whole() {
  python3 -I - "$1" "$2" <<'PYTHON'
import csv, sys
a, b = (list(csv.DictReader(open(name + "/sweep.csv", newline=""))) for name in sys.argv[1:])
assert {row["code"] for row in b} == {"0"} and len(a) == len(b) >= 3, b
assert all(abs(float(x["tip"]) - float(y["tip"])) <= 1e-7 * abs(float(x["tip"])) for x, y in zip(a, b)), (a, b)
PYTHON
}

# The middle one has no room, from its nth operation on files on.
for kind in loads fronts hearts alone; do
  $kind $kind >said 2>&1 || { bad "a sweep of $kind"; cat said; exit 1; }
  lost=0 some="75 1000" # of 1000 there are not as many
  [ $kind != loads ] || some="2 30 $some"
  for n in ${FAULTS:-$some}; do
    rm -rf full
    (export LD_PRELOAD="$io" FAULT_UNDER==2 FAULT_HOW=error FAULT_STICKY=1 FAULT_AT=$n; $kind full) >said 2>&1
    code=$?
    [ $code != 0 ] || break
    lost=$((lost + 1))
    [ $code = 9 ] && grep -q '^2 of 3 points' said && grep -q '=2: .*No space left' said ||
      { bad "$kind without room from operation $n on ended with $code"; cat said; }
    [ "$(grep -c '=2,2,9,.*No space left' full/sweep.csv)" = 1 ] && [ "$(find full -name results.xdmf | wc -l)" -ge 2 ] ||
      { bad "$kind: the table after operation $n"; cat full/sweep.csv; }
    $kind full >said 2>&1 && whole $kind full || { bad "$kind: the same command after operation $n"; cat said full/sweep.csv; }
  done
  [ $code = 0 ] && whole $kind full || bad "$kind fails or has other numbers where nothing does"
  [ $lost -ge 1 ] || bad "$kind: only $lost operations failed"
done
exit $failed
