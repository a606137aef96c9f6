#!/bin/sh
# CONTRIBUTING's table of files, held: adds an element, a material, an ionic model, something that acts, a result field, a matrix format, a preconditioner, a smoother, a scheme
# in time, an analysis and a physics to a copy of the sources, builds the program and solves cases with them. None of them is there yet. A folder of
# tests/additions holds new files and, in "lines", what goes into which file after which line; these may be no more files than the
# table says.
#   promises.sh SOURCE FOLDER CMAKE [CMAKE_PREFIX_PATH]    with CMAKE "count" it counts the files and builds nothing
set -eu
source=$1 work=$2 cmake=$3 prefix=${4:-}
rm -rf "$work"
mkdir -p "$work/source"
cd "$source"
cp -R CMakeLists.txt cmake core mesh physics algebra assembly solver gpu output app "$work/source/"
mkdir "$work/source/bench"
cp bench/benches.def "$work/source/bench/" # the options of the program name them
cd "$work/source"

# Files that an addition makes or changes, and what the table promises for "| a matrix format | 4: ...".
files_of() {
  (cd "$source/tests/additions/$1" && find . -type f ! -name lines | cut -c3-)
  cut -f1 "$source/tests/additions/$1/lines" | sort -u
}
promised() { sed -n "s/^| $1 | \([0-9]*\):.*/\1/p" "$source/CONTRIBUTING.md"; }
add() {
  got=$(files_of "$1" | wc -l) wanted=$(promised "$2")
  [ "$got" = "$wanted" ] || { echo "$2 touches $got files, CONTRIBUTING.md promises ${wanted:-nothing}:"; files_of "$1"; exit 1; }
  (cd "$source/tests/additions/$1" && find . -type f ! -name lines) | while read -r file; do
    [ ! -e "$file" ] || { echo "$file is there already"; exit 1; }
    cp "$source/tests/additions/$1/$file" "$file"
  done
  while IFS="$(printf '\t')" read -r file after line; do
    grep -q "$after" "$file" || { echo "no line '$after' in $file"; exit 1; }
    printf '%s\n' "$line" > "$work/line"
    sed -i "/$after/r $work/line" "$file"
  done < "$source/tests/additions/$1/lines"
}

add element "an element"                 # quad16, bicubic
add format "a matrix format"             # modified sparse rows; its CUDA file is not compiled here
add preconditioner "a preconditioner"    # a polynomial with rising weights
add scheme "a scheme in time"            # theta = 2/3
add smoother "a smoother"                # Chebyshev polynomials of the first kind
add act "something that acts"            # force per length of an edge
add analysis "an analysis"               # Rayleigh's quotient of a static deflection
add field "a result field"               # Tresca's stress
add key "a key of the case file"         # how many load cases there may be
add heat_field "a field of heat"         # the temperature over 0
add heat_act "something that heats"      # a flux by another name
add material "a material"                # metal that flows, with states at its points
add input "an input of points"           # moisture, and wood that swells by it
# A material that is not there: cubic symmetry, three constants. Its header and its lines.
cat > physics/cubic.h <<'END'
#pragma once
#include "physics/linear_law.h"
HD void cubic_moduli(const double *v, double *C) { /* E along an axis, nu between axes, G in their planes */
  const double scale = v[0] / ((1 + v[1]) * (1 - 2 * v[1]));
  for (int k = 0; k < LAW_MODULI; ++k) C[k] = 0;
  for (int i = 0; i < 3; ++i) {
    C[linear_index(i, i)] = scale * (1 - v[1]);
    C[linear_index(i + 3, i + 3)] = v[2];
    for (int j = i + 1; j < 3; ++j) C[linear_index(i, j)] = scale * v[1];
  }
}
#ifdef MATERIAL_TABLES
static const Param cubic_param[] = {
    {"young", "stress", 0, true, 0, INFINITY, true, true, "E: along an axis"},
    {"poisson", "1", 0, true, -1, 0.5, true, true, "nu: contraction along another axis"},
    {"shear", "stress", 0, true, 0, INFINITY, true, true, "G: shear modulus in planes of two axes"},
};
static Status cubic_check(const double *v) {
  CHECK(v[1] < 0.5, ERR_INPUT, "nu is too large");
  return OK;
}
static const MaterialShape cubic_shape = {NO_STATES, .linear = true, .symmetric = true, .axes = true};
static const char cubic_meaning[] = "linear elastic with cubic symmetry";
#endif
END
sed -i -e 's/^#include "physics\/isotropic.h"/&\n#include "physics\/cubic.h"/' -e 's/^MATERIAL(isotropic, .*/&\nMATERIAL(cubic, "cubic", LINEAR)/' physics/materials.def
# Materials are held by physics/material_paths as they stand in the list: that of metal passes, and fails with a stress that is wrong
# by a thousandth, or when its points forget what they have flowed.
own=${prefix%%;*} # where cmocka may be
holds() { # folder with physics/
  ${CC:-cc} -std=c11 -D_GNU_SOURCE -I"$1" -I"$work/source" -I"$source" -I"${own:-/usr}/include" "$source/tests/physics/material_paths.c" \
    "$source/tests/cli/testing_result.c" "$1/physics/material.c" core/param.c core/status.c -o "$work/paths" -L"${own:-/usr}/lib" -lcmocka -lm
  "$work/paths" > "$work/log" 2>&1
}
wrong() { # script for sed, part of the message
  rm -rf "$work/wrong"
  mkdir "$work/wrong"
  cp -R physics "$work/wrong/"
  sed -i "$1" "$work/wrong/physics/j2.h"
  ! cmp -s physics/j2.h "$work/wrong/physics/j2.h" || { echo "'$1' changes nothing in j2.h"; exit 1; }
  ! holds "$work/wrong" || { echo "physics/material_paths passes with '$1'"; exit 1; }
  grep -q "material 'j2'.*$2" "$work/log" || { cat "$work/log"; exit 1; }
}
if [ "$cmake" != count ]; then
  holds "$work/source" || { cat "$work/log"; exit 1; }
  wrong 's/S\[k\] = (1 - back)/S[k] = 1.001 * (1 - back)/' "dW/dH beside P"
  wrong 's/1.5 \* dp \/ q \* s/1.501 * dp \/ q * s/' "no time passes"
