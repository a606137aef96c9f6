#!/bin/sh
# python.sh SINEW SOURCE FOLDER SCRIPT.py: runs a test of the Python module in an empty FOLDER, by the first Python that has NumPy
# and h5py; 77 (skipped) without one.
set -u
sinew=$1 source=$2 work=$3 script=$4
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
for python in python3 /usr/bin/python3; do
  "$python" -c 'import numpy, h5py' >/dev/null 2>&1 || continue
  SINEW_PROGRAM=$sinew SINEW_SOURCE=$source PYTHONPATH=$source/app/python PYTHONDONTWRITEBYTECODE=1 exec "$python" -W ignore "$source/$script"
done
echo "skipped: no Python with NumPy and h5py (apt-get install python3-h5py)"
exit 77
