#!/bin/sh
# readme.sh SINEW SOURCE FOLDER: every command of README runs from a fresh clone as it stands, but what installs, builds, and
# draws by ParaView; its first case file is that of cases/first-part; and it is short. docs/README.md lists
# each document once. 77 (skipped) without gmsh.
set -u
sinew=$1 source=$2 work=$3
command -v gmsh >/dev/null || { echo "skipped: no gmsh"; exit 77; }
rm -rf "$work"
mkdir -p "$work/clone" "$work/bin" && cd "$work/clone" || exit 1
mkdir cases
for case in first-part bi-ventricle kirsch blade; do cp -R "$source/cases/$case" cases && rm -rf "cases/$case/results"; done
ln -s "$(realpath "$sinew")" ../bin/sinew
mkdir build && ln -s "$(realpath "$sinew")" build/sinew
PATH=$work/bin:$PATH
words=$(wc -w <"$source/README.md")
[ "$words" -le 600 ] || { echo "README has $words words, at most 600"; exit 1; }
long=$(awk -F'|' '/^[|]/ && NF { for (k = 2; k < NF; ++k) if (split($k, w, " ") > 30) print NR }' "$source/README.md")
[ -z "$long" ] || { echo "README has cells of more than 30 words, in line" $long; exit 1; }
sed -n '/^```yaml$/,/^```$/p' "$source/README.md" | sed '1d;/^```$/,$d' >../case.yaml
sed -n '/^```sh$/,/^```$/p' "$source/README.md" | grep -E '^(sinew|python3 cases/)' >../commands
lines=$(wc -l <../case.yaml)
[ "$lines" -gt 8 ] || { echo "README shows a case of $lines lines"; exit 1; }
head -n "$lines" cases/first-part/case.yaml | cmp - ../case.yaml || { echo "README shows another case than cases/first-part/case.yaml"; exit 1; }
ran=0
while read -r line; do
  case $line in "sinew plot "*) continue ;; esac # ParaView
  sh -c "$line" >../said 2>&1 </dev/null || { cat ../said; echo "README's '$line' fails"; exit 1; }
  ran=$((ran + 1))
done <../commands
[ $ran -ge 10 ] || { echo "README shows $ran commands"; exit 1; }
for kind in elasticity heart; do
  grep -q "\`sinew init $kind my-" "$source/README.md" || { echo "README does not show 'sinew init $kind'"; exit 1; }
  sinew init $kind "my-$kind" >../said 2>&1 && sinew check "my-$kind" >../said 2>&1 || { cat ../said; echo "'sinew init $kind' fails"; exit 1; }
done
for document in "$source"/docs/*.md "$source"/docs/*/*.md; do
  name=${document#"$source/docs/"}
  [ "$name" = README.md ] || [ "$(grep -o "]($name)" "$source/docs/README.md" | wc -l)" = 1 ] ||
    { echo "docs/README.md must list $name once"; exit 1; }
done
for case in "$source"/cases/*/case.yaml; do
  name=$(basename "$(dirname "$case")")
  grep -q "($name)" "$source/cases/README.md" || { echo "cases/README.md does not name $name"; exit 1; }
done
[ -s cases/first-part/results/results.hdf ] || { echo "no result beside the case"; exit 1; }
