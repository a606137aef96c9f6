#!/bin/sh
# many.sh SINEW [DECKS]: 2,000 random decks by CalculiX and by Sinew, with a new seed; what differs is kept, whole and shrunk.
exec python3 "$(dirname "$0")/differ.py" "${1:?usage: many.sh SINEW [DECKS]}" --decks "${2:-2000}" --keep differing
