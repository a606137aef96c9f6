"""Makes the wheel: the module, the program, and the libraries that it needs.

    python3 app/python/wheel.py [DIST]           # dist/sinew-VERSION-py3-none-PLATFORM.whl

Builds the program in build-wheel/ first, for any processor with AVX2 and one process (no MPI); with nvcc on the machine it has the
code for GPUs: of compute capability 8.x and 9.0, and PTX, which drivers compile for newer ones. SINEW_CMAKE="-D..." passes options to
CMake, the last word on an option counts. Needs cmake, patchelf, readelf and strip.
`--program PROGRAM` packs a program that is built already.
"""
import argparse
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(SOURCE, "build-wheel")
# What every Linux has in its own version: the C library, and the GPU's driver.
OUTSIDE = re.compile(r"^(ld-linux.*|libc|libm|libpthread|libdl|librt|libutil|libresolv|libgcc_s|libcuda|libnvidia.*|linux-vdso)\.so")
# "80-real" runs on all of 8.x, "90" on 9.0; its PTX is for what comes later.
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DSINEW_TESTS=OFF", "-DSINEW_NATIVE=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON",
           "-DSINEW_CUDA_ARCHITECTURES=80-real;90"]
METADATA = """Metadata-Version: 2.1
Name: sinew
Version: {version}
Summary: Finite elements for elasticity, heat and cardiac electrophysiology, on GPUs and CPUs
License: BSD-3-Clause
Requires-Python: >=3.9
Requires-Dist: numpy
Requires-Dist: h5py>=3.5

Sinew itself is under the BSD 3-Clause licence. The libraries in sinew/lib come with licences of their own, which are in the folder
`licenses` beside this file; the supernodal part of CHOLMOD is under the GNU GPL, and so is a copy of this wheel as a whole.
"""


