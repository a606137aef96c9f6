#!/bin/sh
# What a page quotes as said by the program is said by it: each text in "..." in the first column of a table below
# "| message |" is in the sources, but for numbers and names, which stand there as ... or as digits.
# usage: messages.sh SOURCES PAGE...
set -u
root=$1
shift
find "$root/app" "$root/assembly" "$root/solver" -name '*.c' -exec cat {} + | tr -d '\n' |
  sed -e 's/" *"//g' -e 's/%[-0-9.*]*[a-z]*/~/g' >"${TMPDIR:-/tmp}/said.$$"
trap 'rm -f "${TMPDIR:-/tmp}/said.$$"' EXIT
failed=0 seen=0
for page; do
  awk '/^\| message /{on = 1; next} !/^\|/{on = 0} on && !/^\|---/{split($0, c, "|"); print c[2]}' "$page" |
    grep -o '"[^"]*"' | tr -d '"' >"${TMPDIR:-/tmp}/said.$$.page"
  while IFS= read -r quote; do
    seen=$((seen + 1))
    for part in $(printf '%s' "$quote" | sed -e 's/ \.\.\. /\n/g' -e 's/ [0-9.][0-9.]* /\n/g' | tr ' ' '_'); do
      part=$(printf '%s' "$part" | tr '_' ' ')
      grep -qF -- "$part" "${TMPDIR:-/tmp}/said.$$" && continue
      echo "$page: no message of the program has '$part'"
      failed=1
    done
  done <"${TMPDIR:-/tmp}/said.$$.page"
  rm -f "${TMPDIR:-/tmp}/said.$$.page"
done
[ "$seen" -gt 0 ] || { echo "no quoted message was found"; failed=1; }
exit $failed
