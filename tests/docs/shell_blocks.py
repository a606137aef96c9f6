"""shell_blocks.py SINEW SOURCE FOLDER: runs the blocks of commands in docs/, each in a fresh folder, where the cases that it names are
copied and `sinew` is the program; the tutorials are followed by follow.py. A block that needs something says it in comments above it,
which readers do not see:
    <!-- first: cp $clone/tests/docs/heart.yaml . -->   commands that make what the block begins with
    <!-- shorter: s/--samples 256/--samples 4/ -->       a script of sed: the same in less time
    <!-- not run: it needs two GPUs -->                  why it cannot run here
Commands that draw need ParaView and are left out; so are others whose program is not installed, and told. 77 (skipped) without gmsh."""
import glob
import os
import re
import shutil
import subprocess
import sys

PROGRAMS = r"(?:\./)?(?:sinew|gmsh|python3?|pip|ccx|sh|ffmpeg|cmake|cpack|ctest|docker|scp|micromamba|mpirun|srun|export|sudo|apt-get|build/\S+|#SBATCH)(?= |$)"
MARKER = re.compile(r"<!-- (first|shorter|not run): (.*) -->$")
TUTORIALS = ("first-part.md", "first-deck.md", "first-heart.md")


def blocks(path):
    """(line, commands, markers, the markers' line) of each block of commands, fenced as sh or indented."""
    lines, at = open(path, encoding="utf-8").read().split("\n"), 0
    while at < len(lines):
        fence = re.match(r"```(\w*)$", lines[at])
        if fence:
            end = next(k for k in range(at + 1, len(lines)) if lines[k].startswith("```"))
            if fence[1] == "sh":
                yield at + 1, lines[at + 1:end], marked(lines, at)
            at = end + 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip() or lines[at - 1].endswith("-->")):
            end = next((k for k in range(at, len(lines)) if not lines[k].startswith("    ")), len(lines))
            commands = [line[4:] for line in lines[at:end]]
            if any(re.match(PROGRAMS, line) for line in commands):
                yield at + 1, commands, marked(lines, at)
            at = end
        else:
            at += 1


def marked(lines, at):
    """The markers above line `at`, with a blank line between or none."""
    found, k = {}, at - 1
    while k >= 0 and (not lines[k].strip() or MARKER.match(lines[k])):
        if MARKER.match(lines[k]):
            found[MARKER.match(lines[k])[1]] = MARKER.match(lines[k])[2]
        elif found:
            break
        k -= 1
    return found


def run(command, folder, source):
    done = subprocess.run(["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env={**os.environ, "clone": source})
    return done.returncode, done.stdout


def missing(command):
    """The program that a command needs and this machine lacks, or None."""
    if re.match(r"sinew plot (?!.*--curves)", command):
        return "ParaView"
    word = command.split()[0]
    return None if "=" in word or word in ("export", ".") or shutil.which(word) else word


def try_block(where, commands, markers, folder, source):
    """None, or what is wrong."""
    text = "\n".join(commands)
    if "shorter" in markers:
        text = subprocess.run(["sed", "-E", markers["shorter"]], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.rstrip("\n")
        if text == "\n".join(commands):
            return "its 'shorter' changes nothing"
    for name in set(re.findall(r"\bcases/([\w-]+)", text)):
        shutil.copytree(os.path.join(source, "cases", name), os.path.join(folder, "cases", name), ignore=shutil.ignore_patterns("results*"))
    left_out, code, said = "", *(run(markers["first"], folder, source) if "first" in markers else (0, ""))
    if code:
        return f"its 'first' ends with {code}:\n{said}"
    for command in text.split("\n"):
        command = re.sub(r"\s+# .*", "", command)
        lacks = command and missing(command)
        if not command.strip() or lacks:
            left_out += f"; left out, for want of {lacks}: {command}" if lacks and lacks != "ParaView" else ""
            continue
        code, said = run(command, folder, source)
        if code:
            return f"'{command}' ends with {code}:\n{said}"
    print(f"{where}: ran{left_out}")
    return None


def main(sinew, source, work):
    if not shutil.which("gmsh"):
        print("skipped: no gmsh")
        return 77
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "bin"))
    os.symlink(os.path.realpath(sinew), os.path.join(work, "bin", "sinew"))
    os.environ.update(PATH=os.path.join(work, "bin") + os.pathsep + os.environ["PATH"], OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                      OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    bad, ran, not_run = 0, 0, 0
    for path in sorted(glob.glob(source + "/docs/*.md") + glob.glob(source + "/docs/*/*.md")):
        if os.path.basename(path) in TUTORIALS:
            continue
        used = 0
        for line, commands, markers in blocks(path):
            where, used = f"{os.path.relpath(path, source)}:{line}", used + len(markers)
            if "not run" in markers:
                not_run += 1
                continue
            folder = os.path.join(work, f"{ran}")
            os.makedirs(folder)
            wrong = try_block(where, commands, markers, folder, source)
            shutil.rmtree(folder)
            ran += 1
            if wrong:
                bad += 1
                print(f"FAILED: {where}: {wrong}")
        marks = len(re.findall(r"^<!-- (?:first|shorter|not run): ", open(path, encoding="utf-8").read(), re.M))
        if marks != used:
            bad += 1
            print(f"FAILED: {os.path.relpath(path, source)}: {marks} markers, of which {used} stand above a block of commands")
    print(f"{ran} blocks ran, {not_run} are marked as not run, {bad} failed")
    return 1 if bad or ran < 10 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
