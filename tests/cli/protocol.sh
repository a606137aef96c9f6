#!/bin/sh
# protocol.sh SINEW FOLDER: sinew protocol finds where an extra stimulus is blocked, with durations and velocities that a run by hand
# has too, goes on where it was stopped, and sees faster trains. 77 (skipped) without python3, after the parts that need none.
set -u
sinew=$1 work=$2
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
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
mesh: {grid: [41, 2], size: [20, 0.5]}
physics: monodomain
tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]
stimuli:
  - {name: s1, on: {box: {min: [0, 0], max: [2, 1]}}, duration: 2, amplitude: 50}
  - {name: s2, on: {box: {min: [0, 0], max: [2, 1]}}, duration: 2, amplitude: 50}
time: {end: 600, step: 1}
output: {every: 100, probes: [{name: near, at: [5, 0.25]}, {name: far, at: [15, 0.25]}]}
CASE
expect 2 'one of .--s1s2 FROM,TO,STEP. and' "$sinew" protocol case.yaml
expect 2 'one of .--s1s2 FROM,TO,STEP. and' "$sinew" protocol case.yaml --s1s2 4,3,1 --dynamic 4,3,1
expect 3 'cannot open the case file' "$sinew" protocol missing.yaml --s1s2 400,300,50
expect 2 'standard input' "$sinew" protocol - --s1s2 400,300,50
expect 9 'a protocol is run by python3' env PATH=/nowhere "$sinew" protocol case.yaml --s1s2 400,300,50
command -v python3 >/dev/null || { [ $failed = 0 ] && exit 77 || exit 1; }

expect 2 "is not FROM,TO,STEP" "$sinew" protocol case.yaml --s1s2 400,300
expect 2 "FROM must be at least TO" "$sinew" protocol case.yaml --s1s2 300,400,10
expect 2 "the first two entries of .stimuli:." "$sinew" protocol case.yaml --s1s2 400,300,50 \
  --set 'stimuli=[{on: body, duration: 2, amplitude: 50}]'
expect 2 "takes a heart" "$sinew" protocol case.yaml --s1s2 400,300,50 --set 'output={}'
s1s2() { "$sinew" protocol case.yaml --s1s2 400,200,50 --cycle 600 --beats 3 --rest 300 --resolution 20 "$@"; }
expect 0 'block at' s1s2
grep -q '^capture      down to' said || { bad "no refractory period"; cat said; }
head -n 1 protocol/protocol.csv | grep -q '^interval,result,extra,last,near-rest,near-apd,near-delay,far-rest,far-apd,far-delay,near-far-velocity' ||
  bad "other columns: $(head -n 1 protocol/protocol.csv)"
# Intervals fall; all before the first block are captured, with shorter beats and slower waves.
awk -F, 'NR > 1 { if (n && $1 >= interval) bad = 1
    if ($2 == "block") blocked = 1
    else if (blocked || $2 != "capture" || (n && ($6 >= apd || $11 >= velocity))) bad = 1
    interval = $1; apd = $6; velocity = $11; n++ } END { exit bad || !(blocked && n >= 4) }' protocol/protocol.csv ||
  { bad "no restitution"; cat protocol/protocol.csv; }
# The same beat in one run from the start.
"$sinew" run case.yaml -q -o hand --set stimuli.0.period=600 --set stimuli.0.count=3 --set stimuli.1.start=1600 --set time.end=1700 \
  --set output.sample=1 --set 'output.probes=[{name: a, at: [5, 0.25], field: activation, beat: 4}, {name: b, at: [15, 0.25], field: activation, beat: 4}]' ||
  bad "the run by hand failed"
tail -n 1 hand/probes.csv | tr , ' ' >last
grep '^400,' protocol/protocol.csv | tr , ' ' >>last
awk 'NR == 1 { a = $2 - 1600; b = $3 - 1600 }
  NR == 2 { d = a - $7; e = b - $10; v = 10 / (b - a) - $11; exit !(d < 0.5 && d > -0.5 && e < 0.5 && e > -0.5 && v < 0.01 && v > -0.01) }' last ||
  { bad "not as by hand"; cat last; }