fi
# An ionic model that is not there, of 19 states that go first: its header and its lines.
cp "$source/tests/physics/nineteen.h" physics/nineteen.h
sed -i -e 's/^#include "physics\/mitchell_schaeffer.h"/&\n#include "physics\/nineteen.h"/' -e 's/^IONIC(mitchell_schaeffer,.*/&\nIONIC_GATES(nineteen, "nineteen", 19, 17)/' physics/ionics.def
# A physics: its folder and a line.
cp -R "$source/tests/cli/weigh" app/weigh
echo 'PHYSICS(weigh)' >> app/input/physics.def

if [ "$cmake" = count ]; then rm -rf "$work"; exit 0; fi
launcher= linker=
command -v ccache > /dev/null && launcher=-DCMAKE_C_COMPILER_LAUNCHER=ccache
command -v mold > /dev/null && linker=-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=mold
"$cmake" -S . -B ../build $launcher $linker -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS=-O0 -DSINEW_TESTS=OFF -DSINEW_CUDA=OFF \
  "-DCMAKE_PREFIX_PATH=$prefix" > ../configure.log 2>&1 || { cat ../configure.log; exit 1; }
"$cmake" --build ../build --target sinew -j 2 > ../build.log 2>&1 || { grep -A5 -E 'error|undefined' ../build.log | head -40; exit 1; }

sinew=$work/build/sinew
listed() { "$sinew" list "$1" | grep -q "$2" || { echo "'sinew list $1' does not show $2"; exit 1; }; }
listed elements quad16
listed materials cubic
listed ionic nineteen
listed ionic g17
listed formats msr
listed preconditioners graded
listed preconditioners chebyshev1

cd "$work"
cat > case.yaml <<END
version: 1
mesh: {file: square.msh, order: 3}
physics: elasticity
model: plane-stress
materials: [{on: body, type: cubic, young: 1000, poisson: 0.3, shear: 100, axes: {x: [0, 1]}}]
boundary:
  - {on: left, symmetry: true}
  - {on: bottom, symmetry: true}
  - {on: right, traction: [10, 0]}
