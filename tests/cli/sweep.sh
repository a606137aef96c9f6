#!/bin/sh
# sweep.sh SINEW FOLDER: sinew sweep runs all combinations, keeps failures with their message, goes on where it was stopped, and
# takes no module of the current folder. 77 (skipped) without python3, after the parts that need none.
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
  "$@" >said 2>&1 </dev/null
  got=$?
  [ $got = "$code" ] && grep -q -- "$words" said || { bad "$* ended with $got, not $code with '$words'"; cat said; }
}

cat >case.yaml <<'CASE'
version: 1
mesh: {grid: [9, 5], size: [2, 1]}
physics: elasticity
model: plane-stress
materials: [{on: body, young: 1000, poisson: 0.3, thickness: 1}]
boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]
output: {probes: [{name: tip, at: [2, 0.5], field: displacement-x}]}
CASE
expect 2 'nothing to go over' "$sinew" sweep case.yaml
expect 3 'cannot open the case file' "$sinew" sweep missing.yaml --over 'materials.0.young=[1]'
expect 2 'standard input' "$sinew" sweep - --over 'materials.0.young=[1]'
expect 9 'apt-get install python3' env PATH=/nowhere "$sinew" sweep case.yaml --over 'materials.0.young=[1]'
[ $failed = 0 ] || exit 1
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }

if command -v gmsh >/dev/null; then
  mkdir geo
  cat >geo/part.geo <<'GEO'
// DefineConstant[ no = 1 ];
DefineConstant[ l = {2, Name "length", Min 1}, h = 1 ];
Point(1) = {0, 0, 0, h}; Point(2) = {l, 0, 0, h}; Point(3) = {l, 1, 0, h}; Point(4) = {0, 1, 0, h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1}; Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Physical Surface("body") = {1}; Physical Curve("x0") = {4}; Physical Curve("x1") = {2};
GEO
  sed 's/^mesh: .*/mesh: {file: part.geo, order: 2}/; s/at: .2, 0.5./at: [1, 0.5]/; s/poisson: 0.3/poisson: 0/' case.yaml >geo/case.yaml
  # the end of a bar is pulled by 1: at x = 1 it moves by 1/1000, its end by l/1000, and its energy is l/2000
  expect 0 'strain-energy' "$sinew" verify geo/case.yaml --overwrite --set mesh.gmsh.l=3 --set 'expect=[{quantity: strain-energy, value: 0.0015, rtol: 1e-6}]'
  expect 0 '2 of 2 points' "$sinew" sweep geo/case.yaml --over 'mesh.gmsh.l=[1, 3]'
  [ "$(sed 1d geo/sweep/sweep.csv | cut -d, -f6 | cut -c1-6 | tr '\n' ' ')" = '0.0010 0.0030 ' ] || { bad "a sweep over a geometry"; cat geo/sweep/sweep.csv; }
  # Points that have the geometry alike share its mesh.
  { cat geo/part.geo && echo "SystemCall \"echo meshed >>'$PWD/meshed'\";"; } >geo/told.geo
  expect 0 '6 of 6 points' "$sinew" sweep geo/case.yaml --trust -o told --set mesh.file=told.geo --over 'mesh.gmsh.l=[1, 2]' --over 'materials.0.young=[1000, 2000, 4000]'
  [ "$(wc -l <meshed)" = 2 ] || bad "two geometries of six points were meshed $(wc -l <meshed) times"
  [ "$(sed 1d told/sweep.csv | cut -d, -f7 | cut -c1-6 | tr '\n' ' ')" = '0.0010 0.0005 0.0002 0.0010 0.0005 0.0002 ' ] || { bad "points that share a mesh"; cat told/sweep.csv; }
  expect 4 "mesh.gmsh.no=1': .*part.geo: no parameter 'no'" "$sinew" check geo/case.yaml --set mesh.gmsh.no=1
  expect 4 'parameters of a geometry: l, h' "$sinew" check geo/case.yaml --set mesh.gmsh.Min=1
  expect 3 'gmsh has parameters of a geometry' "$sinew" check case.yaml --set 'mesh.gmsh={l: 3}'
fi
echo 'raise SystemExit("taken from the current folder")' >csv.py
expect 2 "not KEY=\[VALUE" "$sinew" sweep case.yaml --over materials.0.young=1
expect 2 "did you mean 'young'" "$sinew" sweep case.yaml --over 'materials.0.yung=[1, 2, 3]'
expect 2 'together is 0; allowed: 1' "$sinew" sweep case.yaml --together 0 --over 'materials.0.young=[1]'
expect 2 'twice' "$sinew" sweep case.yaml --over 'materials.0.young=[1]' --over 'materials.0.young=[2]'
expect 9 "cannot write 'case.yaml'" "$sinew" sweep case.yaml -o case.yaml --over 'materials.0.young=[1]'
mkdir -p way/sweep.csv/there
expect 9 "cannot write .*way/sweep.csv" "$sinew" sweep case.yaml -o way --over 'materials.0.young=[1]'
sweep() { "$sinew" sweep case.yaml --workers 2 --over 'materials.0.young=[1000, 2000]' --over 'materials.0.poisson=[0.3, 0.6]' "$@"; }
expect 3 '2 of 4 points; sweep/sweep.csv' sweep
grep -q 'poisson is 0.6, must lie in (-1, 0.5)' said || bad "the message of a failure is not told"
[ "$(wc -l <sweep/sweep.csv)" = 5 ] || { bad "sweep.csv has other rows"; cat sweep/sweep.csv; }
head -n 1 sweep/sweep.csv | grep -q '^point,materials.0.young,materials.0.poisson,code,time,tip,largest-displacement,' ||
  { bad "sweep.csv has other columns"; cat sweep/sweep.csv; }
