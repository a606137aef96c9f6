#!/bin/sh
# What stored times cost: a run in time stored every EVERY against one stored at its END only, in turn, the least of ROUNDS.
#   sh bench/output_cost.sh SINEW CASE.yaml EVERY END ROUNDS [more arguments of sinew run]
# sh bench/output_cost.sh build/sinew cases/left-ventricle/case.yaml 5 600 5 --backend cpu --threads 1
# Steps and files by the clock of the run (its report.json: solve + write), and processor time of the whole program.
set -eu
sinew=$1 case=$2 every=$3 end=$4 rounds=$5
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number() { sed -n "s/^ *\"$1\": \([0-9.eE+-]*\),*\$/\1/p" "$2" | tail -1; }

# one FILE INTERVAL: appends "steps files processor" to FILE
one() {
  file=$1 interval=$2
  shift 2
  times > "$work/before"
  "$sinew" run "$case" --overwrite --quiet --output "$work/out" --set "time.end=$end" --set "output.every=$interval" "$@" 2> "$work/said" ||
    { cat "$work/said" >&2; exit 1; }
  times > "$work/after"
  echo "$(number solve "$work/out/report.json") $(number write "$work/out/report.json") $(tail -1 "$work/before") $(tail -1 "$work/after")" |
    awk '{ for (k = 3; k <= 6; ++k) { split($k, t, /[ms]/); s[k] = 60 * t[1] + t[2] }
           print $1, $2, s[5] + s[6] - s[3] - s[4] }' >> "$work/$file"
}
round=0
while [ "$round" -lt "$rounds" ]; do
  one end "$end" "$@"
  one often "$every" "$@"
  round=$((round + 1))
done
awk -v every="$every" '
  { sum = $1 + $2; f = FILENAME ~ /often$/
    if (!n[f]++ || sum < clock[f]) { clock[f] = sum; write[f] = $2 }
    if (n[f] == 1 || $3 < cpu[f]) cpu[f] = $3 }
  END {
    printf "%-22s %12s %12s %12s\n", "", "clock, s", "in files, s", "processor, s"
    printf "%-22s %12.4f %12.4f %12.3f\n", "stored at the end", clock[0], write[0], cpu[0]
    printf "%-22s %12.4f %12.4f %12.3f\n", "stored every " every " ms", clock[1], write[1], cpu[1]
    printf "%-22s %11.1f%% %12s %11.1f%%\n", "cost", 100 * (clock[1] / clock[0] - 1), "", 100 * (cpu[1] / cpu[0] - 1) }
' "$work/end" "$work/often"