solver: {format: msr, preconditioner: graded, rtol: 1e-10}
output: {probes: [{name: corner, at: [1, 1], field: displacement-x}]}
expect: [{probe: corner, value: 0.01}]
END
cat > square.msh <<END
\$MeshFormat
2.2 0 8
\$EndMeshFormat
\$PhysicalNames
4
1 1 "left"
1 2 "bottom"
1 3 "right"
2 4 "body"
\$EndPhysicalNames
\$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
\$EndNodes
\$Elements
4
1 1 2 1 1 4 1
2 1 2 2 2 1 2
3 1 2 3 3 2 3
4 3 2 4 4 1 2 3 4
\$EndElements
END
"$sinew" verify case.yaml
"$sinew" info square.msh | grep -q '1 quad4'
"$sinew" verify case.yaml --set mesh.order=1 --set mesh.refine=5 --set 'solver.preconditioner={type: amg, smoother: chebyshev1}'

# A force per length: 3 on an edge of length 2 of a block that is held below. What each analysis makes of it follows from its row.
cat > block.msh <<END
\$MeshFormat
2.2 0 8
\$EndMeshFormat
\$PhysicalNames
3
1 1 "edge"
2 2 "below"
3 3 "block"
\$EndPhysicalNames
\$Nodes
8
1 0 0 0
2 2 0 0
3 2 1 0
4 0 1 0
5 0 0 1
6 2 0 1
7 2 1 1
8 0 1 1
\$EndNodes
\$Elements
3
1 1 2 1 1 5 6
2 3 2 2 2 1 2 3 4
3 5 2 3 3 1 2 3 4 5 6 7 8
\$EndElements
END
cat > edge.yaml <<END
version: 1
mesh: block.msh
physics: elasticity
model: 3d
materials: [{on: block, young: 1e6, poisson: 0.3, density: 1}]
boundary: [{on: below, fix: all}, {on: edge, lineload: [0, 0, -3]}]
output: {sums: [{name: below, on: below, field: reaction}]}
expect: [{sum: below-z, value: 6}]
END
"$sinew" verify edge.yaml
"$sinew" verify edge.yaml --set strain=finite --set 'time={end: 2, step: 1}' --set 'boundary.1.lineload=[0, 0, "-1.5*t"]'
"$sinew" verify edge.yaml --set strain=finite --set 'time={end: 2, step: 1}'
"$sinew" verify edge.yaml --set 'boundary=[{on: below, fix: all}]' \
  --set 'load-cases=[{name: A, boundary: [{on: edge, lineload: [0, 0, -3]}]}]'
refuses() { # a part of the message, words...
  part=$1
  shift
  code=0
  "$sinew" check edge.yaml --set 'expect=[]' "$@" > log 2>&1 || code=$?
  [ $code = 3 ] && grep -qF "$part" log || { echo "'check $*' ends with $code, without '$part'"; cat log; exit 1; }
}
refuses "lineload does not act on the modes of an unloaded body" --set 'analysis={type: modal, modes: 2}' --set 'output={}'
refuses "lineload here belongs to none" --set 'load-cases=[{name: A, boundary: [{on: edge, force: [1, 0, 0]}]}]'
refuses "lineload acts in z where fix prescribes z" --set strain=finite --set time.end=1 --set 'boundary.1.fix={z: 0}'
refuses "force, lineload, spring" --set 'boundary+={on: edge}'

# The key: read with its default, refused by its bits in other analyses, in the echo and in the JSON Schema.
two='load-cases=[{name: A, boundary: [{on: edge, force: [1, 0, 0]}]}, {name: B, boundary: [{on: edge, force: [0, 1, 0]}]}]'
sed 's/^boundary:/cases-most: 1\nboundary:/' edge.yaml > most.yaml
mv edge.yaml kept.yaml
mv most.yaml edge.yaml
refuses "there are 2 load cases, cases-most is 1" --set "$two"
refuses "'cases-most' is for static and rayleigh cases; this is a modal case" --set 'analysis={type: modal, modes: 2}' --set 'output={}'
mv kept.yaml edge.yaml
"$sinew" check edge.yaml --verbose | grep -q '^cases-most: 100' || { echo "the echo has no cases-most"; exit 1; }
"$sinew" schema | grep -q '"cases-most"' || { echo "the JSON Schema has no cases-most"; exit 1; }
# Metal that is pulled beyond yield, pressed, and pulled again: what its points have lived through goes into checkpoints, so that a
# run that is stopped, and goes on by another number of ranks, ends with the same bits.
cat > metal.yaml <<END
version: 1
mesh: {grid: [13, 289], size: [0.4, 10]}
physics: elasticity
model: plane-strain
strain: finite
materials: [{on: body, type: j2, young: 2e5, poisson: 0.3, yield: 200, hardening: 2000}]
boundary: [{on: x0, fix: all}, {on: x1, fix: {x: '0.002*sin(7*t)*(1+y/10)', y: '0.001*t'}}]
time: {end: 1, step: 0.05}
solver: {rtol: 1e-6, preconditioner: jacobi}
output:
  checkpoint: 0.1
  probes: [{name: s, at: [0.1, 9.9], field: stress-xx}, {name: v, at: [0.3, 5], field: von-mises}, {name: p, at: [0.3, 5], field: plastic-strain}, {name: u, at: [0.2, 0.3], field: displacement-y}]
  sums: [{name: left, on: x0, field: reaction}, {name: energy, on: body, field: strain-energy}]
