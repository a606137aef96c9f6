#!/bin/sh
# bare_root.sh CMAKE BUILD SOURCE: in a system that debootstrap makes, which has nothing but apt, the package of cpack installs by the
# words of the Dockerfile's second stage and the first case runs; in a second one with Python alone, and without a network, the wheel
# does; in a third one the words of the first stage install all that CMake looks for, and the sources compile. 77 (skipped) without root,
# debootstrap or a network.
set -u
cmake=$1 build=$2 source=$3
[ "$(id -u)" = 0 ] || { echo "skipped: debootstrap needs root"; exit 77; }
for tool in debootstrap unshare dpkg-shlibdeps patchelf; do
  command -v $tool >/dev/null || { echo "skipped: no $tool (apt-get install debootstrap util-linux dpkg-dev patchelf)"; exit 77; }
done
. /etc/os-release
case $ID in
  debian) mirror=http://deb.debian.org/debian components=main ;;
  ubuntu) mirror=http://archive.ubuntu.com/ubuntu components=main,universe ;;
  *) echo "skipped: neither Debian nor Ubuntu"; exit 77 ;;
esac
work=$(mktemp -d) && cd "$work" || exit 1 # debootstrap takes no path with a space
trap 'cd / && rm -rf "$work"' EXIT
bad() {
  [ ! -e log ] || tail -n 20 log
  echo "FAILED: $*"
  exit 1
}
# inside ROOT NET WORDS...: in that system, with its own processes, mounts and, unless NET is --net, the network of this one
inside() {
  root=$1 net=$2
  shift 2
  unshare $net --mount --pid --fork sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" \
    env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/root DEBIAN_FRONTEND=noninteractive OMP_NUM_THREADS=1 "$@" >log 2>&1 </dev/null
}
unshare --net --mount --pid --fork true 2>/dev/null || { echo "skipped: this container may not unshare"; exit 77; }
"$(dirname "$cmake")/cpack" --config "$build/CPackConfig.cmake" -B "$work/package" >log 2>&1 || bad "no package"
python3 "$source/app/python/wheel.py" --program "$build/sinew" . >log 2>&1 || bad "no wheel"
debootstrap --variant=minbase --components=$components "$VERSION_CODENAME" deb $mirror >log 2>&1 || { tail -n 3 log; echo "skipped: debootstrap fails, as it does without a network"; exit 77; }
cp -a deb wheel && cp -a deb image
# The words behind the k-th RUN of the Dockerfile, in one line.
docker_run() { sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$source/Dockerfile" | sed -n 's/^RUN //p' | sed -n "$1p"; }
[ "$(docker_run 4)" = '' ] && docker_run 3 | grep -q 'install .*\.deb' || bad "the Dockerfile has other steps than this test knows"
for root in deb wheel; do cp -r "$source/cases/first-part" $root/root/ && rm -rf $root/root/first-part/results*; done

cp package/sinew_*.deb deb/tmp/
for name in $(dpkg-deb -f package/sinew_*.deb Recommends | sed 's/ *|[^,]*//g; s/,//g'); do
  docker_run 3 | grep -qw -- "$name" || bad "the Dockerfile does not install '$name', which the package recommends"
done
inside deb "" sh -c "$(docker_run 3)" || bad "apt does not install the package"
inside deb --net sh -c 'cd /root && sinew run first-part && sinew report first-part && sinew sweep first-part --over "materials.0.poisson=[0.2]"' || bad "the first case does not run in the package"
[ -s deb/root/first-part/results/results.hdf ] && [ -s deb/root/first-part/results/report.html ] || bad "the package left no results"
[ -s deb/root/first-part/sweep/sweep.csv ] || bad "the package left no sweep"
# As docker run --user: somebody whom the system does not know, in a folder of theirs.
mkdir deb/work && cp -r "$source/cases/first-part" deb/work/ && rm -rf deb/work/first-part/results* && chown -R 4321:4321 deb/work
inside deb --net env HOME=/ setpriv --reuid 4321 --regid 4321 --clear-groups sh -c 'cd /work && sinew run first-part' || bad "another user runs no case"
inside deb --net sh -c 'readlink -f /usr/lib/*/libblas.so.3' && grep -q openblas log || bad "the package does not bring OpenBLAS"

cp sinew-*.whl wheel/root/
inside wheel "" sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends python3-venv' || bad "no Python"
inside wheel --net sh -c 'cd /root && python3 -m venv v && v/bin/pip install --no-index --no-deps *.whl' || bad "pip does not install the wheel"
printf '%s\n' 'version: 1' 'mesh: {grid: [9, 3, 3], size: [4, 1, 1], element: hex8}' 'physics: elasticity' 'model: 3d' 'materials: [{on: body, young: 1e3, poisson: 0.3}]' \
  'boundary: [{on: x0, fix: all}, {on: x1, traction: [0, 0, -1]}]' >wheel/root/case.yaml
inside wheel --net sh -c 'cd /root && v/bin/sinew run case.yaml --output a && v/bin/sinew run case.yaml --output b --set solver.method=direct &&
  v/bin/python -c "import sinew; print(sinew.run(\"case.yaml\", output=\"c\").report[\"status\"])"' || bad "the wheel does not run in a system with Python alone"
[ -s wheel/root/c/results.hdf ] || bad "the wheel left no results"
inside wheel --net /root/v/bin/sinew run /root/first-part && bad "a mesh without Gmsh"
grep -q 'apt-get install gmsh' log || bad "the wheel does not say that Gmsh is missing"

# The first stage up to the compiler; the whole build is that of this tree.
inside image "" sh -c "$(docker_run 1)" || bad "apt does not install what the Dockerfile builds with"
mkdir image/source && (cd "$source" && tar -c --exclude=.git --exclude='./build*' --exclude=./dist --exclude='./cases/*/results*' .) | tar -x -C image/source
inside image --net sh -c "$(docker_run 2 | sed 's/cmake --build \/package .*/cmake --build \/package --target sinew_core/')" || bad "the Dockerfile does not build"
! grep '^-- Sinew: ' log | grep -v 'no MPI' || bad "the Dockerfile builds without something"
