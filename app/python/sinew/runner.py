"""sinew.run, sinew.check and sinew.serve: the program as a child process."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import warnings
import weakref

from . import errors
from .case_text import CaseText, flow, keys_of_file
from .program import find
from .served import Served


class CaseInput:
    """A case on its way to the program: the operand, and its text where it comes from a dict. `folder`: where a mesh made of
    arrays is written."""

    def __init__(self, case, folder):
        if not isinstance(case, (dict, str, bytes, os.PathLike)):
            raise TypeError(f"a case is the path of a file or its folder, or a dict, not {type(case).__name__}")
        if isinstance(case, str) and "\n" in case:
            raise TypeError("a case is the path of a file or its folder, or a dict, and this is a text of several lines: "
                            "yaml.safe_load(text) makes a dict of the text of a case file")
        self.operand, self.text, self.mesh, self._places = os.fspath(case) if not isinstance(case, dict) else "-", None, None, None
        if isinstance(case, dict):
            case, self.mesh = _mesh_to_file(case, folder)
            self._places = CaseText(case)
            self.text = self._places.text.encode()

    def key_at(self, file, line, column, text):
        """The dotted path of what the program names by its place."""
        if self._places:
            return self._places.key_at(line, column) if file == "<stdin>" else None
        return keys_of_file(file, line, column, text)


def _mesh_to_file(case, folder):
    """The case with the path of a file in place of a sinew.Mesh and names of its fields in place of arrays, and that path."""
    mesh = case.get("mesh")
    inner = mesh.get("file") if isinstance(mesh, dict) else mesh
    if not hasattr(inner, "write_into"):
        return case, None
    case, inner = inner.take_fields(case)
    path = inner.write_into(folder)
    return {**case, "mesh": {**mesh, "file": path} if isinstance(mesh, dict) else {"file": path}}, path


class Temporary:
    """A folder that is removed with the last reference to it: what tempfile.TemporaryDirectory warns of is meant here."""

    def __init__(self):
        self.name = tempfile.mkdtemp(prefix="sinew-")
        weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)


def run(case, set=None, *, backend=None, threads=None, output=None, overwrite=False, resume=False, log=None):
    """Solves a case and returns its Result; raises a sinew.Error otherwise.

    case       path of a case file (or deck, or folder), or a dict with the keys of one; paths in a dict are relative to the
               current folder, `mesh` may be a sinew.Mesh, and arrays with a row for each of its nodes or cells are fields
    set        {"solver.rtol": 1e-10, "materials.0.young": 200e9}: any keys by their dotted paths
    backend    "auto", "cpu" or "cuda"
    output     folder of the results; None: that of the command line, and for a dict a temporary one that goes with the Result
    overwrite, resume   as on the command line
    log        is called with each line that the program prints, as it comes: log=print

    Ctrl-C is handed on: runs in time leave a checkpoint, and resume=True goes on from there. What `log` raises stops a run too."""
    keep = None
    if output is None and isinstance(case, dict):
        keep = Temporary()
        output = os.path.join(keep.name, "results")
    new = output is not None and not os.path.exists(output)
    given = CaseInput(case, output)
    words = ["run", given.operand, *options(set, backend, threads)]
    if output is not None:
        words += ["--output", os.fspath(output)]
    words += ["--overwrite"] * overwrite + ["--resume"] * resume
    try:
        code, out, err = _child(words, given.text, log)
    except KeyboardInterrupt as stop:
        raise KeyboardInterrupt(_again(str(stop), given, keep)) from None
    finally:
        _tidy(given.mesh, output, new)
    err = _again(err, given, keep)
    folder = os.path.abspath(output) if output is not None else _folder_of(out)
    warned = _warn(err, given.mesh)
    if code:
        errors.raise_for(code, err, given.key_at, folder)
    from .result import Result
    return Result(folder, log=out, warnings=warned, keep=keep)


def check(case, set=None, *, backend=None):
    """What `sinew check` prints: the case with all defaults, sizes, loads, free motions, memory. Raises as `run` does."""
    with tempfile.TemporaryDirectory(prefix="sinew-") as folder:
        given = CaseInput(case, folder)
        code, out, err = _child(["check", given.operand, *options(set, backend, None)], given.text, None)
        _warn(err, given.mesh)
        if code:
            errors.raise_for(code, err, given.key_at, None)
        return out


def _again(said, given, keep):
    """How a stopped run of a dict goes on, which is not by a command."""
    if given.text is None:
        return said
    how = r"; nothing is kept\n  a run with output=FOLDER goes on by the same call and resume=True" if keep else \
        r"\1\n  go on with the same call and resume=True"
    return re.sub(r"(; the state is in .*)\n  go on with: .*", how, said)


def options(set, backend, threads):
    """Options of the command line."""
    words = []
    if set is not None and not isinstance(set, dict):
        raise TypeError(f"set is a dict of keys and their values, {{'solver.rtol': 1e-10}}, not {type(set).__name__}")
    for key, value in (set or {}).items():
        words += ["--set", f"{key}={flow(value)}"]
    if backend is not None:
        words += ["--backend", str(backend)]
    if threads is not None:
        words += ["--threads", str(threads)]
    return words


class serve:
    """with sinew.serve(): all runs and checks of the block, one after the other, are done by one process, which starts a GPU once.

    What one of them does to the process ends with it: the next run has another. `log` is called when a run has ended."""

    _lock, _open, _served = threading.Lock(), 0, None

    def __enter__(self):
        serve._open += 1
        return self

    def __exit__(self, *_):
        serve._open -= 1
        if not serve._open:
            serve._end()

    @classmethod
    def _end(cls):
        served, cls._served = cls._served, None
        if served:
            served.end()

    @classmethod
    def _ask(cls, words, text, log):
        """As _child; None where the process has ended without an answer."""
        with cls._lock:
            cls._served = cls._served or Served(find())
            try:
                answer = cls._served.ask(words, text, os.getcwd())
            except KeyboardInterrupt:
                _stop(cls._served.child, wait=False)
                answer = cls._served.answer()
                cls._end()
                raise KeyboardInterrupt(answer["err"].strip() if answer else "") from None
            if not answer or answer["code"] == errors.Stopped.code:
                cls._end()
        for line in answer["out"].splitlines() if answer and log else []:
            log(line)
        return answer and (answer["code"], answer["out"], answer["err"])


def _child(words, text, log):
    """(exit code, stdout, stderr). KeyboardInterrupt goes to the child first, which ends by itself."""
    answer = serve._ask(words, text, log) if serve._open else None
    if answer:
        return answer
    child = subprocess.Popen([find(), *words], stdin=subprocess.DEVNULL if text is None else subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = {}
    readers = [threading.Thread(target=_read, args=(child, child.stdout, said, "out", log)),
               threading.Thread(target=_read, args=(child, child.stderr, said, "err", None))]
    try:
        for reader in readers:
            reader.start()
        if text is not None:
            _feed(child.stdin, text)
        child.wait()
    except KeyboardInterrupt:
        _stop(child)
        for reader in readers:
            reader.join()
        raise KeyboardInterrupt((said["out"] + said["err"]).strip()) from None
    for reader in readers:
        reader.join()
    if "failed" in said:
        raise said["failed"]
    return child.returncode, said["out"], said["err"]


def _read(child, stream, said, name, log):
    """Into said[name]. What `log` raises, which is the caller's, ends the program and goes into said["failed"]."""
    lines = []
    for line in stream:
        lines.append(line.decode(errors="replace"))
        try:
            if log and "failed" not in said:
                log(lines[-1].rstrip("\n"))
        except BaseException as error:
            said["failed"] = error
            child.send_signal(signal.SIGINT)
    stream.close()
    said[name] = "".join(lines)


