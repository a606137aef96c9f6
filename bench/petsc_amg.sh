#!/bin/sh
# Smoothed aggregation of Sinew beside PETSc's GAMG and hypre's BoomerAMG on the same elasticity, and combinatorial multigrid beside
# them on power grids, one core each:
#   sh bench/petsc_amg.sh BUILD [PERCENT [MESHES [GRIDS]]]      PERCENT of the edge lengths of meshes: 15, 30, 50 or 100;
#                                                               MESHES: "quad hex tet tri", GRIDS: "pg2 hard2"
# PETSc gets the rigid motions as near-null space (GAMG takes them; BoomerAMG as it is for a scalar problem, with the strong
# threshold that its manual advises in 3D, is faster than its variants for systems here). Conjugate gradients to a true 1e-8.
# On a machine that others use too look at processor time. Needs a build with PETSc found (libpetsc-real-dev).
set -eu
build=${1:?usage: sh bench/petsc_amg.sh BUILD [PERCENT [MESHES]]}
percent=${2:-50}
meshes=${3-quad hex tet tri}
grids=${4-pg2 hard2}
file=$(mktemp)
trap 'rm -f "$file" "$file.info"' EXIT
for mesh in $meshes; do
  "$build/sinew" bench pcg --backend cpu --percent "$percent" --only "$mesh" --part rivals --dump "$file" >/dev/null
  case $mesh in hex | tet) strong=0.5 ;; *) strong=0.25 ;; esac
  echo "$mesh"
  for pc in gamg "hypre -pc_hypre_boomeramg_strong_threshold $strong"; do
    # shellcheck disable=SC2086
    OMP_NUM_THREADS=1 "$build/bench/petsc_cg" "$file" 1e-8 "$mesh" -pc_type $pc
  done
  "$build/sinew" bench multilevel --backend cpu --threads 1 --only "$mesh" --percent "$percent" | grep -E "^(mesh|$mesh .*amg)" |
    sed -n '1p;$p'
done
for grid in $grids; do
  "$build/sinew" bench cmg --backend cpu --threads 1 --only "$grid" --part cmg --dump "$file"
  for pc in jacobi gamg hypre; do
    OMP_NUM_THREADS=1 "$build/bench/petsc_cg" "$file" 1e-8 "$grid" -pc_type $pc | grep -v '^{'
  done
done
