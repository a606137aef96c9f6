#!/bin/sh
# wheel.sh SINEW SOURCE FOLDER: a wheel of the program works in a bare environment of Python, without a network, outside of the
# repository; on the GPU too, where the program that was built runs on one. 77 (skipped) where what makes one is missing.
set -u
sinew=$1 source=$2 work=$3
for tool in patchelf readelf strip; do
  command -v $tool >/dev/null || { echo "skipped: no $tool (apt-get install patchelf binutils)"; exit 77; }
done
# Where Python has no ensurepip, its own pip installs into the environment.
if python3 -c 'import ensurepip, venv' 2>/dev/null; then without= pip=bare/bin/pip
elif python3 -c 'import pip, venv' 2>/dev/null; then without=--without-pip pip="python3 -m pip --python bare/bin/python"
else echo "skipped: no python3 with venv (apt-get install python3-venv)"; exit 77
fi
rm -rf "$work"
mkdir -p "$work/away" && cd "$work" || exit 1
bad() {
  echo "FAILED: $*"
  exit 1
}
python3 "$source/app/python/wheel.py" --program "$sinew" dist >log 2>&1 || { cat log; bad "no wheel"; }
wheel=$(ls dist/sinew-*-py3-none-manylinux_*.whl) || bad "the wheel has another name"
[ "$(stat -c %s "$wheel")" -lt 100000000 ] || bad "$wheel is larger than 100 MB"
python3 -m venv $without bare || bad "no environment of Python"
env PIP_CONFIG_FILE=/dev/null $pip install --quiet --disable-pip-version-check --no-index --no-deps "$wheel" || bad "pip does not install it"

# Nothing of the program that was built, of the repository or of the machine's libraries stays within reach.
program=$(ls "$work"/bare/lib/python3*/site-packages/sinew/bin/sinew)
outside=$(ldd "$program" | grep ' => ' | grep -v " => $(dirname "$(dirname "$program")")/" | grep -vE '^.(libc|libm|libpthread|libdl|librt|libutil|libresolv|libgcc_s)\.so')
[ -z "$outside" ] || bad "libraries of the machine are used: $outside"
[ -n "$(ls "$work"/bare/lib/python3*/site-packages/sinew-*.dist-info/licenses)" ] || ! command -v dpkg-query >/dev/null || bad "no licences of the libraries inside"
alone() { env -i "PATH=$work/bare/bin:/usr/local/bin:/usr/bin:/bin" "HOME=$work" OMP_NUM_THREADS=1 "$@"; }
cd away || exit 1
[ "$(alone sinew --version)" = "$("$sinew" --version)" ] || bad "the command is of another version"
alone sinew-ccx | grep -q CalculiX || bad "sinew-ccx is not there"
if alone sh -c "command -v gmsh" >/dev/null; then
  cp "$source"/cases/first-part/case.yaml "$source"/cases/first-part/*.geo .
else
  echo 'no gmsh: a grid in place of the first case'
  cat >case.yaml <<'CASE'
version: 1
mesh: {grid: [9, 3, 3], size: [4, 1, 1], element: hex8}
physics: elasticity
model: 3d
materials: [{on: body, young: 210e9, poisson: 0.3}]
boundary: [{on: x0, fix: all}, {on: x1, traction: [0, 0, -1e6]}]
CASE
fi
alone sinew run case.yaml --set 'output.fields=[displacement, von-mises]' >log 2>&1 || { cat log; bad "the first case does not run"; }
"$sinew" run case.yaml --set 'output.fields=[displacement, von-mises]' --output built --quiet || bad "the program that was built does not run"
direct=direct
"$sinew" run case.yaml --output direct-built --quiet --set solver.method=direct 2>why || { cat why; direct=built; echo "the program that was built has no direct solver"; }
[ $direct = built ] || alone sinew run case.yaml --output direct --quiet --set solver.method=direct || bad "the direct solver does not run"
# What the loader needs to find the driver's library comes along; libraries in the wheel go before those of LD_LIBRARY_PATH.
on_gpu() { alone ${LD_LIBRARY_PATH:+"LD_LIBRARY_PATH=$LD_LIBRARY_PATH"} ${CUDA_VISIBLE_DEVICES:+"CUDA_VISIBLE_DEVICES=$CUDA_VISIBLE_DEVICES"} "$@"; }
gpu=built
if "$sinew" run case.yaml --output gpu-built --quiet --backend cuda 2>why; then
  gpu=gpu
  on_gpu sinew run case.yaml --output gpu --quiet --backend cuda || bad "the GPU that the program uses is not used by the wheel"
  echo "a case ran on the GPU; $wheel has $(stat -c %s "../$wheel") bytes"
else
  echo "nothing ran on a GPU: $(head -n 1 why)"
fi
alone python - $direct $gpu <<'PYTHON' || bad "the module does not work"
import json, sinew, sys
assert sinew.__version__ and "site-packages" in sinew.__file__
result = sinew.run("case.yaml", overwrite=True)  # no NumPy is here: what needs none works
here, built, direct, gpu = (json.load(open(f + "/report.json")) for f in ("results", "built", *sys.argv[1:]))
assert result.report["largest"] == here["largest"] == built["largest"], (result.report, built)
assert abs(direct["strain_energy"] / built["strain_energy"] - 1) < 1e-6 and (direct == built or direct["iterations"] < 10), direct
assert abs(gpu["strain_energy"] / built["strain_energy"] - 1) < 1e-6 and (gpu == built or "NVIDIA" in gpu["device"]), gpu
assert "results" in result.log
try:
    import numpy
    assert result.displacement.shape[1] == 3
except ImportError as missing:
    try:
        result.displacement
        raise SystemExit("fields without NumPy")
    except ImportError as error:
        assert "pip install" in str(error), error
try:
    sinew.run("case.yaml", set={"solver.rtl": 1})
    raise SystemExit("a wrong key runs")
except sinew.UsageError as error:
    assert "did you mean 'rtol'" in str(error)
PYTHON
