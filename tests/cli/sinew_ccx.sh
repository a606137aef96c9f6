#!/bin/sh
# sinew_ccx.sh SINEW SOURCE FOLDER: sinew-ccx leaves what programs look for that call CalculiX; where FreeCAD is installed, its results are
# those of a cantilever.
set -u
sinew=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work/home" && cd "$work" || exit 1
failed=0
bad() {
  echo "FAILED: $*"
  failed=1
}
export SINEW_PROGRAM="$sinew" SINEW_OPTIONS="--backend cpu"
ccx=$source/app/sinew-ccx
"$ccx" | grep -q CalculiX || bad "without words it does not say what FreeCAD looks for"
"$ccx" -v | grep -Eq '^[^0-9]*2\.[0-9]+' || bad "no version of CalculiX comes first"
SINEW_PROGRAM=/nowhere "$ccx" -i job 2>&1 | grep -q 'SINEW_PROGRAM' || bad "a missing program is not told"
cp "$source/cases/lever/deck.inp" job.inp
echo old >job.frd
"$ccx" "-i " job >said 2>&1 || { cat said; bad "the deck of a lever is not solved"; }
grep -q '^ -4  DISP' job.frd && grep -q '^ -4  STRESS' job.frd || bad "job.frd has no displacements or stress"
cp job.frd first.frd
"$ccx" -i job.inp >said 2>&1 && cmp -s job.frd first.frd || bad "the name with its ending has another result"
echo '*NODE, NSET' >broken.inp
touch broken.frd
"$ccx" -i broken >said 2>&1 && bad "a broken deck ends well"
[ -e broken.frd ] && bad "results of an earlier run stay behind a failure"
# A bar of one element, held at an end: forces to .dat, and frequencies in the columns of CalculiX.
cat >bar.inp <<'DECK'
*NODE, NSET=ALL
1, 0, 0, 0
2, 4, 0, 0
3, 4, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 4, 0, 1
7, 4, 1, 1
8, 0, 1, 1
*ELEMENT, TYPE=C3D8, ELSET=BODY
1, 1, 2, 3, 4, 5, 6, 7, 8
*NSET, NSET=WALL
1, 4, 5, 8
*MATERIAL, NAME=M
*ELASTIC
1000, 0.3
*DENSITY
1
*SOLID SECTION, ELSET=BODY, MATERIAL=M
*BOUNDARY
WALL, 1, 3
DECK
{ cat bar.inp && printf '%s\n' '*STEP' '*FREQUENCY' 3 '*NODE FILE' U '*END STEP'; } >modes.inp
{ cat bar.inp && printf '%s\n' '*STEP' '*STATIC' '*CLOAD' '2, 3, 1' '*NODE PRINT, NSET=WALL' RF '*END STEP'; } >force.inp
"$ccx" -i force >said 2>&1 && grep -qi 'forces (fx,fy,fz) for set WALL' force.dat || { cat said; bad "force.dat has no forces"; }
"$ccx" -i modes >said 2>&1 || { cat said; bad "the modes of a bar are not found"; }
awk -F, 'NR > 1 { printf "%.6e\n", $2 }' modes-sinew/modes.csv >known
sed -n '/E I G E N V A L U E/,$p' modes.dat | awk '/^ +[0-9]+ +[0-9.]+E/ { printf "%d %.6e\n", substr($0, 1, 7), substr($0, 40, 16) }' >read
[ "$(wc -l <known)" = 3 ] && awk 'NR == FNR { f[NR] = $1; next } { d = $2 - f[FNR]; if ($1 != FNR || d * d > 1e-10 * f[FNR] * f[FNR]) bad = 1 } END { exit bad || FNR != 3 }' known read ||
  { cat modes.dat; bad "frequencies are not where they are looked for"; }
[ $failed = 0 ] || exit 1
command -v freecadcmd >/dev/null || { echo "without FreeCAD"; exit 0; }
cat >part.py <<'PYTHON'
import os, FreeCAD
from femexamples import ccx_cantilever_faceload
from femtools import ccxtools
p = FreeCAD.ParamGet("User parameter:BaseApp/Preferences/Mod/Fem/Ccx")
p.SetBool("UseStandardCcxLocation", False)
p.SetString("ccxBinaryPath", os.environ["CCX"])
document = ccx_cantilever_faceload.setup(solvertype="ccxtools")
tools = ccxtools.FemToolsCcx(analysis=document.Analysis, solver=document.CalculiXccxTools)
tools.update_objects()
tools.setup_working_dir(os.getcwd() + "/freecad")
tools.write_inp_file()
code = tools.ccx_run()
tools.load_results()
result = [o for o in document.Objects if o.isDerivedFrom("Fem::FemResultObject")][-1]
# 8 m of 1 m x 1 m under 9 MN at the end: F L^3 / (3 E I) = 87.77 mm, and some shear less what the support holds
open("freecad.txt", "w").write("%d %.3f" % (code or 0, max(result.DisplacementLengths)))
PYTHON
mkdir freecad
HOME=$work/home CCX=$ccx freecadcmd part.py >said 2>&1
awk '{ exit !($1 == 0 && $2 > 87 && $2 < 88.5) }' freecad.txt || { tail -n 5 said; bad "FreeCAD has other displacements: $(cat freecad.txt)"; }
exit $failed
