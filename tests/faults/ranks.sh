#!/bin/sh
# ranks.sh SINEW FOLDER TEST_COMM IO_SHIM MEM_SHIM: one of two processes that mpirun starts is killed, gets no memory, no
# disk or other input. All end within seconds, with its message, once, and its exit code, and what they leave is gone on
# with. 77 (skipped) without mpirun, or where the program knows no MPI.
set -u
sinew=$1 work=$2 comm=$3
# LD_PRELOAD is a list with spaces, so that a path in it has none.
shims=$(mktemp -d /tmp/sinew-shims-XXXXXX) || exit 1
trap 'rm -rf "$shims"' EXIT
io=$shims/io.so mem=$shims/mem.so
ln -s "$(realpath "$4")" "$io" && ln -s "$(realpath "$5")" "$mem" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_btl_vader_single_copy_mechanism=none OMP_NUM_THREADS=1
command -v mpirun >/dev/null || { echo "skipped: no mpirun"; exit 77; }
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
# A place with a space in its name, as a user's may be.
mkdir "a place" && ln -s "$(realpath "$sinew")" "a place/sinew" && sinew="$PWD/a place/sinew" || exit 1
mpirun --bind-to none -n 2 "$sinew" --version >said 2>&1
grep -q "was built without MPI" said && { echo "skipped: built without MPI"; exit 77; }
failed=0
bad() {
  echo "FAILED: $*"
  cat said
  failed=1
}
# two ENVIRONMENT-OF-0 ENVIRONMENT-OF-1 WORDS...: the program as rank 0 and 1, whose numbers of process are in rank0, rank1
two() {
  a=$1 b=$2
  shift 2
  timeout 60 mpirun --bind-to none -n 1 sh -c 'echo $$ >rank0; set -- "$0" "$@"; exec env '"$a"' "$@"' "$sinew" "$@" : \
    -n 1 sh -c 'echo $$ >rank1; set -- "$0" "$@"; exec env '"$b"' "$@"' "$sinew" "$@" >said 2>&1
}
# ended CODE GOT WORDS WHAT: the code, and the words once
ended() {
  [ "$2" = "$1" ] && [ "$(grep -c -- "$3" said)" = 1 ] || bad "$4: ended with $2, not $1 with '$3' once"
}
cat >timed.yaml <<'CASE'
version: 1
mesh: {grid: [41, 61], size: [2, 3]}
physics: heat
materials: [{on: body, conductivity: 2, capacity: 1}]
boundary:
  - {on: y0, temperature: 'sin(t)'}
  - {on: x1, flux: 1}
time: {end: 40, step: 0.1, scheme: bdf2}
solver: {preconditioner: chebyshev}
output:
  every: 0.1
  checkpoint: 0.5
  probes: [{name: middle, at: [1.01, 1.02]}]
  sums: [{name: flow, on: y0, field: heat-flow}]
CASE
"$sinew" run timed.yaml --output whole --quiet >said 2>&1 || bad "one process"
# goes_on FOLDER: readable, and one process comes to the same end
goes_on() {
  "$sinew" info "$1/results.hdf" >said 2>&1 || bad "$1/results.hdf"
  "$sinew" run timed.yaml --output "$1" --resume --quiet >said 2>&1 || bad "$1 is not gone on with"
  cmp "whole/probes.csv" "$1/probes.csv" || bad "$1 gone on with has other rows"
}

# Killed, or crashed, on its way.
for how in "KILL 0 137" "KILL 1 137" "SEGV 1 139"; do
  set -- $how
  rm -rf killed
  two "" "" run timed.yaml --output killed --quiet &
  launched=$!
  for i in $(seq 600); do
    [ "$(wc -l 2>/dev/null <killed/probes.csv)" -gt 20 ] 2>/dev/null && break
    sleep 0.02
  done
  kill -"$1" "$(cat "rank$2")"
  began=$(date +%s)
  wait $launched
  got=$?
  took=$(($(date +%s) - began))
  [ $took -le 5 ] || bad "$how: the other rank ended after $took s"
  ended "$3" $got "process rank $2 .* exited on signal" "$how"
  goes_on killed
done

# Asked to stop while it solves: one rank says so for all.
cat >large.yaml <<'CASE'
version: 1
mesh: {grid: [601, 601]}
physics: heat
materials: [{on: body, conductivity: 2}]
boundary: [{on: y0, temperature: 1}, {on: y1, flux: x}]
CASE
two "" "" run large.yaml --output asked --quiet --set solver.preconditioner=jacobi --set solver.rtol=1e-12 &
launched=$!
sleep 3
kill -TERM "$(cat rank0)" "$(cat rank1)"
wait $launched
ended 10 $? "stopped on request" "asked to stop"
[ -e asked/results.hdf ] && bad "asked to stop: a result was left"

