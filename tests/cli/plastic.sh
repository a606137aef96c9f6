#!/bin/sh
# Metals that flow and solids that relax: a run that is killed after each checkpoint and goes on by 1, 2, 3 ranks in turn ends with the same bits, one with contact by 1, 2, 3 threads; the flow of steps is told and held.
# sh plastic.sh PROGRAM CASES FOLDER
set -eu
sinew=$1
cases=$2
mkdir -p "$3"
cd "$3"
rm -rf whole parts each long short held wrong chain relaxes
export OMP_NUM_THREADS=1
state() { ls -l --time-style=full-iso parts/checkpoint-*.hdf 2> /dev/null | cksum; }
boundary="{on: x0, fix: all}, {on: x1, fix: {x: '0.003*sin(7*t)*(1+y/10)', y: '0.002*t'}}"
contact=
at=0.3
elastic='young: [[20, 2e5], [120, 1.7e5]], poisson: [[20, 0.3], [120, 0.34]], expansion: [[20, 1e-5], [120, 1.3e-5]]'
thermal='thermal: {reference: 20, temperature: "20 + 80*t"}'
most=3
# killed MATERIAL FIELD...: the fields at least
killed() {
  rm -rf whole parts
  cat > metal.yaml <<END
version: 1
mesh: {grid: [13, 289], size: [0.4, 10]}
physics: elasticity
model: plane-strain
materials: [{on: body, $elastic, $1}]
boundary: [$boundary]
$contact
$thermal
time: {end: 1, step: 0.1}
solver: {rtol: 1e-6, preconditioner: jacobi}
output:
  checkpoint: 0.1
  every: 0.5
  peaks: true
  fields: [displacement, stress, $2, $3, $4, $5]
  probes: [{name: s, at: [0.1, 9.9], field: stress-xx}, {name: p, at: [0.3, 5], field: $2}, {name: a, at: [$at, 5], field: $3}, {name: w, at: [$at, 5.1], field: $4}]
  sums: [{name: left, on: x0, field: reaction}, {name: energy, on: body, field: strain-energy}]
END
  "$sinew" run metal.yaml --quiet --output whole
  kills=0 ranks=1 more=
  while :; do
    before=$(state)
    # shellcheck disable=SC2086
    OMP_NUM_THREADS=$((most > 1 ? 1 : kills % 3 + 1)) SINEW_RANKS_AS_THREADS=$ranks "$sinew" run metal.yaml --quiet --output parts $more > log 2>&1 &
    while [ "$(state)" = "$before" ] && kill -0 $! 2> /dev/null; do sleep 0.02; done
    kill -KILL $! 2> /dev/null || true
    code=0
    wait $! 2> /dev/null || code=$?
    [ $code = 0 ] && break
    [ $code = 137 ] || { cat log; exit 1; }
    kills=$((kills + 1)) ranks=$((ranks % most + 1)) more=--resume
    [ $kills -lt 30 ] || { echo "the run gets nowhere"; exit 1; }
  done
  [ $kills -ge 4 ] || { echo "the run was killed $kills times only"; exit 1; }
  cmp whole/probes.csv parts/probes.csv
  for folder in whole parts; do grep -E '"(external_work|dissipated_energy)"' $folder/report.json > $folder.energies; done
  cmp whole.energies parts.energies
  for folder in whole parts; do sed -n '/"largest"/,/^  }/p;/"smallest"/,/^  }/p' $folder/report.json > $folder.peaks; done
  cmp whole.peaks parts.peaks
  [ "$(grep -c '"time"' whole.peaks)" -ge 2 ] || { cat whole.peaks; echo "no peaks of the steps"; exit 1; }
  shift
  for field in displacement stress "$@"; do
    for folder in whole parts; do "$sinew" convert $folder $folder.dat --field "$field" --overwrite > /dev/null; done
    cmp whole.dat parts.dat
  done
}
killed 'type: plastic, yield: [[0, 180], [0.01, 230]], saturation: {to: 210, rate: 30}, backstress: [{temperature: 20, table: [[6e4, 300], [2e3, 0]]}, {temperature: 120, table: [[3e4, 200], [1e3, 0]]}], creep: {norm: 1e-9, exponent: 3}' plastic-strain backstress-1-xx backstress-temperature element-plastic-xy
"$sinew" run metal.yaml --quiet --output each --set output.every=0.1 --set output.peaks=false
cmp whole/probes.csv each/probes.csv || { echo "with peaks all steps have a row"; exit 1; }
elastic='poisson: 0.3, young: 2e5'
thermal=
killed 'type: viscoelastic, prony: [[0.3, 0.1], [0.2, 1]]' instant-xx relaxing-1-xx relaxing-2-xy element-relaxing-2-xx
boundary='{on: x0, fix: all}'
contact="contact: [{on: x1, against: {cylinder: {at: [1.41, 5], radius: 1, move: ['-0.04*sin(1.8*t)', '0.05*t']}}}]"
most=1 at=0.4
killed 'type: plastic, yield: [[0, 180], [0.1, 230]]' plastic-strain contact-pressure contact-gap contact-force

