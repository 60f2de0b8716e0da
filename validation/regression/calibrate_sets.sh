#!/usr/bin/env bash
# Platforms for data sets, each from the measurements of its network alone, without any program's times.
set -euo pipefail

usage() {
  cat <<'END'
calibrate_sets.sh [--busline PROGRAM] PLATFORMS SET...

writes PLATFORMS/NAME.json for each SET/NAME, a folder with calibration.json (or calibration.json.xz) and cluster.txt
as record_runs.sh writes them. Where cluster.txt says that Open MPI was told which algorithms to use
("proto=eagerforced"), calibrate is told, too. Then

  busline validate PLATFORMS SET...

predicts the runs of all sets.
END
}

busline=$(dirname "$(readlink -f "$0")")/../../build/release/busline
if [ "${1-}" = --busline ] && [ $# -ge 2 ]; then
  busline=$2
  shift 2
fi
if [ $# -lt 2 ]; then
  usage
  [ "${1-}" = help ] || exit 2
  exit 0
fi
platforms=$1
shift
mkdir -p "$platforms"

# The settings of `cluster.sh protocol eagerforced` in our terms (docs/reference/algorithms.md).
forced=MPI_Barrier=recursive-doubling,MPI_Bcast=binomial,MPI_Reduce=binomial,MPI_Allreduce=recursive-doubling
forced+=,MPI_Alltoall=pairwise,MPI_Alltoallv=pairwise

for set in "$@"; do
  known=()
  if grep -q 'proto=eagerforced' "$set/cluster.txt"; then known=(--algorithm "$forced"); fi
  name=$(basename "$set")
  measured=$set/calibration.json
  [ -e "$measured" ] || measured+=.xz
  "$busline" calibrate -q "$measured" --name "$name" -o "$platforms/$name.json" "${known[@]}"
done
