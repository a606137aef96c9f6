#!/bin/sh
# readme.sh SINEW SOURCE FOLDER: README's first example runs from a fresh clone as it stands: its case file is that of
# cases/first-part, and its commands work from the root. 77 (skipped) without gmsh.
set -u
sinew=$1 source=$2 work=$3
command -v gmsh >/dev/null || { echo "skipped: no gmsh"; exit 77; }
rm -rf "$work"
mkdir -p "$work/clone/cases" "$work/bin" && cd "$work/clone" || exit 1
cp -R "$source/cases/first-part" cases && rm -rf cases/first-part/results
ln -s "$(realpath "$sinew")" ../bin/sinew
PATH=$work/bin:$PATH
awk '/^## A heart of your own/ { exit } on; /^## A part of your own/ { on = 1 }' "$source/README.md" >../part
sed -n '/^```yaml$/,/^```$/p' ../part | sed '1d;$d' >../case.yaml
sed -n '/^```sh$/,/^```$/p' ../part | grep '^sinew ' >../commands
lines=$(wc -l <../case.yaml)
[ "$lines" -gt 8 ] || { echo "README shows a case of $lines lines"; exit 1; }
head -n "$lines" cases/first-part/case.yaml | cmp - ../case.yaml || { echo "README shows another case than cases/first-part/case.yaml"; exit 1; }
ran=0
while read -r line; do
  case $line in "sinew check "* | "sinew run "*) ;; *) continue ;; esac # pictures need ParaView
  sh -c "$line" >../said 2>&1 </dev/null || { cat ../said; echo "README's '$line' fails"; exit 1; }
  ran=$((ran + 1))
done <../commands
[ $ran -ge 2 ] || { echo "README shows $ran commands"; exit 1; }
[ -s cases/first-part/results/results.hdf ] || { echo "no result beside the case"; exit 1; }
