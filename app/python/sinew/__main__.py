"""`python -m sinew`, and the command `sinew` of an installed wheel: becomes the program."""
import os
import sys

from .program import find


def main():
    program = find()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
