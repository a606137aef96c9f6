#!/bin/sh
# What a new user types in the first minutes, with the built program.
#   first_use.sh SINEW FOLDER
# 77 (skipped) where the gmsh program is missing.
set -u
sinew=$1 work=$2
command -v gmsh >/dev/null 2>&1 || { echo "skipped: no gmsh"; exit 77; }
[ -x "$sinew" ] || { echo "no program: $sinew"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY
failed=0
# says CODE TEXT WORDS...: the program, called with these words, ends with CODE and says TEXT.
says() {
  code=$1 text=$2
  shift 2
  out=$("$sinew" "$@" 2>&1 </dev/null)
  got=$?
  if [ "$got" != "$code" ]; then echo "sinew $*: ended with $got, not $code: $out"; failed=1; fi
  case $out in *"$text"*) ;; *) echo "sinew $*: should say '$text', says: $out"; failed=1 ;; esac
}
there() { [ -e "$1" ] || { echo "$1 is missing"; failed=1; }; }

# ---- cases to start from: they run at once and hold their own rows ----
says 0 "a case of elasticity to start from" init bracket
says 0 "sinew run plate" init heat plate
says 0 "a case of heart" init heart
says 0 "a case of heart" init sheet heart
says 0 "sinew run 'my case'" init "my case"
says 9 "exists already" init heat plate
says 2 "allowed: elasticity, heat, heart" init magnet here
says 2 "did you mean 'heart'?" init hart here
says 2 "did you mean 'heart'?" init here hart
says 0 "did you mean 'heart'? 'sinew init heart FOLDER'" init hart
for kind in bracket plate heart; do
  there $kind/case.yaml
  there $kind/case.schema.json
  says 0 "ok" verify $kind --threads 2
done
grep -q 'order: 2' bracket/case.yaml || { echo "the first case has linear elements"; failed=1; }

# ---- a folder, and names that are nearly right ----
says 0 "bracket/results" run bracket -j 2
there bracket/results/results.hdf
says 0 "tip" run bracket -o other --set mesh.order=1 --set 'output.probes+={name: end, at: [60, 0, 50], field: displacement-z}'
grep -q ',end' other/probes.csv || { echo "the added probe has no column"; failed=1; }
says 5 "--overwrite" run bracket
says 0 "displacement" info bracket
says 0 "displacement" info bracket/results
says 2 "sinew check bracket/case.yaml" info bracket/case.yaml
says 3 "did you mean 'bracket/case.yaml'?" run bracket/case
says 3 "did you mean 'bracket/case.yaml'?" check bracket/case.yml
says 3 "mesh: bracket.geo" run bracket/bracket.geo
says 3 "without a case.yaml" run .
mkdir two
cp plate/case.yaml two/a.yaml
cp plate/case.yaml two/b.yml
(cd bracket && out=$("$sinew" run 2>&1); case $out in *"did you mean 'sinew run case.yaml'?"*) ;; *) echo "$out"; exit 1 ;; esac) || failed=1
says 3 "several cases and no case.yaml" check two
rm two/b.yml
cp plate/wall.geo two/
says 0 "quality" check two/
cp two/a.yaml two/a.yml && rm two/a.yaml
says 0 "quality" check two/a.yml

# ---- each case of a folder has results of its own, found by the case, by the folder, and by name ----
says 0 "two/results-a" run two/a.yml
there two/results-a/results.hdf
says 0 "temperature" info two
says 0 "" convert two/a.yml two/a.vtu --quiet
there two/a.vtu
says 0 "two/results-b" run two/a.yml --output two/results-b
says 9 "holds several results" convert two two/b.vtu
says 0 "" convert two/results-b two/b.vtu --quiet
says 2 "did you mean 'sinew run bracket/case.yaml'?" bracket/case.yaml
says 5 "there is a result already" verify bracket -o bracket/results
says 0 "ok" verify bracket -o bracket/results --overwrite

# ---- Ctrl-C: the line that tells how to go on holds every option, and works ----
"$sinew" run plate --threads 2 --set time.step=1 --set "title=it's warm" --output long --backend cpu --quiet >said 2>&1 &
pid=$!
i=0
while [ ! -s long/probes.csv ] && [ $i -lt 200 ]; do
  sleep 0.2
  i=$((i + 1))
done
sleep 0.5
kill -INT $pid
wait $pid
[ $? = 10 ] || { echo "a stopped run should end with 10: $(cat said)"; failed=1; }
line="run plate --backend cpu --threads 2 --output long --set time.step=1 --set 'title=it'\\''s warm' --quiet --resume"
grep -qF "$line" said || { echo "should say '$line': $(cat said)"; failed=1; }

# ---- completion and manual page ----
if command -v bash >/dev/null 2>&1; then
  completed() { # wanted words...
    wanted=$1
    shift
    got=$(SINEW="$sinew" bash -c '. <("$SINEW" help --completion); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sinew; echo "${COMPREPLY[*]}"' bash "$@")
    case " $got " in *" $wanted "*) ;; *) echo "completion of '$*' should have '$wanted', has '$got'"; failed=1 ;; esac
  }
  completed run sinew r
  completed --overwrite sinew run --o
  completed cuda sinew run --backend c
  completed pmg sinew bench p
  completed --matrix sinew bench spmv --m
  completed ionic sinew list i
  completed bracket/case.yaml sinew run bracket/case
  completed bench sinew help b
  case " $(SINEW="$sinew" bash -c '. <("$SINEW" help --completion); COMP_WORDS=(sinew bench heat --m); COMP_CWORD=3; _sinew; echo "${COMPREPLY[*]}"') " in
    *--matrix*) echo "completion of 'bench heat' offers --matrix"; failed=1 ;;
  esac
fi
if command -v groff >/dev/null 2>&1; then
  "$sinew" help --man | groff -man -Tutf8 -ww >page 2>warnings || failed=1
  [ ! -s warnings ] || { echo "the manual page: $(cat warnings)"; failed=1; }
fi
exit $failed
