#!/bin/sh
# serve.sh SINEW FOLDER: sinew serve answers each request by one line, goes on after commands that fail, runs where it is told,
# hands an input on, leaves no numbers of one run to the next, and stops on request.
set -u
sinew=$1 work=$2
rm -rf "$work"
mkdir -p "$work/part" && cd "$work" || exit 1
failed=0
bad() {
  echo "FAILED: $*"
  failed=1
}
for name in plate stiff; do
  cat >part/$name.yaml <<CASE
version: 1
mesh: {grid: [9, 5], size: [2, 1]}
physics: elasticity
model: plane-stress
materials: [{on: body, young: $([ $name = plate ] && echo 1000 || echo 70e9), poisson: 0.3, thickness: 1}]
boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]
output: {probes: [{name: tip, at: [2, 0.5], field: displacement-x}]}
CASE
  "$sinew" run part/$name.yaml --quiet --output alone-$name || bad "$name alone"
done
case_text=$(sed 's/"/\\"/g; s/$/\\n/' part/plate.yaml | tr -d '\n')
cat >requests <<REQUESTS
{"words": ["run", "plate.yaml", "--quiet", "--output", "../first"], "folder": "part"}
{"words": ["run", "missing.yaml"]}
{"words": ["run", "stiff.yaml", "--output", "../stiff"], "folder": "part"}
["run"]
{"words": "run"}
{"words": ["run", "-", "--quiet", "--output", "read"], "input": "$case_text"}
{"words": ["run", "-"]}
{"words": ["sweep", "part/plate.yaml", "--over", "solver.rtol=[1]"]}
{"words": ["list", "elements"], "folder": "nowhere"}
{"words": ["list", "elements"], "dir": "."}
{"words": ["frun"]}
{"words": [
{"words": ["run", "part/plate.yaml", "--quiet", "--output", "last"]}
REQUESTS
"$sinew" serve <requests >answers 2>said || bad "ended with $?"
[ -s said ] && { bad "said"; cat said; }
sed 's/.*"code": \([0-9]*\).*/\1/' answers | tr '\n' ' ' >codes
[ "$(cat codes)" = "0 3 0 2 2 0 3 2 9 2 2 3 0 " ] || { bad "codes $(cat codes)"; cat answers; }
has() { sed -n "$1p" answers | grep -q -- "$2" || { bad "answer $1 has no '$2'"; sed -n "$1p" answers; }; }
has 2 'missing.yaml: cannot open'
has 3 '"out": ".*results .*stiff/results.hdf'
has 8 "'sinew sweep' goes on as another program"
has 9 "the folder 'nowhere' of a request"
has 11 "did you mean 'run'"
for name in first read last; do cmp $name/probes.csv alone-plate/probes.csv || bad "$name differs from the run alone"; done
cmp stiff/probes.csv alone-stiff/probes.csv || bad "the stiff plate differs from the run alone"

mkfifo line
"$sinew" serve <line >/dev/null 2>said & pid=$!
exec 3>line
kill -TERM $pid
wait $pid
code=$?
exec 3>&-
[ $code = 10 ] || [ $code = 143 ] || bad "stopped with $code" # 143: before it had a handler
exit $failed