END
stops() { # folder, ranks, further words: a run that is asked to stop once there is a checkpoint
  folder=$1 ranks=$2
  shift 2
  SINEW_RANKS_AS_THREADS=$ranks OMP_NUM_THREADS=1 "$sinew" run metal.yaml --quiet --output "$folder" "$@" > log 2>&1 &
  while [ ! -e "$folder/checkpoint-1.hdf" ] && kill -0 $! 2> /dev/null; do sleep 0.1; done
  kill -TERM $! 2> /dev/null || true
  code=0
  wait $! || code=$?
  [ $code = 10 ] || { echo "a run that is asked to stop ends with $code"; cat log; exit 1; }
}
"$sinew" run metal.yaml --quiet --output metal
stops metal2 2
SINEW_RANKS_AS_THREADS=3 "$sinew" run metal.yaml --output metal2 --resume > log 2>&1 || { cat log; exit 1; }
grep -q "^resumed" log || { echo "the run does not go on where it stopped"; cat log; exit 1; }
cmp metal/probes.csv metal2/probes.csv
stops metal3 3
"$sinew" run metal.yaml --quiet --output metal3 --resume
cmp metal/probes.csv metal3/probes.csv
# Sheared by g, the stress of von Mises s and the plastic strain p of the metal fulfil s + 3 G p = sqrt(3) G g, s on the curve; over
# a steady rate s is the yield stress and the viscosity times g' / sqrt(3), whatever the step is.
cat > shear.yaml <<END
version: 1
mesh: {grid: [3, 3], size: [2, 2]}
physics: elasticity
model: plane-strain
strain: finite
materials: [{on: body, type: j2, young: 2e5, poisson: 0.3, yield: [[0, 200], [1e-4, 230], [4e-4, 250]]}]
boundary: [{on: [x0, x1, y0, y1], fix: {x: '0.002*y*t', y: 0}}]
time: {end: 1, step: 0.1}
output: {fields: [plastic-strain, element-plastic-strain], probes: [{name: s, at: [1, 1], field: von-mises}, {name: p, at: [0.3, 1.1], field: plastic-strain}]}
expect: [{probe: s, value: 233.00175, rtol: 1e-4}, {probe: p, value: 1.45026e-4, rtol: 1e-4}]
END
"$sinew" verify shear.yaml
"$sinew" run shear.yaml --quiet --overwrite --output shear
for field in plastic-strain element-plastic-strain; do # at nodes, of elements: the same all over
  "$sinew" convert shear state.dat --field $field --overwrite > /dev/null
  awk '$NF ~ /^-?[0-9]/ && ($NF - 1.45026e-4 > 2e-8 || 1.45026e-4 - $NF > 2e-8) { bad = 1 } END { exit bad || NR < 4 }' state.dat || {
    echo "$field of a sheared plate:"
    cat state.dat
    exit 1
  }
