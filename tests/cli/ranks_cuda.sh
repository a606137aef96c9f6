#!/bin/sh
# ranks_cuda.sh SINEW FOLDER: two processes on GPUs, or on one, have the results of one process to 1e-9: a heart whose tiles end
# inside a part, and elasticity with multigrid. 77 (skipped) without mpirun, MPI or a GPU.
set -u
sinew=$1 work=$2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_btl_vader_single_copy_mechanism=none OMP_NUM_THREADS=2
command -v mpirun >/dev/null || { echo "skipped: no mpirun"; exit 77; }
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
mpirun --bind-to none -n 2 "$sinew" --version >said 2>&1
grep -q "was built without MPI" said && { echo "skipped: built without MPI"; exit 77; }
cat >heart.yaml <<'CASE'
version: 1
units: mm, ms, mV
mesh: {grid: [40, 40, 40], size: [8, 8, 8]}
physics: monodomain
tissue:
  - {on: body, ionic: {model: aliev-panfilov, preset: goktepe-kuhl}, diffusivity: 0.25}
stimuli: [{on: x0, start: 0, duration: 2, amplitude: 100}]
time: {end: 20, step: 0.5}
output:
  every: 10
  fields: [potential]
  probes: [{name: a, at: [1, 1, 1], field: potential}, {name: b, at: [4, 4, 4], field: potential}]
CASE
cat >block.yaml <<'CASE'
version: 1
mesh: {grid: [24, 24, 24]}
physics: elasticity
model: 3d
materials: [{on: body, young: 1000, poisson: 0.3}]
boundary: [{on: x0, fix: all}, {on: x1, traction: [0, 1, 0]}]
solver: {preconditioner: amg}
output:
  fields: [displacement, von-mises]
  probes: [{name: tip, at: [1, 1, 1], field: displacement-y}, {name: middle, at: [0.5, 0.5, 0.5], field: von-mises}]
CASE
failed=0
for case in heart block; do
  "$sinew" run $case.yaml --backend cuda --quiet --output one-$case >said 2>&1 || {
    grep -q "without CUDA\|no usable GPU\|there is no GPU\|no NVIDIA driver" said && { cat said; echo "skipped: no GPU"; exit 77; }
    cat said
    exit 1
  }
  timeout 60 mpirun --bind-to none -n 2 "$sinew" run $case.yaml --backend cuda --quiet --output two-$case >said 2>&1 || {
    cat said
    failed=1
    continue
  }
  # One GPU alone adds up in other parts than two: the last digits may differ, the work may not.
  paste -d, one-$case/probes.csv two-$case/probes.csv | awk -F, '
    NR > 1 && !/^#/ {
      for (i = 1; i <= NF / 2; i++) {
        d = $i - $(i + NF / 2)
        if (d < 0) d = -d
        a = $i < 0 ? -$i : $i
        if (d > 1e-9 * a + 1e-12) bad = 1
        n++
      }
    }
    END { exit bad || n < 3 }' || {
    echo "FAILED: $case"
    tail -n 1 one-$case/probes.csv two-$case/probes.csv
    failed=1
  }
done
exit $failed