def said(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def build():
    jobs = os.environ.get("SINEW_JOBS", str(os.cpu_count()))
    if not shutil.which("nvcc") and os.path.exists("/usr/local/cuda/bin/nvcc"):  # CUDA's installer does not put it on the path
        os.environ["PATH"] += ":/usr/local/cuda/bin"
    subprocess.run(["cmake", "-S", SOURCE, "-B", BUILD, *OPTIONS, *os.environ.get("SINEW_CMAKE", "").split()], check=True)
    subprocess.run(["cmake", "--build", BUILD, "--target", "sinew", "-j", jobs], check=True)
    return os.path.join(BUILD, "sinew")


def libraries(program):
    """{name: path} of what the loader takes for it."""
    found = {}
    for line in said("ldd", program).splitlines():
        name, _, path = line.strip().partition(" => ")
        if OUTSIDE.match(os.path.basename(name)) or " (0x" not in path:
            if "not found" in path:
                sys.exit(f"'{program}' needs '{name}', which is not found")
            continue
        found[name] = path[:path.index(" (0x")]
    return found


def newest_c_library(paths):
    """(2, 36): the newest version of the C library that any of them asks for."""
    versions = [(0, 0)]
    for path in paths:
        versions += [(int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", said("readelf", "-V", path))]
    return max(versions)


def lay_out(program, folder):
    """The files of the wheel in `folder`."""
    package = os.path.join(folder, "sinew")
    shutil.copytree(os.path.join(SOURCE, "app", "python", "sinew"), package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in "bin", "lib":
        os.mkdir(os.path.join(package, name))
    inside = shutil.copy(program, os.path.join(package, "bin", "sinew"))
    subprocess.run(["strip", inside], check=True)
    find_in(inside, "$ORIGIN/../lib")
    copies, found = [inside], libraries(program)
    for name, path in found.items():
        copies.append(shutil.copy(path, os.path.join(package, "lib", name)))
        find_in(copies[-1], "$ORIGIN")
    return newest_c_library(copies), found.values()


def find_in(path, folder):
    """Its libraries are those in `folder`, whatever LD_LIBRARY_PATH says: RPATH goes before that, RUNPATH behind."""
    subprocess.run(["patchelf", "--force-rpath", "--set-rpath", folder, path], check=True)


def licence(path):
    """(name of a package, file with its licence) of a library: what dpkg says, or what lies beside it as Debian puts it; or None."""
    real = os.path.realpath(path)
    short = real[len("/usr"):] if real.startswith("/usr/lib/") else real  # as packages from before the merge of /usr name it
    words = ["dpkg-query", "-S", real, short, path]
    name = subprocess.run(words, capture_output=True, text=True).stdout.partition(":")[0].split(",")[0] if shutil.which(words[0]) else ""
    base, _, number = os.path.basename(path).partition(".so.")
    name = name or base + ("-" if base[-1].isdigit() else "") + number  # libmetis5, libyaml-0-2
    for prefix in os.path.dirname(os.path.dirname(path)), "/usr":
        text = os.path.join(prefix, "share", "doc", name, "copyright")
        if os.path.exists(text):
            return name, text
    print(f"wheel.py: no licence of '{path}' is found, and the wheel goes without: put it into share/doc/{name}/copyright of its prefix",
          file=sys.stderr)
    return None


def describe(folder, version, tag, texts):
    info = os.path.join(folder, f"sinew-{version}.dist-info")
    os.makedirs(os.path.join(info, "licenses"))
    scripts = os.path.join(folder, f"sinew-{version}.data", "scripts")
    os.makedirs(scripts)
    shutil.copy(os.path.join(SOURCE, "app", "sinew-ccx"), scripts)
    shutil.copy(os.path.join(SOURCE, "LICENSE"), info)
    for name, path in texts.items():
        shutil.copy(path, os.path.join(info, "licenses", name))
    for name, text in (("METADATA", METADATA.format(version=version)),
                       ("WHEEL", f"Wheel-Version: 1.0\nGenerator: sinew\nRoot-Is-Purelib: false\nTag: {tag}\n"),
                       ("entry_points.txt", "[console_scripts]\nsinew = sinew.__main__:main\n")):
        with open(os.path.join(info, name), "w", encoding="utf-8") as file:
            file.write(text)
    return f"sinew-{version}.dist-info/RECORD"


def pack(folder, path, record):
    """All files of the folder, and the list of them with their hashes."""
    lines = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for at, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                whole = os.path.join(at, name)
                inner = os.path.relpath(whole, folder)
                with open(whole, "rb") as file:
                    data = file.read()
                entry = zipfile.ZipInfo(inner)  # no time: same files, same bytes
                entry.external_attr = (0o100755 if os.access(whole, os.X_OK) else 0o100644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                wheel.writestr(entry, data)
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                lines.append(f"{inner},sha256={digest},{len(data)}")
        wheel.writestr(zipfile.ZipInfo(record), "\n".join([*lines, record + ",,"]) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="wheel.py", description="Makes the wheel.")
    parser.add_argument("dist", nargs="?", default=os.path.join(SOURCE, "dist"), help="folder of the wheel (dist/)")
    parser.add_argument("--program", help="a program that is built already (without: builds one in build-wheel/)")
    asked = parser.parse_args()
    for tool in ("patchelf", "readelf", "strip") + (() if asked.program else ("cmake",)):
        if not shutil.which(tool):
            sys.exit(f"wheel.py: '{tool}' is needed: apt-get install {'binutils' if tool in ('readelf', 'strip') else tool}")
    program = os.path.abspath(asked.program or build())
    version = said(program, "--version").split()[1]
    os.makedirs(asked.dist, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        newest, inside = lay_out(program, folder)
        machine = sysconfig.get_platform().split("-", 1)[1].replace("-", "_")
        tag = f"py3-none-manylinux_{newest[0]}_{newest[1]}_{machine}"
        path = os.path.join(asked.dist, f"sinew-{version}-{tag}.whl")
        pack(folder, path, describe(folder, version, tag, dict(filter(None, map(licence, inside)))))
    print(f"{path}: {os.path.getsize(path) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