done
code=0
"$sinew" check shear.yaml --set 'materials=[{on: body, type: neo-hooke, young: 1, poisson: 0}]' > log 2>&1 || code=$?
[ $code = 3 ] && grep -q "no material of this case has the state 'plastic-strain'" log || { cat log; exit 1; }
code=0
"$sinew" check shear.yaml --set 'output.fields=[contact-gap, relaxing-work]' > log 2>&1 || code=$?
[ $code = 3 ] && grep -q "unknown fields 'relaxing-work'" log && ! grep -q "allowed.*contact\|allowed.*relaxing" log || { cat log; exit 1; }
code=0
"$sinew" check shear.yaml --set 'output.fields=[contact-gap]' > log 2>&1 || code=$?
[ $code = 3 ] && grep -q "contact-gap: nothing opens or closes in this case, which has no 'contact:'" log || { cat log; exit 1; }
for step in 0.1 0.03125; do
  "$sinew" verify shear.yaml --set materials.0.yield=200 --set materials.0.viscosity=1e4 --set time.step=$step \
    --set boundary.0.fix.x='0.004*y*t' --set 'expect=[{probe: s, value: 223.09401, rtol: 1e-4}]'
done
wrong_yield() { # curve, part of the message
  code=0
  "$sinew" check shear.yaml --set "materials.0.yield=$1" > log 2>&1 || code=$?
  [ $code = 3 ] && grep -qF "$2" log || { echo "yield $1 ends with $code, without '$2'"; cat log; exit 1; }
}
wrong_yield '[[0, 200], [0, 220]]' 'that of pair 2 is 0; they must ascend'
wrong_yield '[[0, 200], [0.1, 190]]' 'yield falls from 200 to 190'
wrong_yield '[200, 1]' 'must be a number, or a list of pairs [plastic strain, stress]'
wrong_yield '[[0, -1]]' 'yield is -1, must be > 0'
wrong_yield '{field: hardness}' 'must be a number, or a list of pairs'
# The same under small strains. Closed forms: a bar that is pulled, pressed and
# pulled, and a plate that is sheared to and fro, E 2e5, nu 0.3, yield 250, hardening 1e4; and NAFEMS NL1 with ten steps a leg.
"$sinew" run metal.yaml --quiet --output small --set strain=small
stops small2 2 --set strain=small
SINEW_RANKS_AS_THREADS=3 "$sinew" run metal.yaml --quiet --output small2 --resume --set strain=small
cmp small/probes.csv small2/probes.csv
! cmp -s small/probes.csv metal/probes.csv || { echo "small strains are as finite ones"; exit 1; }
cat > cycle.yaml <<END
version: 1
mesh: {grid: [4, 2, 3], size: [2, 1, 1]}
physics: elasticity
model: 3d
functions: [{name: saw, points: [{at: 0, value: 0}, {at: 1, value: 0.004}, {at: 2, value: -0.004}, {at: 3, value: 0.006}]}]
materials: [{on: body, type: j2, young: 2e5, poisson: 0.3, yield: [[0, 250], [0.01, 350], [0.1, 1250]]}]
boundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: z0, fix: {z: 0}}, {on: x1, fix: {x: '2*saw(t)'}}]
time: {end: 3, step: 0.25}
output:
  fields: [displacement, stress, plastic-strain]
  probes: [{name: s, at: [1.3, 0.4, 0.2], field: stress-xx}, {name: p, at: [1.3, 0.4, 0.2], field: plastic-strain}]
  sums: [{name: f, on: x1, field: reaction}]
expect:
  - {probe: s, time: 1, value: 276.190476, rtol: 1e-6}
  - {probe: s, time: 2, value: -326.077098, rtol: 1e-6}
  - {probe: s, time: 3, value: 390.260231, rtol: 1e-6}
  - {probe: p, time: 3, value: 0.0140260231, rtol: 1e-6}
  - {sum: f-x, time: 3, value: 390.260231, rtol: 1e-6}
END
for more in mesh.order=1 mesh.order=2 formulation=mean-dilatation time.step=1 time.adaptive.min=0.01; do "$sinew" verify cycle.yaml --set $more; done
round='boundary=[{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: y1, fix: {y: "2*saw(t)"}}]'
for more in mesh.order=1 mesh.order=2 formulation=mean-dilatation; do
  "$sinew" verify cycle.yaml --set model=axisymmetric --set 'mesh={grid: [4, 3], size: [1, 2]}' --set "$round" --set $more --set output.sums='[]' \
    --set 'output.probes=[{name: s, at: [0.4, 1.3], field: stress-yy}, {name: p, at: [0.4, 1.3], field: plastic-strain}]' \
    --set 'expect=[{probe: s, time: 2, value: -326.077098, rtol: 1e-6}, {probe: p, value: 0.0140260231, rtol: 1e-6}]'