def _feed(stream, text):
    try:
        stream.write(text)
        stream.close()
    except BrokenPipeError:  # it ended before it read the case, and says why
        pass


def _stop(child, wait=True):
    """A terminal's Ctrl-C has reached the child already, that of a notebook has not; twice does no harm."""
    child.send_signal(signal.SIGINT)
    try:
        if wait:
            child.wait()
    except KeyboardInterrupt:
        child.kill()
        child.wait()


def _tidy(mesh, output, new):
    """A mesh of arrays goes with the run, and a folder without a result that was not there before goes too."""
    if mesh:
        os.remove(mesh)
        if new and not os.listdir(output):
            os.rmdir(output)


def _folder_of(out):
    """The folder that the program names at its end."""
    for line in out.splitlines():
        if line.startswith("results ") and "/results.hdf" in line:
            return os.path.abspath(line[len("results"):line.rindex("/results.hdf")].strip())
        if line.startswith("finished ") and " holds the whole result" in line:
            return os.path.abspath(line[len("finished"):line.rindex(" holds the whole result")].strip())
    return None


def _warn(err, mesh):
    warned, _ = errors.messages(err)
    warned = [text for text in warned if not (mesh and text.startswith(mesh + ":") and "checksum" in text)]
    for text in warned:
        warnings.warn(text, errors.SinewWarning, stacklevel=3)
    return warned
