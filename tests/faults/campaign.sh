#!/bin/sh
# Faults by the thousand; prints the table that docs/reliability.md keeps.
#   sh tests/faults/campaign.sh [--full] [BUILD] [options of fault_campaign, for example --kind kill-heart]
# Without --full it is a selection like that of CTest. TMPDIR=/dev/shm makes it some times faster.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
full=
if [ "${1:-}" = --full ]; then full=--full; shift; fi
build=$here/build
case "${1:-}" in ''|--*) ;; *) build=$1; shift;; esac
cmake --build "$build" --target fault_campaign > /dev/null
find_one() { find "$build" -name "$1" -type f -perm -u+x | head -n 1; }
echo "$("$(find_one sinew)" --version), $(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo 'no commit'), $(uname -sm)" >&2
exec "$(find_one fault_campaign)" "$(find_one sinew)" "$(find_one 'libio_shim.so')" "$(find_one 'libmem_shim.so')" $full "$@"
