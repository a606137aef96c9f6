"""Sinew from Python: runs the program `sinew` and reads its results; nothing is solved here (docs/python.md).

    import sinew
    result = sinew.run("case.yaml", set={"materials.0.young": 200e9})
    result.displacement          # (n, 3) float64, mapped from results.hdf
    result.probes["tip"]
"""
import importlib

from .errors import (Bug, CaseError, Error, FileError, GpuError, MemoryShort, MeshError, NotConverged, Problem, RestartError,
                     SinewWarning, Stopped, UsageError)
from .runner import check, run, serve

# NumPy and HDF5 are loaded with the first use of what needs them: `sinew` as a command starts without.
_LATER = {"Mesh": "mesh", "Result": "result", "Table": "result", "Sweep": "study", "sweep": "study",
          "uniform": "points", "log_uniform": "points", "normal": "points"}

__all__ = ["Bug", "CaseError", "Error", "FileError", "GpuError", "MemoryShort", "Mesh", "MeshError", "NotConverged", "Problem",
           "RestartError", "Result", "SinewWarning", "Stopped", "Sweep", "Table", "UsageError", "check", "log_uniform", "normal", "run", "serve", "sweep",
           "uniform"]


def __getattr__(name):
    if name == "__version__":
        from .program import version
        return version()
    if name not in _LATER:
        raise AttributeError(f"module 'sinew' has no attribute '{name}'")
    value = globals()[name] = getattr(importlib.import_module("." + _LATER[name], __name__), name)
    return value


def __dir__():
    return sorted([*__all__, "__version__"])
