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
  blade) echo --field von-mises --warp 10 --view 0.4,-0.6,1 ;;
  lateral-buckling) echo --field displacement --step 1 --view 1,-0.5,0.4 ;;
  fretting-cylinder) echo --field stress-xy --warp 0 --box=-0.6,0.6,-0.45,0.45 ;;
  roller-on-block) echo --field von-mises --warp 0 --mirror --box=-20,20,-20,12 ;;
  bolted-flange) echo --field von-mises --warp 100 --view 0.7,-1,0.5 ;;
  towed-rod) echo --field stress-xx --warp 0 --step 7 --box=-0.05,1.05,-0.06,0.07 ;;
  laminated-strip) echo --field stress-xx --warp 3 --view 0.5,-1.2,0.6 ;;
  rotating-disc) echo --field von-mises --warp 60 --mirror ;;
  bimetal) echo --field stress-xx --warp 10 --box=0,25,-3,5 ;;
  boundary-layer) echo --view 0.3,-1.2,0.6 ;;
  cooks-membrane) echo --warp 1 --range=0,0.35 ;;
  cooks-membrane-finite) echo --warp 1 ;;
  bracket-reloaded) echo --field principal-1 --time 2 ;;
  necking-bar) echo --field plastic-strain --warp 1 --mirror ;;
  residual-stress-sphere) echo --field stress-zz --warp 0 ;;
  cooks-membrane-plastic) echo --field plastic-strain --warp 1 --range=0,0.04 ;;
  fda-monodomain) echo --field potential ;;
  heat-cylinder | bracket) echo ;;
  heat-decay) echo --step 1 ;;
  hertz-cylinder | hertz-sphere) echo --field von-mises --warp 40 ;;
  kirsch) echo --field stress-xx --warp 0 --mirror --box=-4,4,-3,3 ;;
  euler-column) echo --field displacement --step 1 ;;
  free-block) echo --field displacement --step 1 ;;
  eikonal | niederer | niederer-bidomain | scar) echo --field activation ;;
  induction) echo --field potential --time 560 ;;
  ring-beat) echo --field tension --time 100 --mirror ;;
  imported-cells) echo --field potential --time 10 --pixels 900,320 ;;
  atrium) echo --field activation --view=0.6,-1,0.45 ;;
  opencarp-ventricle) echo --field activation --view 0.6,-1.2,0.5 ;;
  nafems-fv32) echo --field displacement --step 2 ;;
  nafems-le1) echo --field stress-yy --warp 0 ;;
  nafems-le10) echo --field stress-yy --view 0.6,-1.2,0.9 ;;
  nafems-le11) echo --field stress-zz --view=-0.5,-1.1,0.5 ;;
  roller-on-rubber) echo --warp 1 ;;
  snap-fit) echo --field von-mises --warp 1 --time 1.8 --range=0,12 ;;
  inflated-sphere | balloon) echo --field von-mises --warp 1 ;;
  pressed-block) echo --warp 1 --mirror ;;
  contact-patch) echo --field von-mises --warp 0 --view 1,-1.2,0.5 ;;
  press-fit) echo --field von-mises --warp 0 ;;
  friction-block) echo --field stress-xy --warp 0 ;;
  land-3) echo --field displacement --warp 1 --view 0.3,-1,0.2 ;;
  fda-bidomain) echo --field extracellular ;;
  virtual-electrodes) echo --field potential --mirror --box=-8,8,-8,8 --range=-1.6,1.6 ;;
  land-1) echo --warp 1 --view 0.5,-1.2,0.3 ;;
  land-2 | cylinder-pump) echo --warp 1 ;;
  dropped-block) echo --warp 1 --step 7 ;;
  rivlin-cube) echo --field displacement --warp 1 --view 1,-1.2,0.7 ;;
  twisted-bar) echo --warp 1 --view 1,-1.2,0.5 ;;
  purkinje) echo --field activation --cut 0,1,0 --view=0,-1,0.3 ;;
  plate-with-hole) echo --warp 60 --mirror --box=-40,40,-30,30 ;;
  struck-bar) echo --field stress-xx --warp 5000 --step 14 ;;
  thick-cylinder) echo --field stress-yy ;;
  thick-cylinder-plastic) echo --field stress-yy ;;
  tied-rings) echo --field stress-yy ;;
  timoshenko-cantilever) echo --field stress-xx ;;
  esac
}

[ $# -gt 0 ] || set -- atrium balloon bi-ventricle bimetal blade bolted-flange boundary-layer bracket bracket-reloaded contact-patch cooks-membrane cooks-membrane-finite cooks-membrane-plastic cylinder-pump dropped-block eikonal euler-column fda-bidomain fda-monodomain free-block fretting-cylinder friction-block heat-cylinder heat-decay hertz-cylinder hertz-sphere imported-cells induction inflated-sphere kirsch laminated-strip land-1 land-2 land-3 lateral-buckling left-ventricle muscle-ring nafems-fv32 nafems-le1 nafems-le10 nafems-le11 necking-bar niederer niederer-bidomain opencarp-ventricle \
  plate-with-hole press-fit pressed-block purkinje residual-stress-sphere ring-beat rivlin-cube roller-on-block roller-on-rubber rotating-disc scar snap-fit struck-bar thick-cylinder thick-cylinder-plastic tied-rings timoshenko-cantilever towed-rod twisted-bar virtual-electrodes
for name; do
  "$sinew" run "$here/$name/case.yaml" --output "$work/$name" --quiet
  # shellcheck disable=SC2046
  "$sinew" plot "$work/$name" --output "$here/$name/picture.png" $(options "$name")
done
case " $* " in *" bracket "*)
  "$sinew" run "$here/bracket/load-cases.yaml" --output "$work/envelope" --quiet
  "$sinew" plot "$work/envelope" --output "$here/bracket/envelope.png" --step 7 --warp 0 ;;
esac
for name in bracket bi-ventricle; do
  if [ -d "$work/$name" ]; then "$sinew" plot "$work/$name" --output "$here/../docs/pictures/$name.png" --quiet --pixels 800,533; fi
done
