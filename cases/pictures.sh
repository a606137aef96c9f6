#!/bin/sh
# Makes picture.png of the cases that are shown by a field again, and those of docs/pictures, by `sinew plot`:
# sh cases/pictures.sh PROGRAM [CASE...]. Strips of several times are drawn by film.py, curves by the scripts beside their cases.
set -eu
sinew=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

options() {
  case $1 in
  bimetal) echo --field stress-xx --warp 10 --box=0,25,-3,5 ;;
  boundary-layer) echo --view 0.3,-1.2,0.6 ;;
  cooks-membrane) echo --warp 1 --range=0,0.35 ;;
  fda-monodomain) echo --field potential ;;
  heat-cylinder | bracket) echo ;;
  heat-decay) echo --step 1 ;;
  kirsch) echo --field stress-xx --warp 0 --mirror --box=-4,4,-3,3 ;;
  nafems-le1) echo --field stress-yy --warp 0 ;;
  nafems-le10) echo --field stress-yy --view 0.6,-1.2,0.9 ;;
  nafems-le11) echo --field stress-zz --view=-0.5,-1.1,0.5 ;;
  plate-with-hole) echo --warp 60 --mirror --box=-40,40,-30,30 ;;
  thick-cylinder) echo --field stress-yy ;;
  timoshenko-cantilever) echo --field stress-xx ;;
  esac
}

[ $# -gt 0 ] || set -- bi-ventricle bimetal boundary-layer bracket cooks-membrane fda-monodomain heat-cylinder heat-decay kirsch left-ventricle nafems-le1 nafems-le10 nafems-le11 \
  plate-with-hole thick-cylinder timoshenko-cantilever
for name; do
  "$sinew" run "$here/$name/case.yaml" --output "$work/$name" --quiet
  # shellcheck disable=SC2046
  "$sinew" plot "$work/$name" --output "$here/$name/picture.png" $(options "$name")
done
for name in bracket bi-ventricle; do
  if [ -d "$work/$name" ]; then "$sinew" plot "$work/$name" --output "$here/../docs/pictures/$name.png" --quiet --pixels 800,533; fi
done
