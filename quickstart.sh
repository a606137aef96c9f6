#!/bin/sh
# From a fresh Debian 12 or Ubuntu 22.04/24.04 to a solved case:
#   sh quickstart.sh         installs what is missing, builds, runs cases/plate-with-hole
#   sh quickstart.sh test    installs what is missing, builds, runs the tests (all but the slow ones, which .ci/nightly runs)
# Nothing is downloaded when all packages are there; running it again rebuilds only what changed.
# What CMake and the compiler say goes to build/quickstart.log. SINEW_BUILD=DIR builds elsewhere than build/, SINEW_JOBS=N uses N cores,
# SINEW_CMAKE="-D..." passes options to CMake, SINEW_PACKAGES="..." installs more.
set -eu

say() { printf '%s\n' "$@"; }
die() { printf 'quickstart: %s\n' "$*" >&2; exit 1; }

mode=${1:-run}
case $mode in
  run | test) ;;
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) die "unknown word '$mode': use 'sh quickstart.sh' or 'sh quickstart.sh test'" ;;
esac
cd "$(dirname -- "$0")"
build=${SINEW_BUILD:-build}
jobs=${SINEW_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
# CUDA's installer does not put nvcc on the path.
if ! command -v nvcc >/dev/null 2>&1 && [ -x /usr/local/cuda/bin/nvcc ]; then PATH=$PATH:/usr/local/cuda/bin; export PATH; fi
# OpenMP's threads wait asleep: spinning makes a machine with other work many times slower.
OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}; export OMP_WAIT_POLICY

# ---- what is missing: a package counts as there when what it is needed for works, whoever installed it ----
package_there() { [ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" = "install ok installed" ]; }
compiles() { # header, library
  command -v cc >/dev/null 2>&1 || return 1
  printf '#include <%s>\nint main(void) { return 0; }\n' "$1" | cc -x c - -o /dev/null "-l$2" >/dev/null 2>&1
}
there() {
  package_there "$1" && return 0
  case $1 in
    build-essential) command -v cc >/dev/null 2>&1 && command -v make >/dev/null 2>&1 && compiles stdio.h m ;;
    pkg-config) command -v pkg-config >/dev/null 2>&1 ;;
    libyaml-dev) pkg-config --exists yaml-0.1 2>/dev/null ;;
    libpng-dev) pkg-config --exists libpng 2>/dev/null ;;
    libsuitesparse-dev) compiles suitesparse/cholmod.h cholmod || compiles cholmod.h cholmod ;;
    libopenblas0-serial) ldconfig -p 2>/dev/null | grep -q openblas ;;
    libopenmpi-dev) command -v mpicc >/dev/null 2>&1 ;;
    openmpi-bin) command -v mpirun >/dev/null 2>&1 ;;
    libcmocka-dev) pkg-config --exists cmocka 2>/dev/null ;;
    libhdf5-dev) pkg-config --exists hdf5-serial 2>/dev/null || command -v h5cc >/dev/null 2>&1 || compiles hdf5.h hdf5 ;;
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    libmetis-dev) compiles metis.h metis || [ -n "${CMAKE_PREFIX_PATH:-}" -a -f "${CMAKE_PREFIX_PATH:-}/include/metis.h" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}
needed="build-essential cmake pkg-config libhdf5-dev zlib1g-dev libmetis-dev libyaml-dev libpng-dev libsuitesparse-dev libopenblas0-serial libopenmpi-dev openmpi-bin gmsh"
[ "$mode" = test ] && needed="$needed libcmocka-dev"
needed="$needed ${SINEW_PACKAGES:-}"
missing=
for package in $needed; do there "$package" || missing="$missing $package"; done
missing=${missing# }

# ---- room on the disk ----
free_mb() { df -Pk "$1" 2>/dev/null | awk 'NR == 2 { printf "%d", $4 / 1024 }'; }
room() { # folder, megabytes, what for
  have=$(free_mb "$1")
  [ -z "$have" ] || [ "$have" -ge "$2" ] ||
    die "$have MB are free where '$1' lies, $3 takes about $2 MB: free some space and run this again"
}
room . 300 "the build"

# ---- install ----
install_missing() {
  list="  $(printf '%s' "$missing" | sed 's/ /\n  /g')"
  say "Missing packages:" "$list"
  command -v apt-get >/dev/null 2>&1 ||
    die "this machine has no apt-get: install what these Debian packages hold by its own means, then run this again (a C compiler, make, CMake 3.22, pkg-config, HDF5, zlib, METIS, libyaml, libpng, SuiteSparse, OpenBLAS, MPI, Gmsh; for the tests cmocka)"
  sudo=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 ||
      die "installing needs root and there is no sudo: as root run   apt-get install --no-install-recommends $missing   then run this again"
    sudo=sudo
    [ "${CI:-}" = true ] && sudo="sudo -n"
  fi
  DEBIAN_FRONTEND=noninteractive; export DEBIAN_FRONTEND
  apt="$sudo env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=600"
  # --assume-no tells the size and stops; without package lists it fails, as it does with stale ones later.
  size=$(LC_ALL=C apt-get install --assume-no --no-install-recommends $missing 2>/dev/null) || true
  case $size in
    *"Need to get"* | *"After this operation"*) ;;
    *)
      say "Fetching the list of packages (apt-get update)"
      $apt update -q </dev/null || die "apt-get update failed: look at its message above; a network is needed to install"
      size=$(LC_ALL=C apt-get install --assume-no --no-install-recommends $missing 2>&1) || true ;;
  esac
  printf '%s\n' "$size" | grep -E '^(E: |Need to get|After this operation)' | sed 's/^/  /' || true
  unpacked=$(printf '%s\n' "$size" | awk '
    function mb(n, unit) { gsub(",", "", n); return unit == "GB" ? n * 1000 : unit == "MB" ? n : n / 1000 }
    /^Need to get/ { n = $4; sub("/.*", "", n); total += mb(n, $5) }
    /^After this operation.*used/ { total += mb($4, $5) }
    END { printf "%d", total }')
  room /usr "${unpacked:-0}" "installing"
  say "Installing: $missing"
  $apt install -y -qq --no-install-recommends $missing </dev/null || {
    say "The package lists may be old: fetching them and trying once more"
    $apt update -q </dev/null && $apt install -y -qq --no-install-recommends $missing </dev/null ||
      die "apt-get could not install: $missing (its message is above)"
  }
}
if [ -n "$missing" ]; then install_missing; else say "All needed packages are there."; fi

