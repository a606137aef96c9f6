"""The Python blocks of docs/python.md, one after the other in one session, as a reader would type them. A block whose marker names
packages, <!-- example: needs pyvista -->, is left out where one of them is missing, and named. Run by tests/cli/python.sh in an empty folder."""
import importlib.util
import os
import re
import shutil
import sys

SOURCE = os.environ["SINEW_SOURCE"]


def main():
    with open(os.path.join(SOURCE, "docs/python.md"), encoding="utf-8") as file:
        page = file.read()
    blocks = re.findall(r"(?:<!-- example: needs ([^>]*) -->\n)?```python\n(.*?)```", page, re.DOTALL)
    if len(blocks) < 6:
        sys.exit(f"docs/python.md has {len(blocks)} Python blocks")
    if not shutil.which("gmsh"):
        print("skipped: no gmsh")
        sys.exit(77)
    shutil.copytree(os.path.join(SOURCE, "cases/first-part"), "cases/first-part", ignore=shutil.ignore_patterns("results*"))
    names, left_out = {}, []
    for needs, text in blocks:
        missing = [name for name in needs.split() if not importlib.util.find_spec(name)]
        if missing:
            left_out.append(f"a block was left out: no {', '.join(missing)}")
            continue
        line = page[:page.index(text)].count("\n")
        exec(compile("\n" * line + text, "docs/python.md", "exec"), names)
    if not (names["result"].displacement.max() > 0 and len(names["sweep"].table["tip"]) == 4 and not names["sweep"].failures):
        sys.exit("the last examples have other results")
    print(*left_out, sep="\n")


if __name__ == "__main__":
    main()
