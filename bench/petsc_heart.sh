#!/bin/sh
# Sinew's steps of a heart beside PETSc's, the same scheme on the same meshes of linear tetrahedra:
#   sh bench/petsc_heart.sh BUILD MESHES [JSON [ROUNDS [NAME...]]]     NAME: meshes of the folder MESHES, or all as they are
# writes PETSc's figures to JSON (default petsc_heart.json), which `sinew bench heart --meshes MESHES --petsc JSON` sets beside
# its own. Both run in turn, ROUNDS times (default 3), and the fastest counts: a machine is rarely quiet.
# Needs a build with PETSc found (libpetsc-real-dev) and mpirun; bench/heart_meshes.sh makes meshes.
set -eu
usage="usage: sh bench/petsc_heart.sh BUILD MESHES [JSON [ROUNDS [NAME...]]]"
build=${1:?$usage}
meshes=${2:?$usage}
json=${3:-petsc_heart.json}
rounds=${4:-3}
if [ $# -gt 4 ]; then
  shift 4
  names=$*
else
  names=$(cd "$meshes" && ls | sed -n 's/\.\(msh\|h5\)$//p' | grep -v '^unstructured-' | sort -u)
fi
cores=$(nproc)
file=$(mktemp)
lines=$(mktemp)
trap 'rm -f "$file" "$lines"' EXIT
gather() {
  {
    echo '{"petsc": ['
    grep '^{' "$lines" | sed '$!s/$/,/'
    echo ']}'
  } >"$json"
}
for mesh in $names; do
  for round in $(seq "$rounds"); do
    "$build/sinew" bench heart --backend cpu --threads "$cores" --meshes "$meshes" --only "$mesh" --dump "$file" 2>/dev/null
    for scheme in nodal gauss; do
      for preconditioner in jacobi bjacobi; do
        for ranks in 1 "$cores"; do
          OMP_NUM_THREADS=1 mpirun --allow-run-as-root -n "$ranks" "$build/bench/petsc_heart" "$file" "$scheme" \
            "$preconditioner" "$mesh" | tee -a "$lines" | grep -v '^{' || true
          [ "$cores" -gt 1 ] || break
        done
      done
    done
    gather
  done
  echo
  "$build/sinew" bench heart --backend cpu --threads "$cores" --meshes "$meshes" --only "$mesh" --petsc "$json" 2>/dev/null
  echo
done
