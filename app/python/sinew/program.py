"""Where the program is."""
import os
import shutil
import subprocess


def find():
    """The path of the program: of the variable SINEW_PROGRAM, inside of this package, or the first on the PATH."""
    named = os.environ.get("SINEW_PROGRAM")
    if named:
        if not os.access(named, os.X_OK):
            raise FileNotFoundError(f"SINEW_PROGRAM is '{named}', which is no program that can be run")
        return named
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "sinew")
    if os.access(inside, os.X_OK):
        return inside
    found = shutil.which("sinew")
    if not found:
        raise FileNotFoundError("the program 'sinew' is not on the PATH: build and install it (sh quickstart.sh), or name it in "
                                "the environment variable SINEW_PROGRAM")
    return found


def version():
    """"0.2.0": that of the program."""
    said = subprocess.run([find(), "--version"], capture_output=True, text=True, check=True).stdout
    return said.split()[1]