done
cat > cycle2.yaml <<END
version: 1
mesh: {grid: [4, 3], size: [1, 1]}
physics: elasticity
model: plane-strain
functions:
  - {name: saw, points: [{at: 0, value: 0}, {at: 1, value: 0.006}, {at: 2, value: -0.005}, {at: 3, value: 0.008}]}
  - {name: ex, points: [{at: 0, value: 0}, {at: 2, value: 5e-5}, {at: 4, value: 5e-5}, {at: 6, value: 0}]}
  - {name: ey, points: [{at: 2, value: 0}, {at: 4, value: 5e-5}, {at: 6, value: 5e-5}, {at: 8, value: 0}]}
materials: [{on: body, type: j2, young: 2e5, poisson: 0.3, yield: 250, hardening: 1e4}]
boundary: [{on: [x0, x1, y0, y1], fix: {x: 'y*saw(t)', y: 0}}]
time: {end: 3, step: 0.25}
output: {probes: [{name: s, at: [0.3, 0.4], field: stress-xy}, {name: p, at: [0.3, 0.4], field: plastic-strain}, {name: q, at: [0.3, 0.4], field: von-mises}]}
expect:
  - {probe: s, time: 1, value: 157.512045, rtol: 1e-6}
  - {probe: s, time: 2, value: -179.571748, rtol: 1e-6}
  - {probe: s, time: 3, value: 206.188791, rtol: 1e-6}
  - {probe: p, time: 3, value: 0.0107129462, rtol: 1e-6}
END
"$sinew" verify cycle2.yaml
"$sinew" verify cycle2.yaml --set mesh.order=2
"$sinew" verify cycle2.yaml --set 'materials=[{on: body, type: j2, young: 250e3, poisson: 0.25, yield: 5}]' --set time.end=8 --set time.step=0.1 \
  --set 'boundary=[{on: [x0, x1, y0, y1], fix: {x: "x*ex(t)", y: "y*ey(t)"}}]' \
  --set 'expect=[{probe: q, time: 6, value: 5, rtol: 1e-6}, {probe: q, time: 7, value: 3.824, rtol: 2e-4}, {probe: q, time: 8, value: 5, rtol: 1e-6}]'
small_refuses() { # part of the message, word
  code=0
  "$sinew" check cycle.yaml --set "$2" > log 2>&1 || code=$?
  [ $code = 2 ] || [ $code = 3 ] && grep -qF "$1" log || { echo "'$2' ends with $code, without '$1'"; cat log; exit 1; }
}
small_refuses "'j2' is not linear, and is solved in load steps" analysis.type=buckling
small_refuses "'jacobian' is for finite-strain, finite-strain transient and finite-strain modal cases; this is a load-step case" 'output.fields=[jacobian]'
small_refuses "no material expands" 'thermal={reference: 0, temperature: 10}'
small_refuses "'neo-hooke' is a material of finite strain" 'materials+={on: x0, type: neo-hooke, young: 1, poisson: 0.3}'
small_refuses "this is a load-step case" 'boundary.3={on: x1, volume: "V0*2"}'
# Half of the moisture that wood can hold, at the end of the run, strains it by half of its swelling.
cat > wood.yaml <<END
version: 1
mesh: {grid: [3, 3, 3], size: [1, 1, 1]}
physics: elasticity
model: 3d
materials: [{on: body, type: wood, young: 1e4, poisson: 0.3, swelling: 0.02}]
boundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: z0, fix: {z: 0}}]
time: {end: 1, step: 0.5}
output: {probes: [{name: u, at: [1, 0.5, 0.5], field: displacement-x}]}
expect: [{probe: u, time: 0.5, value: 0.005, rtol: 1e-8}, {probe: u, time: 1, value: 0.01, rtol: 1e-8}]
END
"$sinew" verify wood.yaml
# Tresca's stress of a square that is pulled by 10 is 10 at each node, -2 times that is 20, and the envelope has the larger.
cat > pulled.yaml <<END
version: 1
units: mm N MPa t s
mesh: square.msh
physics: elasticity
model: plane-stress
materials: [{on: body, young: 1e6, poisson: 0.3, density: 1e-9}]
boundary: [{on: left, symmetry: true}, {on: bottom, symmetry: true}, {on: right, traction: [10, 0]}]
output: {fields: [displacement, tresca], probes: [{name: middle, at: [0.3, 0.4], field: tresca}]}
END
tresca() { # value, words...
  value=$1
  shift
  "$sinew" run pulled.yaml --quiet --overwrite --output pulled "$@"
  "$sinew" info pulled/results.hdf | grep -q 'tresca \[1\], on nodes, in MPa' || { echo "$*: no tresca in MPa"; exit 1; }
  "$sinew" convert pulled tresca.dat --field tresca --overwrite > /dev/null
  awk -v value="$value" '$NF ~ /^-?[0-9]/ && ($NF - value > 1e-3 || value - $NF > 1e-3) { bad = 1 } END { exit bad || NR < 4 }' tresca.dat || {
    echo "tresca of '$*' is not $value:"
    cat tresca.dat
    exit 1
  }
  tail -n 1 pulled/probes.csv | awk -F, -v value="$value" '{ exit $NF - value > 1e-3 || value - $NF > 1e-3 }' || {
    echo "the probe of '$*' is not $value:"
    cat pulled/probes.csv
    exit 1
  }
}
tresca 10
tresca 20 --set 'boundary=[{on: left, symmetry: true}, {on: bottom, symmetry: true}]' --set \
  'load-cases=[{name: a, boundary: [{on: right, traction: [10, 0]}]}, {name: b, boundary: [{on: right, traction: [-20, 0]}]}]' \
  --set 'envelopes=[{name: most, of: [a, b], field: von-mises}]'
