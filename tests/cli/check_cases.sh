# check_cases.sh SINEW CASES: 'sinew check' ends with 0 for every case there is.
bad=0
for case in "$2"/*/*.yaml; do
  "$1" check "$case" >/dev/null 2>&1 || { echo "$case: $?"; bad=1; }
done
exit $bad
