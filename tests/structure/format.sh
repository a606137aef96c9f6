#!/bin/sh
# Every C and CUDA source is as clang-format 14 leaves it; other versions break a few lines elsewhere.
#   format.sh SOURCES
cd "$1" || exit 1
format=
for name in clang-format-14 clang-format; do
  command -v $name >/dev/null 2>&1 && $name --version | grep -q 'version 14\.' && format=$name && break
done
[ -n "$format" ] || { echo "skipped: no clang-format 14 (apt-get install clang-format-14)"; exit 77; }
list() { # a copy without .git lists its files by find
  git ls-files -co --exclude-standard -- "$@" 2>/dev/null || find . -path './build*' -prune -o -type f -print
}
list '*.c' '*.h' '*.cu' '*.cuh' | grep -E '\.(c|h|cu|cuh)$' | grep -v '^\./build' >"${TMPDIR:-/tmp}/sinew-format.$$"
trap 'rm -f "${TMPDIR:-/tmp}/sinew-format.$$"' EXIT
n=$(wc -l <"${TMPDIR:-/tmp}/sinew-format.$$")
[ "$n" -gt 300 ] || { echo "only $n sources were found"; exit 1; }
xargs -P 2 -n 60 "$format" --dry-run -Werror <"${TMPDIR:-/tmp}/sinew-format.$$" ||
  { echo "as it should be: $format -i FILES"; exit 1; }