touch mark
cp protocol/protocol.csv before
rm -r protocol/s2-350 protocol/protocol.csv
expect 0 'block at' s1s2
[ "$(find protocol -name results.hdf -newer mark)" = protocol/s2-350/results.hdf ] || bad "finished intervals were run again"
cmp -s before protocol/protocol.csv || bad "another table after going on"

expect 0 '3 intervals; trains/protocol.csv' "$sinew" protocol . -o trains --dynamic 600,400,100 --beats 4 --rest 200
awk -F, 'NR > 1 { if ($2 == "block" || (apd && $6 >= apd)) bad = 1; apd = $6 } END { exit bad || NR != 4 }' trains/protocol.csv ||
  { bad "no dynamic restitution"; cat trains/protocol.csv; }
if command -v gmsh >/dev/null; then # a geometry is meshed once for all runs
  cat >strip.geo <<GEO
Point(1) = {0, 0, 0, 0.5}; Point(2) = {20, 0, 0, 0.5}; Line(1) = {1, 2};
Extrude {0, 0.5, 0} { Line{1}; Layers{1}; Recombine; }
Physical Surface("body") = {5};
SystemCall "echo meshed >>'$PWD/meshed'";
GEO
  expect 0 '2 intervals; told/protocol.csv' "$sinew" protocol . -o told --trust --dynamic 500,400,100 --beats 1 --rest 50 --set 'mesh={file: strip.geo}'
  [ "$(wc -l <meshed)" = 1 ] || bad "the geometry of a protocol was meshed $(wc -l <meshed) times"
fi
# A wave that is on its way to the far probe for longer than a cycle: delays and velocities are those of one pulse.
expect 0 '2 intervals; slow/protocol.csv' "$sinew" protocol . -o slow --dynamic 300,150,150 --beats 3 --rest 100 --set mesh.grid=[91,2] --set mesh.size=[45,0.5] \
  --set 'tissue.0.ionic={model: aliev-panfilov, time: 6}' --set tissue.0.diffusivity=0.1 --set output.probes.1.at=[43,0.25]
awk -F, 'NR > 1 && !($7 > 10 && $7 < 40 && $10 > 120 && $10 < 240 && $11 > 0.19 && $11 < 0.25 && (NR == 2 || $11 < v)) { bad = 1 } { v = $11 }
  END { exit bad || NR != 3 }' slow/protocol.csv || { bad "delays of other pulses"; cat slow/protocol.csv; }
expect 2 "launcher 'no-such' cannot be started" "$sinew" protocol . -o wrong --dynamic 500,300,100 --launcher 'no-such -n 2'
expect 2 "No closing quotation" "$sinew" protocol . -o wrong --dynamic 500,300,100 --launcher "mpirun '-n"
# More ranks than cores are no reason to refuse; what MPI itself never frees is no leak of ours.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
OMPI_MCA_rmaps_base_oversubscribe=1 ASAN_OPTIONS=detect_leaks=0
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_btl_vader_single_copy_mechanism
export OMPI_MCA_rmaps_base_oversubscribe ASAN_OPTIONS
if command -v mpirun >/dev/null && ! mpirun --bind-to none -n 2 "$sinew" --version 2>&1 | grep -q 'was built without MPI'; then # as one process
  fine='--dynamic 300,300,100 --beats 1 --rest 20 --set mesh.grid=[201,12] --set time.step=2 --set solver.preconditioner.type=jacobi'
  expect 0 '1 intervals; one/protocol.csv' "$sinew" protocol . -o one $fine
  expect 0 '1 intervals; two/protocol.csv' "$sinew" protocol . -o two $fine --launcher 'mpirun --bind-to none -n 2'
  cmp -s one/protocol.csv two/protocol.csv || bad "two processes have another table"
  grep -q '"ranks"' two/cycle-300/report.json || bad "the runs of a launcher were not shared"
fi
expect 3 "must be" "$sinew" protocol . -o wrong --dynamic 500,300,100 --set tissue.0.diffusivity=-1
exit $failed