# A bar that is held relaxes by Norton's law, in steps that creep by so much at most.
cat > relaxes.yaml <<END
version: 1
mesh: {grid: [3, 2, 2], size: [2, 1, 1]}
physics: elasticity
model: 3d
materials: [{on: body, type: plastic, young: 200e3, poisson: 0.3, creep: {norm: 1e-15, exponent: 5}}]
boundary: [{on: x0, symmetry: true}, {on: y0, symmetry: true}, {on: z0, symmetry: true}, {on: x1, fix: {x: '0.002*min(1, t/1e-6)'}}]
time: {end: 1000, step: 1e-6, adaptive: {min: 1e-7, max: 1000, strain: 1e-6}}
output: {every: 1000, fields: [displacement], probes: [{name: s, at: [1, 0.5, 0.5], field: stress-xx}]}
expect: [{probe: s, time: 1000, value: 33.43049, rtol: 5e-3}]
END
"$sinew" verify relaxes.yaml --output relaxes > log || { cat log; exit 1; }
awk -v most="$(sed -n 's/.*"plastic_strain": \([^,]*\).*/\1/p' relaxes/report.json | sort -g | tail -n 1)" 'BEGIN { exit !(most <= 1e-6 && most > 2e-7) }'

# Long steps along a path that turns are told, short ones are not; `strain` is what a step adds at most.
told() { "$sinew" run "$cases/nafems-nl1/case.yaml" --quiet --overwrite --output long --set time.step="$1" 2>&1 | grep -c 'turns the direction of flow' || true; }
[ "$(told 0.5)" = 1 ] && [ "$(told 0.05)" = 0 ] || { echo "steps of 0.5 and 0.05 are told $(told 0.5) and $(told 0.05) times"; exit 1; }
most() { sed -n 's/.*"plastic_strain": \([^,]*\).*/\1/p' "$1/report.json" | sort -g | tail -n 1; }
peak() { awk -F, '$1 == 1 { print $2 }' "$1/probes.csv"; }
for limit in 2e-3 5e-4; do
  "$sinew" run "$cases/cyclic-bar/case.yaml" --quiet --overwrite --output held-$limit --set time.step=0.5 --set output.every=1 --set "time.adaptive={strain: $limit}"
  awk -v most="$(most held-$limit)" -v limit=$limit 'BEGIN { exit !(most <= limit && most > limit / 4) }' || { echo "strain: $limit gives $(most held-$limit)"; exit 1; }
done
awk -v a="$(peak held-2e-3)" -v b="$(peak held-5e-4)" 'BEGIN { exit !(443.332136 - b < 0.4 * (443.332136 - a)) }' || { echo "the error of $(peak held-2e-3) and $(peak held-5e-4) does not fall with the strain of a step"; exit 1; }

# Each step of a chain has a limit of its own.
sed -e '/^time:/d' -e '/^expect:/,$d' -e 's/every: 0.1/every: 1/' "$cases/cyclic-bar/case.yaml" > chain.yaml
echo 'steps: [{name: pull, end: 1, step: 0.5, adaptive: {strain: 5e-4}}, {name: back, end: 3, step: 0.5, adaptive: {strain: 3e-3}}]' >> chain.yaml
"$sinew" run chain.yaml --quiet --overwrite --output chain
awk -F'[:,]' '/"time"/ { t = $2 } /"plastic_strain"/ { k = t > 1; if ($2 > most[k]) most[k] = $2 }
  END { if (!(most[0] <= 5e-4 && most[0] > 1e-4 && most[1] <= 3e-3 && most[1] > 1e-3)) { print "steps of a chain flow by " most[0] " and " most[1]; exit 1 } }' chain/report.json
