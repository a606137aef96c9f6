#!/bin/sh
# ranks.sh SINEW FOLDER: several processes that mpirun starts. One speaks for all, exit codes and messages are those of
# one process, and what does not fit together is told. 77 (skipped) without mpirun or where the program knows no MPI.
set -u
sinew=$1 work=$2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_btl_vader_single_copy_mechanism=none OMP_NUM_THREADS=1
command -v mpirun >/dev/null || { echo "skipped: no mpirun"; exit 77; }
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
# A place with a space in its name, as a user's may be.
mkdir "a place" && ln -s "$(realpath "$sinew")" "a place/sinew" && sinew="$PWD/a place/sinew" || exit 1
failed=0
bad() {
  echo "FAILED: $*"
  failed=1
}
start() { timeout 60 mpirun --bind-to none "$@"; }
# expect CODE WORDS COMMAND...: ends with the code and says the words once
expect() {
  code=$1 words=$2
  shift 2
  start "$@" >said 2>&1
  got=$?
  [ $got = "$code" ] && [ "$(grep -c -- "$words" said)" = 1 ] || { bad "$* ended with $got, not $code with '$words' once"; cat said; }
}

start -n 2 "$sinew" --version >said 2>&1
grep -q "was built without MPI" said && { echo "skipped: built without MPI"; exit 77; }
cat >case.yaml <<'CASE'
version: 1
mesh: {grid: [9, 5], size: [2, 1]}
physics: elasticity
model: plane-stress
materials: [{on: body, young: 1000, poisson: 0.25}]
boundary:
  - {on: x0, fix: all}
  - {on: x1, traction: [1, 0]}
CASE
sed 's/1000/2000/' case.yaml >other.yaml

expect 0 "^Sinew " -n 2 "$sinew" --version
expect 0 "^sinew run CASE.yaml" -n 2 "$sinew" run --help
expect 2 "is the work of one process, and 2 were started" -n 2 "$sinew" check case.yaml
expect 2 "unknown option '--nonsense'" -n 2 "$sinew" run case.yaml --nonsense
expect 3 "nothing.yaml: cannot open the case file" -n 2 "$sinew" run nothing.yaml
expect 3 "rank 1 has read another case" -n 1 "$sinew" run case.yaml : -n 1 "$sinew" run other.yaml
expect 3 "2 ranks for a mesh of 45 nodes, must be at most 1" -n 2 "$sinew" run case.yaml
expect 3 "for several processes yet, and 2 were started" -n 2 "$sinew" run case.yaml --set solver.preconditioner=ssor
[ -e results ] && bad "a run that was refused has left a folder"

# Several processes leave the same rows as one, and a table of what each had.
cat >heat.yaml <<'CASE'
version: 1
mesh: {grid: [41, 61], size: [2, 3]}
physics: heat
materials: [{on: body, conductivity: 2}]
boundary:
  - {on: x0, temperature: 'sin(y)'}
  - {on: x1, flux: 1}
solver: {preconditioner: chebyshev}
output:
  probes: [{name: middle, at: [1.01, 1.02]}]
  sums: [{name: flow, on: x0, field: heat-flow}]
CASE
"$sinew" run heat.yaml --output one --quiet || bad "one process"
expect 0 "mesh  *grid: 2,501 nodes" -n 2 "$sinew" run heat.yaml --output two
cmp one/probes.csv two/probes.csv || bad "probes.csv of two processes is not that of one"
grep -q '"halo_nodes"' two/report.json || bad "no table of ranks in report.json"
expect 5 "there is a result already" -n 2 "$sinew" run heat.yaml --output two
# In time too; one that is asked stops all, behind the same step, and one process goes on with the state of two.
cat >timed.yaml <<'CASE'
version: 1
mesh: {grid: [41, 61], size: [2, 3]}
physics: heat
materials: [{on: body, conductivity: 2, capacity: 1}]
boundary:
  - {on: y0, temperature: 'sin(t)'}
  - {on: x1, flux: 1}
time: {end: 0.3, step: 0.1, scheme: bdf2}
solver: {preconditioner: chebyshev}
output:
  probes: [{name: middle, at: [1.01, 1.02]}]
  sums: [{name: flow, on: y0, field: heat-flow}]
CASE
"$sinew" run timed.yaml --output timed-one --quiet || bad "one process in time"
expect 0 "3 steps" -n 2 "$sinew" run timed.yaml --output timed-two
cmp timed-one/probes.csv timed-two/probes.csv || bad "probes.csv of two processes in time is not that of one"
# A heart: probes and leads are those of one process.
cat >heart.yaml <<'CASE'
version: 1
mesh: {grid: [41, 61], size: [2, 3]}
physics: monodomain
tissue: [{on: body, ionic: aliev-panfilov, diffusivity: {along: 0.2, across: 0.1}, fibers: {direction: [1, x, 0]}}]
stimuli: [{on: x0, duration: 1, current: 20}]
time: {end: 3, step: 0.1}
output:
  every: 1
  probes: [{name: middle, at: [1.01, 1.02]}, {name: early, at: [0.21, 1.3], field: activation}]
  ecg: [{name: far, positive: [5, 1, 1]}]
CASE
"$sinew" run heart.yaml --output heart-one --quiet || bad "one process and a heart"
expect 0 "ms after 30 steps" -n 2 "$sinew" run heart.yaml --output heart-two
cmp heart-one/probes.csv heart-two/probes.csv || bad "probes.csv of a heart on two processes is not that of one"
begun() { # waits for rows of probes.csv
  for i in $(seq 400); do
    [ "$(wc -l 2>/dev/null <"$1")" -gt "$2" ] 2>/dev/null && return
    sleep 0.05
  done
  bad "$1 has no rows"
}
# stopped RANK WORDS: what $launched leaves when the process RANK is asked
stopped() {
  kill -INT "$1"
  wait "$launched"
  got=$?
  [ $got = 10 ] && [ "$(grep -c "stopped on request" said)" = 1 ] && grep -q "$2" said ||
    { bad "stopped with $got, or not once, or without '$2'"; cat said; }
}
long="timed.yaml --set time.end=300 --set output.every=0.1 --output long"
mpirun --bind-to none -n 1 "$sinew" run $long : -n 1 sh -c 'echo $$ >rank; exec "$@"' sh "$sinew" run $long >said 2>&1 &
launched=$!
begun long/probes.csv 3
stopped "$(cat rank)" "the state is in long/checkpoint-1.hdf"
"$sinew" run $long --resume >said 2>&1 &
launched=$!
begun long/probes.csv $(($(wc -l <long/probes.csv) + 3))
stopped $launched "resumed      at t = "
expect 0 "finished     two holds the whole result" -n 2 "$sinew" run heat.yaml --output two --resume
exit $failed