tresca 10 --set strain=finite --set time.end=1 --set time.step=0.5
tresca 20 --set analysis.type=transient --set time.end=1e-3 --set time.step=5e-4 --set materials.0.poisson=0 \
  --set 'boundary=[{on: left, symmetry: true}, {on: bottom, symmetry: true}, {on: right, fix: {x: -2e-5}}]'
# In a square of conductivity 2 that 10 flow through, the temperature rises by 5 from side to side.
cat > warm.yaml <<END
version: 1
units: m W s K
mesh: square.msh
physics: heat
materials: [{on: body, conductivity: 2}]
boundary: [{on: left, temperature: 20}, {on: right, inflow: 10}]
output: {fields: [temperature, excess], probes: [{name: middle, at: [0.3, 0.4], field: excess}]}
expect: [{probe: middle, value: 21.5}]
END
"$sinew" verify warm.yaml
"$sinew" run warm.yaml --quiet --overwrite --output warm
"$sinew" info warm/results.hdf | grep -q 'excess \[1\], on nodes, in K' || { echo "no excess in K"; exit 1; }
code=0
"$sinew" check warm.yaml --set 'boundary=[{on: left, temperature: 20}, {on: right}]' > log 2>&1 || code=$?
[ $code = 3 ] && grep -q "allowed: temperature, flux, inflow, power, convection" log || { cat log; exit 1; }
# A bar of length 1 under its weight along it: u = x (2 - x), whose quotient is 2.5 E / rho; the lowest mode has pi^2 / 4 of it.
cat > rayleigh.yaml <<END
version: 1
mesh: {file: square.msh, order: 2, refine: 5}
physics: elasticity
model: plane-stress
analysis: {type: rayleigh}
materials: [{on: body, young: 300, poisson: 0, density: 2}]
boundary: [{on: left, symmetry: true}, {on: bottom, symmetry: true}]
body: [{on: body, gravity: [7, 0]}]
END
quotient() { # value, words...
  value=$1
  shift
  "$sinew" run rayleigh.yaml --overwrite --output rayleigh "$@" > log 2>&1 || { cat log; exit 1; }
  grep -q '^frequency ' log || { echo "rayleigh $*: the summary has no frequency"; exit 1; }
  sed -n 's/^ *"frequency": \(.*\),*$/\1/p' rayleigh/report.json | tr -d , | awk -v value="$value" \
    '{ ++n; bad = $1 - value > 1e-6 * value || value - $1 > 1e-6 * value } END { exit n != 1 || bad }' || {
    echo "rayleigh $*: the frequency is not $value"
    grep frequency rayleigh/report.json
    exit 1
  }
}
quotient 3.0820222
quotient 6.1640444 --set materials.0.young=1200
export SINEW_RANKS_AS_THREADS=2
quotient 3.0820222
unset SINEW_RANKS_AS_THREADS
"$sinew" check rayleigh.yaml > /dev/null
wrong() { # exit code, a part of the message, words...
  wanted=$1 part=$2
  shift 2
  code=0
  "$sinew" check rayleigh.yaml "$@" > log 2>&1 || code=$?
  [ $code = $wanted ] && grep -qF "$part" log || { echo "'check rayleigh $*' ends with $code, without '$part'"; cat log; exit 1; }
}
wrong 3 "'density' in a rayleigh analysis" --set 'materials=[{on: body, young: 300, poisson: 0}]'
wrong 2 "this is a rayleigh case" --set analysis.modes=3
wrong 3 "allowed: static, harmonic, modal, buckling, transient, rayleigh" --set analysis.type=ray
cat > weigh.yaml <<END
version: 1
mesh: square.msh
physics: weigh
materials: [{on: body, density: 7.5}]
output: {sums: [{name: whole, on: body, field: mass}]}
expect: [{sum: whole, value: 7.5}]
END
"$sinew" check weigh.yaml | grep -q '^# weigh'
"$sinew" verify weigh.yaml
# A bar of one element whose slope decays with the rate 1: a step of 1 leaves (1 - 1/3)/(1 + 2/3) = 0.4 of it. And a heart.
cat > decay.yaml <<END
version: 1
mesh: {grid: [2, 2]}
physics: heat
materials: [{on: body, conductivity: 1, capacity: 12}]
initial: x
time: {end: 1, step: 1, scheme: galerkin}
output: {probes: [{name: end, at: [1, 1]}]}
expect: [{probe: end, value: 0.7}]
END
"$sinew" verify decay.yaml
cat > cells.yaml <<END
version: 1
mesh: {grid: [21, 3], size: [10, 1]}
physics: monodomain
tissue: [{on: body, ionic: mitchell-schaeffer, diffusivity: 0.1}]
stimuli: [{name: left, on: {box: {min: [0, 0], max: [1, 1]}}, start: 0, duration: 2, amplitude: 50}]
time: {end: 5, step: 0.1, scheme: galerkin}
output: {every: 5, probes: [{name: left, at: [0, 0]}]}
END
for reaction in nodal gauss; do "$sinew" run cells.yaml -q --overwrite --set reaction=$reaction; done

