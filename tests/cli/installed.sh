#!/bin/sh
# cmake --install puts a program in place that works, with its manual page, completion and JSON Schema.
#   installed.sh CMAKE BUILD FOLDER
set -eu
cmake=$1 build=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
PATH=$work/prefix/bin:$PATH
cd "$work"
sinew --version | grep -q '^Sinew [0-9]' || { echo "the installed program does not say its version"; exit 1; }
sinew bench spmv --percent 1 --repeat 1 --only protein --backend cpu --threads 1 >bench ||
  { cat bench; echo "the installed program does not find its benches"; exit 1; }
[ -s prefix/share/man/man1/sinew.1 ] || { echo "no manual page"; exit 1; }
head -n 1 prefix/share/man/man1/sinew.1 | grep -q '^\.TH SINEW 1' || { echo "the manual page does not begin as one"; exit 1; }
sinew help --completion | cmp - prefix/share/bash-completion/completions/sinew
sinew schema | cmp - prefix/share/sinew/case.schema.json
[ -s prefix/share/doc/sinew/README.md ] && [ -s prefix/share/doc/sinew/docs/case-file.md ] || { echo "no documents"; exit 1; }
cp -r prefix/share/doc/sinew/cases/cyclic-bar . # a place to write to
sinew verify cyclic-bar >log 2>&1 || { cat log; echo "an installed case does not verify"; exit 1; }

# The package for Debian and Ubuntu: the same files, and the libraries that it needs by their packages.
command -v dpkg-shlibdeps >/dev/null || { echo "skipped the package: no dpkg-dev"; exit 0; }
mkdir package
"$(dirname "$cmake")/cpack" --config "$build/CPackConfig.cmake" -B "$work/package" >log 2>&1 || { cat log; exit 1; }
deb=$(ls package/sinew_*.deb)
dpkg-deb -f "$deb" Depends | grep -q libhdf5 || { echo "the package does not need libhdf5"; exit 1; }
dpkg-deb -x "$deb" unpacked
(cd prefix && find . -type f | sort) >installed
(cd unpacked/usr && find . -type f | sort) >packed
cmp installed packed
unpacked/usr/bin/sinew --version | grep -q '^Sinew [0-9]'
cat >case.yaml <<'CASE'
version: 1
mesh: {grid: [9, 3, 3], size: [4, 1, 1], element: hex8}
physics: elasticity
model: 3d
materials: [{on: body, young: 210e9, poisson: 0.3}]
boundary: [{on: x0, fix: all}, {on: x1, traction: [0, 0, -1e6]}]
CASE
unpacked/usr/bin/sinew run case.yaml --quiet && [ -s results/results.hdf ] || { echo "the unpacked program runs no case"; exit 1; }
