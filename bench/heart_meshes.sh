#!/bin/sh
# Hearts of about 3,000, 5,000, 30,000 and 50,000 nodes for `sinew bench heart --meshes FOLDER`, as in the ELL-WARP paper: the
# left ventricle of cases/left-ventricle at the size of a rabbit's (a third), by Gmsh.
#   sh bench/heart_meshes.sh FOLDER
set -eu
folder=${1:?usage: sh bench/heart_meshes.sh FOLDER}
case=$(dirname "$0")/../cases/left-ventricle/mesh.geo
mkdir -p "$folder"
geo=$(mktemp --suffix .geo)
trap 'rm -f "$geo"' EXIT
for size in 3k:3.42 5k:2.86 30k:1.4 50k:1.17; do
  sed "s/^h = .*/h = ${size#*:};/" "$case" >"$geo"
  gmsh -3 "$geo" -setnumber Mesh.ScalingFactor 0.333333333 -format msh41 -bin -o "$folder/ventricle-${size%:*}.msh" \
    -v 2
done