# The cell: its states are fields, probes and initial values, its scheme is chosen, another one refused, and a run that is
# stopped goes on.
cat > heart.yaml <<END
version: 1
mesh: {grid: [31, 2], size: [15, 0.5]}
physics: monodomain
tissue: [{on: body, ionic: {model: nineteen, preset: endo, leak: 0.002}, diffusivity: 1}]
stimuli: [{on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 50}]
initial: {charge: 5, g3: '0.1+x/100'}
time: {end: 20, step: 0.1}
output:
  every: 5
  fields: [potential, recovery, g1, g17, charge]
  checkpoint: 5
  probes: [{name: V, at: [5, 0]}, {name: gate, at: [5, 0], field: g17}, {name: charge, at: [15, 0], field: charge}]
expect:
  - {probe: V, value: 12, atol: 12}
  - {probe: gate, value: 0.7, atol: 0.3}
  - {probe: charge, value: 5, atol: 3}
END
"$sinew" verify heart.yaml
"$sinew" check heart.yaml > log
grep -q 'scheme: rush-larsen' log || { echo "the scheme is not chosen by the model"; exit 1; }
"$sinew" schema > log
grep -q '"g17"' log || { echo "the schema does not know the states"; exit 1; }
code=0
"$sinew" run heart.yaml --set time.scheme=bdf2 --output none > log 2>&1 || code=$?
[ $code = 3 ] && grep -q "which cannot step the ionic model 'nineteen'" log || { cat log; exit 1; }
"$sinew" run heart.yaml --quiet --output none --set 'output.fields=[h]' > log 2>&1 || code=$?
[ $code = 3 ] && grep -q "no ionic model of this case has a state 'h'\|unknown fields 'h'" log || { cat log; exit 1; }
"$sinew" run heart.yaml --quiet --output whole --set time.step=0.002
"$sinew" run heart.yaml --quiet --output part --set time.step=0.002 &
sleep 0.3
kill -TERM $! 2> /dev/null || true
wait $! || true
"$sinew" run heart.yaml --quiet --output part --set time.step=0.002 --resume
cmp whole/probes.csv part/probes.csv
rm -rf "$work"
