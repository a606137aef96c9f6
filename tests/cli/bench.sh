#!/bin/sh
# `sinew bench` hands over to sinew-bench, which is beside it or on the PATH; nothing of it is in the program that solves.
#   bench.sh PROGRAM BENCH_PROGRAM FOLDER
sinew=$1 bench=$2 work=$3
rm -rf "$work"
mkdir -p "$work/alone" "$work/path" "$work/broken"
cd "$work" || exit 1
cp "$sinew" alone/sinew
cp "$sinew" broken/sinew
cp "$bench" path/sinew-bench
: >broken/sinew-bench
failed=0

says() { # exit code, a part of what it says, program, words...
  code=$1 part=$2
  shift 2
  "$@" >said 2>&1
  got=$?
  { [ $got = "$code" ] && grep -qF -- "$part" said; } || { echo "'$*' ended with $got, not $code and '$part': $(cat said)"; failed=1; }
}
small="spmv --percent 1 --repeat 1 --only protein --backend cpu --threads 1"
says 0 "regret of the choice" "$sinew" bench $small --json bench
[ -s bench ] || { echo "--json bench was not written"; failed=1; }
says 0 "regret of the choice" "$sinew" --json bench bench $small
says 0 "regret of the choice" "$bench" $small
says 2 "neither in $work/alone/ nor on the PATH" env PATH=/nowhere alone/sinew bench $small
says 0 "regret of the choice" env "PATH=$work/path" alone/sinew bench $small
says 2 "cannot start $work/broken/sinew-bench" broken/sinew bench $small
says 9 "cannot be read as a folder of meshes" "$sinew" bench spmv --meshes nowhere
says 2 "did you mean 'spmv'?" "$sinew" bench spnv
says 2 "did you mean 'spmv'?" "$bench" spnv
says 2 "needs NAME: assembly" "$bench"
says 2 "'--matrix' is an option of: bench spmv" "$bench" heat --matrix a.mtx
says 0 "Usage" env PATH=/nowhere alone/sinew help
says 0 "(heart) nodal or gauss" env PATH=/nowhere alone/sinew bench --help
says 0 "nodal or gauss" "$bench" heart --help

if command -v nm >/dev/null 2>&1; then
  nm "$sinew" >symbols && grep -qw app_line symbols && grep -wE 'bench_(spmv|pcg|heart)|rival_[a-z]+' symbols &&
    { echo "these belong to sinew-bench"; failed=1; }
fi
# The product, stripped, with GPU code or without: what is shipped and kept in memory. 27.3 MB today, half of it kernels; lines
# of the sources in the kernels, or the benches in the program, would go far beyond.
most=30000000
if command -v strip >/dev/null 2>&1 && strip -o stripped "$sinew"; then
  bytes=$(wc -c <stripped)
  [ "$bytes" -le $most ] || { echo "the program has $bytes bytes when stripped, at most $most"; failed=1; }
fi
exit $failed