# Memory: what the second rank asks for in pieces beyond the reserve of the program (app/reserve.c) is refused, first and later.
for n in 1 4; do
  two "" "LD_PRELOAD=$mem FAULT_LEAST=2200000 FAULT_AT=$n" run large.yaml --output short --quiet
  ended 7 $? "on rank 1 of 2" "memory, piece $n"
  grep -q "not enough memory for" said || bad "memory, piece $n: nothing of memory"
  [ -e short/results.hdf ] && bad "memory, piece $n: a result was left"
done

# Disk: full on rank 0 from some operation on, at the beginning, in the steps, in a checkpoint.
for n in 3 40 160; do
  rm -rf full
  two "LD_PRELOAD=$io FAULT_UNDER=/full/ FAULT_HOW=error FAULT_STICKY=1 FAULT_AT=$n" "" run timed.yaml --output full --quiet
  ended 9 $? "No space left on device" "disk, operation $n"
  [ ! -e full/results.hdf ] || goes_on full
done

# Other input on one rank: no case, another case, a damaged mesh, another mesh, another program.
mkdir here there
cat >here/case.yaml <<'CASE'
version: 1
mesh: some.msh
physics: heat
materials: [{on: body, conductivity: 2}]
boundary: [{on: left, temperature: 1}]
CASE
cp here/case.yaml there
awk -v n=51 'BEGIN {
  print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"left\"\n2 2 \"body\"\n$EndPhysicalNames\n$Nodes"
  print n * n
  for (j = 0; j < n; ++j) for (i = 0; i < n; ++i) print j * n + i + 1, i, j, 0
  print "$EndNodes\n$Elements"
  print (n - 1) * n
  for (j = 0; j < n - 1; ++j) print ++e, 1, 2, 1, 1, j * n + 1, j * n + n + 1
  for (j = 0; j < n - 1; ++j) for (i = 1; i < n; ++i) print ++e, 3, 2, 2, 1, j * n + i, j * n + i + 1, j * n + n + i + 1, j * n + n + i
  print "$EndElements" }' >here/some.msh
# apart CODE WORDS WHAT: rank 0 runs here, rank 1 there
apart() {
  timeout 60 mpirun --bind-to none -n 1 sh -c 'cd here && exec "$0" "$@"' "$sinew" run case.yaml --quiet --overwrite : \
    -n 1 sh -c 'cd there && exec "$0" "$@"' "$other" run case.yaml --quiet --overwrite >said 2>&1
  ended "$1" $? "$2" "$3"
  [ ! -e here/results/results.hdf ] || bad "$3: a result was left"
}
other=$sinew
mv there/case.yaml there/none
apart 3 "case.yaml: cannot open the case file" "no case on one rank"
sed 's/conductivity: 2/conductivity: 3/' there/none >there/case.yaml
apart 3 "rank 1 has read another case" "another case"
mv there/none there/case.yaml
head -c 30000 here/some.msh >there/some.msh
apart 4 "on rank 1 of 2" "a mesh cut off"
sed 's/^60 8 1 0/60 8.1 1 0/' here/some.msh >there/some.msh
apart 4 "rank 1 has read another mesh" "another mesh"
cp here/some.msh there/some.msh
commit=$(sed -n 's/.*"commit": "\([^"]*\)".*/\1/p' whole/report.json)
if [ ${#commit} -ge 7 ]; then
  sed "s/$commit/$(echo "$commit" | tr '0-9a-f' '1-9a-f0')/g" "$sinew" >another && chmod +x another
  other=$PWD/another
  apart 2 "rank 1 runs another Sinew" "another program"
fi

# A rank that fails while the other works for long and asks nobody.
SINEW_RANKS_PATIENCE=1 timeout 60 mpirun --bind-to none -n 2 "$comm" busy >said 2>&1
ended 4 $? "rank 1: a bad part" "a rank that is not heard"

# More ranks than GPUs.
gpus=$(nvidia-smi -L 2>/dev/null | grep -c GPU)
if [ "$gpus" -gt 0 ] && "$sinew" check large.yaml --backend cuda --quiet >said 2>&1; then
  timeout 120 mpirun --bind-to none -n $((gpus + 1)) "$sinew" run large.yaml --backend cuda --output gpus >said 2>&1
  ended 0 $? "ranks share $gpus GPU" "more ranks than GPUs"
fi
exit $failed
