#!/bin/sh
# Sinew's PCG beside PETSc's CG + Jacobi on the same matrix in the same run: sh bench/petsc.sh BUILD [PERCENT [MESH]]
# Needs a build with PETSc found (libpetsc-real-dev) and mpirun.
set -eu
build=${1:?usage: sh bench/petsc.sh BUILD [PERCENT [MESH]]}
percent=${2:-100}
mesh=${3:-hex}
cores=$(nproc)
file=$(mktemp)
trap 'rm -f "$file"' EXIT
"$build/sinew" bench pcg --backend cpu --percent "$percent" --only "$mesh" --dump "$file"
for ranks in 1 "$cores"; do
  OMP_NUM_THREADS=1 mpirun --allow-run-as-root -n "$ranks" "$build/bench/petsc_cg" "$file" 1e-8
done
