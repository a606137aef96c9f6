"""follow.py SINEW DOCUMENT FOLDER: follows a tutorial word by word in a fresh folder. A block whose first line is a comment with
a file's name becomes that file, an sh block runs, a text block must be in what the sh block before it printed: words alike,
numbers to 3 % (behind "about" to 30 %), "..." for any words. The cases that commands name are copied there, and `build/sinew` is the
program. 77 (skipped) without gmsh."""
import os
import re
import shutil
import subprocess
import sys

TOLERANCE, ABOUT = 0.03, 0.3  # versions of Gmsh mesh differently
sinew, document, folder = sys.argv[1:4]
if not shutil.which("gmsh"):
    print("skipped: no gmsh")
    sys.exit(77)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
os.environ["PATH"] = os.path.dirname(os.path.realpath(sinew)) + os.pathsep + os.environ["PATH"]


os.makedirs(os.path.join(folder, "build"))
os.symlink(os.path.realpath(sinew), os.path.join(folder, "build", "sinew"))
source = os.path.dirname(os.path.dirname(os.path.abspath(document)))
for name in set(re.findall(r"\bcases/([\w-]+)", "".join(re.findall(r"^```sh\n(.*?)^```$", open(document).read(), re.S | re.M)))):
    shutil.copytree(os.path.join(source, "cases", name), os.path.join(folder, "cases", name), ignore=shutil.ignore_patterns("results*"))


def number(word):
    try:
        return float(word.strip("[](),;:").replace(",", ""))
    except ValueError:
        return None


def same(shown, got, tolerance):
    a, b = number(shown), number(got)
    if a is None or b is None:
        return shown.rstrip(",;:") == got.rstrip(",;:")
    return abs(a - b) <= tolerance * abs(a)


def begins(words, got):
    """Do the printed words `got` begin with those shown?"""
    tolerance = TOLERANCE
    for k, word in enumerate(words):
        if word == "...":
            return any(begins(words[k + 1:], got[n:]) for n in range(k, len(got)))
        if k >= len(got) or not same(word, got[k], tolerance):
            return False
        tolerance = ABOUT if word == "about" else TOLERANCE
    return True


def said(line, output):
    return any(begins(line.split(), other.split()) for other in output.splitlines())


def fail(line, why):
    print("%s:%d: %s" % (document, line, why))
    sys.exit(1)


text, output, counts = open(document).read(), "", {"file": 0, "sh": 0, "text": 0}
for block in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M):
    kind, body = block.groups()
    at = text.count("\n", 0, block.start()) + 1
    name = re.match(r"(?:#|//|\*\*) ([\w.-]+\.(?:yaml|geo|inp|py))\b", body)
    if name:
        counts["file"] += 1
        open(os.path.join(folder, name.group(1)), "w").write(body)
    elif kind == "sh":
        counts["sh"] += 1
        output = ""
        for command in body.splitlines():
            if command.startswith(("sinew plot", "paraview")):  # which need ParaView
                continue
            if command.startswith("ccx ") and not shutil.which("ccx"):
                continue
            run = subprocess.run(["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
            output += run.stdout
            if run.returncode:
                fail(at, "'%s' ends with %d:\n%s" % (command, run.returncode, run.stdout))
    elif kind == "text":
        for n, line in enumerate(body.splitlines()):
            counts["text"] += 1
            if not said(line, output):
                fail(at + 1 + n, "'%s' is not printed by the commands above it, which say:\n%s" % (line, output))
    else:
        fail(at, "this block is no file, command or output")
if not counts["sh"] or not counts["text"]:
    fail(1, "a tutorial runs commands and shows what they print")
print(counts)
