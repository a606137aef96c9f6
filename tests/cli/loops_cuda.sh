#!/bin/sh
# loops_cuda.sh SINEW FOLDER: a heart whose steps are launched one graph a loop, or stay in one kernel, has what the CPU has in every
# row of probes.csv: explicit stages with fronts that start the cells node by node, whose pulses end no step, and with samples, of
# every step and of every third. 77 (skipped) without a GPU.
set -u
sinew=$1 work=$2
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
cat >heart.yaml <<'CASE'
version: 1
units: mm, ms, mV
mesh: {grid: [40, 12, 6], size: [10, 3, 1.5]}
physics: monodomain
tissue:
  - {on: body, ionic: ten-tusscher, diffusivity: 0.1, velocity: 0.6}
eikonal: {}
stimuli: [{on: x0, start: 1, duration: 1, amplitude: 50, depth: 0.5}]
time: {end: 30, step: 0.05}
output:
  every: 15
  sample: 0.05
  fields: [potential]
  probes:
    - {name: a, at: [1, 1, 1], field: potential}
    - {name: b, at: [5.1, 1.5, 0.7], field: potential}
    - {name: m, at: [5.1, 1.5, 0.7], field: m}
    - {name: when, at: [5.1, 1.5, 0.7], field: activation}
  ecg: [{name: I, positive: [12, 1.5, 0.75]}, {name: II, positive: [5, 6, 0.75]}, {name: III, positive: [-3, 1, 0]}]
CASE
"$sinew" run heart.yaml --backend cpu --quiet --output cpu >said 2>&1 || { cat said; exit 1; }
failed=0
for way in graph persistent; do
  for sample in 0.05 0.15; do
    SINEW_GPU_LOOP=$way "$sinew" run heart.yaml --backend cuda --quiet --output $way --overwrite --set output.sample=$sample >said 2>&1 || {
      grep -q "without CUDA\|no usable GPU\|there is no GPU\|no NVIDIA driver" said && { cat said; echo "skipped: no GPU"; exit 77; }
      cat said
      exit 1
    }
    # Rows of one are found in the other by their times. Products in half leave 0.01 mV of an upstroke; a step too late is 2.5 mV.
    awk -F, -v way="$way" -v sample=$sample '
      FNR == 1 { next }
      NR == FNR { row[sprintf("%.6f", $1)] = $0; next }
      {
        n++
        if (!(sprintf("%.6f", $1) in row)) { print way " " sample ": t = " $1 " is not there"; bad = 1; exit }
        split(row[sprintf("%.6f", $1)], other, ",")
        for (i = 2; i <= NF; i++) {
          d = $i - other[i]
          if (d < 0) d = -d
          if (d > worst) { worst = d; at = $1 }
        }
      }
      END {
        print way " " sample ": " n " rows, " worst " apart at most, at t = " at
        exit bad || worst > 0.1 || n < 130
      }' cpu/probes.csv $way/probes.csv || failed=1
  done
done
exit $failed
