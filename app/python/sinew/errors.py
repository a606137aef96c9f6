"""Exit codes of the program as exceptions. Each has the program's own text, and the place that it names."""
import re

from .study import messages


class SinewWarning(UserWarning):
    """What the program warns of."""


class Problem:
    """One message of the program: `file`, `line`, `column` (None without a place), `key` (the dotted path of what stands there,
    such as "materials.0.young"; None where it is not known) and `text`, with what is allowed and what to do."""

    def __init__(self, file, line, column, key, text):
        self.file, self.line, self.column, self.key, self.text = file, line, column, key, text

    def __repr__(self):
        return f"<sinew.Problem {self}>"

    def __str__(self):
        if self.line is None:
            return self.text
        piped = self.file == "<stdin>"  # a case made in Python has no lines that anybody has seen
        return f"{self.key}: {self.text}" if piped and self.key else f"{self.file}:{self.line}:{self.column}: {self.text}"


class Error(RuntimeError):
    """The program ended with an exit code other than 0. `text`: all that it said; `problems`: its messages, of which `file`,
    `line`, `column` and `key` are the first one's; `code`; `folder` of the results, where it is known."""

    code = None

    def __init__(self, text, problems=(), code=None, folder=None):
        self.text, self.problems, self.folder = text, list(problems), folder
        self.code = self.code if code is None else code
        first = self.problems[0] if self.problems else Problem(None, None, None, None, text)
        self.file, self.line, self.column, self.key = first.file, first.line, first.column, first.key
        super().__init__("\n".join(str(problem) for problem in self.problems) or text)

    @property
    def result(self):
        """What was written before the end: a Result, or None."""
        import os

        from .result import Result
        there = self.folder and os.path.exists(os.path.join(self.folder, "results.hdf"))
        return Result(self.folder) if there else None


class Bug(Error):
    """A bug in Sinew, or a signal that ended the program: please report it."""
    code = 1


class UsageError(Error):
    """An unknown key in `set`, or a value that an option does not take."""
    code = 2


class CaseError(Error):
    """The case: unknown keys and groups, values out of range, a part that can move freely."""
    code = 3


class MeshError(Error):
    """The mesh is damaged or missing, or has inverted elements."""
    code = 4


class RestartError(Error):
    """The folder holds a result already (overwrite=True, resume=True), or a checkpoint of another case, or is in use."""
    code = 5


class NotConverged(Error):
    """The solver did not converge, or a number is none. `result` is what was written until then."""
    code = 6


class MemoryShort(Error, MemoryError):
    """Memory of the host."""
    code = 7


class GpuError(Error):
    """There is no usable GPU, or its memory is too small."""
    code = 8


class FileError(Error, OSError):
    """Reading or writing of files: a full disk."""
    code = 9

    def __str__(self):
        return RuntimeError.__str__(self)


class Stopped(Error):
    """Somebody asked the program to stop; a run in time left a checkpoint, from which resume=True goes on."""
    code = 10


BY_CODE = {kind.code: kind for kind in (Bug, UsageError, CaseError, MeshError, RestartError, NotConverged, MemoryShort, GpuError,
                                        FileError, Stopped)}
_SET = re.compile(r"--(?:set|over) '([^=']+?)\+?[='].*: ", re.DOTALL)
_PLACE = re.compile(r"^(.+?):(\d+):(\d+): (.*)$", re.DOTALL)


def problem(message, key_at):
    """A message with its place. key_at(line, column, text) is the key that stands there."""
    found = _PLACE.match(message)
    if not found:
        key = _SET.match(message)
        return Problem(None, None, None, key and key.group(1), message)
    file, line, column, text = found.group(1), int(found.group(2)), int(found.group(3)), found.group(4)
    return Problem(file, line, column, key_at(file, line, column, text), text)


def raise_for(code, said, key_at, folder):
    """The exception of an exit code other than 0."""
    _, others = messages(said)
    kind = BY_CODE.get(code, Bug)
    if code < 0:
        others.append(f"the program was ended by signal {-code}")
    raise kind("\n".join(others), [problem(message, key_at) for message in others], code, folder)
