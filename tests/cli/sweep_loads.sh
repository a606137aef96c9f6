#!/bin/sh
# sweep_loads.sh SINEW FOLDER: points of a sweep that differ in what acts alone share one matrix unasked, and have the numbers of
# runs one by one; other points are run one by one; a point that fails keeps its message, and finished ones stay. 77 (skipped)
# without python3.
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
cat >body.yaml <<'CASE'
version: 1
mesh: {grid: [5, 4, 4], size: [4, 2, 2], element: tet4, order: 2}
physics: elasticity
model: 3d
materials: [{on: body, young: 1000, poisson: 0.3, density: 2, expansion: 1e-4}]
boundary:
  - {on: x0, fix: {x: 0, y: 0, z: 0.001}}
  - {on: z1, pressure: 1, spring: 3}
  - {on: y1, force: [0, 1, 0]}
  - {on: x1, rigid: {at: [4, 1, 1], force: [0, 0, 1]}}
body: [{on: body, gravity: [0, 0, -9.81]}]
thermal: {reference: 20, temperature: 30}
solver: {rtol: 1e-12}
output:
  fields: [displacement, stress]
  probes: [{name: tip, at: [4, 2, 2], field: displacement-z}, {name: stress, at: [1, 0.3, 0.4], field: stress-xx}]
  sums: [{name: wall, on: x0, field: reaction}]
CASE
cat >ring.yaml <<'CASE'
version: 1
mesh: {grid: [5, 9], size: [1, 2], regions: [{name: upper, share: "step(y - 1.01)"}]}
physics: elasticity
model: axisymmetric
materials: [{on: body, young: 1000, poisson: 0.4}, {on: upper, young: 300, poisson: 0.2}]
boundary: [{on: y0, symmetry: true}, {on: x1, pressure: "1 + y"}, {on: y1, fix: {y: 0.01}}]
equations: [{nodes: [15, 20], components: [x, x], factors: [1, -1], value: 0.002}]
solver: {rtol: 1e-12}
output: {probes: [{name: tip, at: [1, 1.5], field: displacement-x}], sums: [{name: foot, on: y0, field: reaction}]}
CASE
body() { "$sinew" sweep body.yaml -q -o "$@" -j 1 --samples 11 --seed 5 --over 'boundary.1.pressure=uniform(-2, 2)' --over 'boundary.2.force.1=uniform(-2, 2)' --over 'boundary.0.fix.z=uniform(-0.01, 0.01)' --over 'boundary.3.rigid.force.2=uniform(-1, 1)' --over 'body.0.gravity.2=uniform(-10, 10)' --over 'thermal.temperature=uniform(0, 50)'; }
ring() { "$sinew" sweep ring.yaml -q -o "$@" -j 1 --over 'boundary.1.pressure=[0, 2, "y^2"]' --over 'boundary.2.fix.y=[-0.02, 0.9]'; }
for kind in body ring; do
  expect 0 '' $kind $kind-one --together 1
  expect 0 '' $kind $kind-all
done
python3 -I - <<'PYTHON' || bad "points that share a matrix have other numbers"
import csv, json, os
def table(name):
    with open(name + "/sweep.csv", newline="") as file:
        return list(csv.DictReader(file))
for kind in "body", "ring":
    one, all = table(kind + "-one"), table(kind + "-all")
    assert len(one) == len(all) >= 6, kind
    for a, b in zip(one, all):
        assert a["point"] == b["point"] and a["code"] == b["code"] == "0" and a.keys() == b.keys(), (kind, a, b)
        for name in a:
            if name in ("point", "message", "iterations") or name.startswith(("boundary", "body", "thermal")):
                continue
            x, y = float(a[name]), float(b[name])
            assert abs(x - y) <= 1e-10 * max(abs(x), 1e-2), (kind, name, x, y)
        reports = [json.load(open(os.path.join(f"{kind}-{n}", a["point"], "report.json"))) for n in ("one", "all")]
        energies = [r["strain_energy"] for r in reports]
        assert abs(energies[0] - energies[1]) <= 1e-10 * energies[0] and energies[0] > 0, energies
        assert reports[0].get("warnings") == reports[1].get("warnings"), (kind, [r.get("warnings") for r in reports])
        assert reports[0]["case_hash"] == reports[1]["case_hash"] and reports[1]["true_residual"] <= 1e-12, reports[1]
    assert kind == "body" or "small-displacement" in str(reports[1]["warnings"]), reports[1]
    assert len({a["tip"] for a in all}) == len(all), (kind, "points are alike")
PYTHON
touch mark
expect 0 '' body body-all
[ -z "$(find body-all -name results.hdf -newer mark)" ] || bad "finished points were run again"
rm -r ring-all/*boundary.1.pressure=2*
expect 0 '' ring ring-all
[ "$(find ring-all -name results.hdf -newer mark | wc -l)" = 2 ] || bad "not just the points that were missing were run"
# A support more is another matrix, and what is no number has no result: such points keep the message of a run of their own.
expect 3 '4 of 6 points' "$sinew" sweep ring.yaml -o some --over 'boundary.1.pressure=[1, 2, "sqrt(-y - 1)"]' --over 'boundary.2.fix.y=[0, 0.1]'
grep -c 'sqrt(-y - 1)' some/sweep.csv >/dev/null || bad "the message of a point is not told"
expect 0 '2 of 2 points' "$sinew" sweep ring.yaml -o supports --over 'boundary.0.fix.x=[0]' --over 'boundary.1.pressure=[1, 2]'
expect 0 '2 of 2 points' "$sinew" sweep ring.yaml -o stiff --over 'boundary.1.pressure=[1]' --over 'materials.0.young=[1, 2]'
refused() {
  words=$1
  shift
  expect 2 "$words" "$sinew" sweep "$@" -o refused --together 4
}
refused "differ in 'materials.0.young'" ring.yaml --over 'materials.0.young=[1, 2]'
refused "differ in 'boundary.1.spring'" body.yaml --over 'boundary.1.spring=[1, 2]'
refused "differ in 'boundary.3.rigid.at'" body.yaml --over 'boundary.3.rigid.at=[[0, 0, 2], [1, 1, 2]]'
refused "'load-cases:'" ring.yaml --set 'load-cases=[{name: a, boundary: [{on: x1, pressure: 1}]}]' --set 'boundary=[{on: y0, symmetry: true}, {on: y1, fix: {y: 0}}]' --set 'equations=[]' --over 'boundary.1.fix.y=[0, 1]'
refused "without steps, not a case of elasticity (load-step)" ring.yaml --set 'materials.0.type=plastic' --set 'materials.0.yield=3' --set time.end=1 --set time.step=1 --over 'boundary.2.fix.y=[0, 1]'
expect 2 '--shared is for points' "$sinew" run ring.yaml --shared
# A dict comes by the standard input.
printf 'a\tboundary.1.pressure=2\nb\tboundary.1.pressure=3\n' >points
"$sinew" run - --together points --shared -q -o piped <ring.yaml || bad "points of a case from the standard input"
[ -s piped/b/results.hdf ] || bad "no results of a case from the standard input"
exit $failed
