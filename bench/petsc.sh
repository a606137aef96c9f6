#!/bin/sh
# Sinew's PCG beside PETSc's CG + Jacobi on the same matrices:
#   sh bench/petsc.sh BUILD [PERCENT [MESHES [JSON]]]      MESHES: "quad hex tet tri" when not given
# writes the figures of PETSc to JSON (default petsc.json), which `sinew bench pcg --petsc JSON` sets beside its own.
# Needs a build with PETSc found (libpetsc-real-dev) and mpirun.
set -eu
build=${1:?usage: sh bench/petsc.sh BUILD [PERCENT [MESHES [JSON]]]}
percent=${2:-100}
meshes=${3:-quad hex tet tri}
json=${4:-petsc.json}
cores=$(nproc)
file=$(mktemp)
lines=$(mktemp)
trap 'rm -f "$file" "$lines"' EXIT
for mesh in $meshes; do
  "$build/sinew" bench pcg --backend cpu --percent "$percent" --only "$mesh" --part rivals --dump "$file" >/dev/null
  for ranks in 1 "$cores"; do
    OMP_NUM_THREADS=1 mpirun --allow-run-as-root -n "$ranks" "$build/bench/petsc_cg" "$file" 1e-8 "$mesh" | tee -a "$lines"
    [ "$cores" -gt 1 ] || break
  done
done
{
  echo '{"petsc": ['
  grep '^{' "$lines" | sed '$!s/$/,/'
  echo ']}'
} >"$json"
"$build/sinew" bench pcg --backend cpu --percent "$percent" --part rivals --petsc "$json"