# "point" has commas and stands in quotes: columns are counted from behind it
awk -F'",' '/young=1000,materials.0.poisson=0.3/ { split($2, a, ",") } /young=2000,materials.0.poisson=0.3/ { split($2, b, ",") }
  END { exit !(a[3] == 0 && b[3] == 0 && a[5] > 0 && a[5] / b[5] > 1.9999 && a[5] / b[5] < 2.0001) }' sweep/sweep.csv ||
  { bad "twice the modulus is not half the displacement"; cat sweep/sweep.csv; }
touch mark
expect 3 '2 of 4 points' sweep
[ -z "$(find sweep -name results.hdf -newer mark)" ] || bad "finished points were run again"
expect 0 '2 of 2 points; apart/sweep.csv' "$sinew" sweep . -o apart -j 1 --set materials.0.poisson=0.2 \
  --over 'boundary.1.traction=[[1, 0], [2, 0]]'
[ "$(find apart -name 'point-*' | wc -l)" = 2 ] || bad "points with brackets have no folder of their own"
expect 5 '0 of 2 points' "$sinew" sweep . -o apart -j 1 --over 'boundary.1.traction=[[1, 0], [2, 0]]'
grep -q -- '--overwrite' said || bad "a point of another case does not name --overwrite"
expect 0 '^$' sh -c '"$0" sweep . -q -o apart --overwrite --over "boundary.1.traction=[[1, 0], [2, 0]]"; code=$?; echo; exit $code' "$sinew"

# Samples: the displacement is traction / modulus; its mean, and how much of its variance each explains, are known.
over() { "$sinew" sweep case.yaml -j 1 -o drawn --set materials.0.poisson=0 --over 'boundary.1.traction.0=uniform(1, 3)' "$@"; }
expect 2 'samples N' over
expect 2 'a list and' over --over 'materials.0.young=[1000, 2000]' --samples 4
expect 2 'the first must be the smaller one' "$sinew" sweep case.yaml --samples 4 --over 'materials.0.young=uniform(2, 1)'
expect 2 'one of latin, sobol, random' over --samples 4 --method latn
expect 2 'go with distributions' "$sinew" sweep case.yaml --samples 4 --over 'materials.0.young=[1000]'
expect 2 'go with distributions' "$sinew" sweep case.yaml --seed 4 --over 'materials.0.young=[1000]'
# Warnings of points: each kind once, with how many have it; of points that are kept too.
for again in new kept; do
  expect 0 "^warning: 2 of 3 points, the first is solver.rtol=0.01: --set 'solver.rtol=0.01': rtol is 0.01" \
    "$sinew" sweep . -q -o loose --over 'solver.rtol=[1e-9, 0.01, 0.02]'
  [ "$(grep -c '^warning' said)" = 1 ] || { bad "not one warning of the points ($again)"; cat said; }
done
expect 0 '48 of 48 points; drawn/sweep.csv, drawn/statistics.csv' over --over 'materials.0.young=log-uniform(1000, 1000.001)' --samples 12 --method sobol --indices
python3 -I - <<'PYTHON' || bad "statistics.csv does not hold what is known"
import csv, math
points = [r for r in csv.DictReader(open("drawn/sweep.csv"))]
tips = [float(p["tip"]) for p in points]
for p, tip in zip(points, tips):
    known = 2 * float(p["boundary.1.traction.0"]) / float(p["materials.0.young"])
    assert abs(tip - known) < 1e-6 * known, (tip, known)
row = next(r for r in csv.DictReader(open("drawn/statistics.csv")) if r["name"] == "tip")
assert row["samples"] == "24" and abs(float(row["mean"]) - sum(tips[:24]) / 24) < 1e-12
assert abs(float(row["mean"]) - 4e-3) < 2e-4 and abs(float(row["deviation"]) - 2e-3 / math.sqrt(3)) < 1e-4, row
assert abs(float(row["total boundary.1.traction.0"]) - 1) < 0.2 and abs(float(row["total materials.0.young"])) < 1e-6, row
PYTHON
cp drawn/sweep.csv once.csv
expect 0 '48 of 48' over --over 'materials.0.young=log-uniform(1000, 1000.001)' --samples 12 --method sobol --indices
cmp -s drawn/sweep.csv once.csv || bad "the same seed has other samples"
[ -e drawn/statistics.csv ] || bad "a sweep that is finished loses its statistics"
expect 0 '1 of 1 points; drawn/sweep.csv$' "$sinew" sweep case.yaml -j 1 -o drawn --over 'materials.0.young=[1000]'
[ -e drawn/statistics.csv ] && bad "statistics of other samples stand beside the table of a sweep"
exit $failed