# ---- build ----
# A build folder that was copied or moved with the repository refuses to configure: start it afresh.
if [ -f "$build/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$build/CMakeCache.txt"; then
  rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
fi
# GPU code: for the GPU that is here, else for compute capability 9.0; an nvcc that is too old, or too new for the GPU, is
# left aside.
cuda=-DSINEW_CUDA=ON
if command -v nvcc >/dev/null 2>&1; then
  version=$(nvcc --version | sed -n 's/.*release \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n '1s/^\([0-9]*\)\.\([0-9]\)$/\1\2/p') || true
  if [ -z "$version" ] || [ "${version% *}" -lt 12 ] || { [ "${version% *}" -eq 12 ] && [ "${version#* }" -lt 4 ]; }; then
    say "Without GPU code: nvcc is older than CUDA 12.4"
    cuda=-DSINEW_CUDA=OFF
  elif [ -n "$capability" ] && ! nvcc --list-gpu-arch | grep -qx "compute_$capability"; then
    say "Without GPU code: this nvcc does not compile for the GPU here (compute capability $capability)"
    cuda=-DSINEW_CUDA=OFF
  elif [ -n "$capability" ]; then
    cuda="-DSINEW_CUDA=ON -DSINEW_CUDA_ARCHITECTURES=$capability"
  fi
fi
tests=OFF
there libcmocka-dev && tests=ON
mkdir -p "$build"
log=$build/quickstart.log
say "Building in $build/ with $jobs jobs at a time, which takes some minutes; what is said goes to $log"
# logged WHAT COMMAND...: a command whose words go to the log; where it fails, the first error and the end of them are shown
logged() {
  what=$1
  shift
  "$@" >>"$log" 2>&1 && return
  grep -m 1 -A 12 -iE '(^|[ :])error' "$log" >&2 || tail -n 20 "$log" >&2
  die "$what: see above, and all of it in $log"
}
: >"$log"
logged "CMake could not configure" cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DSINEW_TESTS=$tests -DSINEW_NATIVE=ON \
  $cuda ${SINEW_CMAKE:-}
grep '^-- Sinew: ' "$log" | sed 's/^-- Sinew: //' || true
if [ "$mode" = test ]; then
  logged "the build failed" cmake --build "$build" -j "$jobs"
  exec ctest --test-dir "$build" -j "$jobs" -LE '^slow$' --output-on-failure --no-tests=error
fi
logged "the build failed" cmake --build "$build" --target sinew sinew-bench -j "$jobs"

# ---- run the main case ----
sinew=$build/sinew # tests leave others below it
[ -x "$sinew" ] || die "the build made no program named sinew in $build/"
main=cases/plate-with-hole
"$sinew" run "$main/case.yaml" --overwrite >>"$log" || die "the first case does not run: see $log"
say "Solved $main/case.yaml, a plate with a hole that is pulled:"
grep -E '^(largest|stress error)' "$log" | tail -n 3 | cut -c1-150 | sed 's/^/  /'
drawn=
"$sinew" plot "$main/results" >>"$log" 2>&1 && drawn=" and picture.png"
say "The result is $main/results/: results.hdf for ParaView 5.12 and later (results.xdmf for older ones)$drawn" \
  "A case of your own:   $sinew init elasticity FOLDER     then docs/first-part.md" \
  "'sinew' as a command: cmake --install $build --prefix ~/.local     (for everybody: sudo cmake --install $build)" \
  "or in this shell:     export PATH=\"$(cd "$(dirname -- "$sinew")" && pwd):\$PATH\""
