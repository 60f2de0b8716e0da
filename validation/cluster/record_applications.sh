#!/usr/bin/env bash
# Records applications that others wrote on emulated clusters. `record_applications.sh help` and docs/how-to/cluster.md
# say how to use it.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

usage() {
  cat <<'END'
record_applications.sh [OPTION...] FOLDER

records the programs of applications/openmpi.txt with the library's own protocol and writes a data set FOLDER/NAME-RANKS
for each network and number of ranks, packed as validation/golden keeps them. The programs come from Debian packages:
lammps, netpipe-openmpi, ptscotch, scotch, mplrs.

  --network 'NAME SETTING...'  instead of the two networks T and U; settings as for cluster.sh; may be repeated
  --ranks 'N...'        numbers of ranks ('2 4 8')
  --per-host N          ranks on each host (1); above 1 it is in the set's name, as T-8x2
  --also FILE           more programs, such as your own builds: lines as in applications/openmpi.txt, with full paths
  --mpi mpich           the programs of applications/mpich.txt, from the package netpipe-mpich2
  --measure FOLDER      as for record_runs.sh, which --mpi mpich needs
  --budget TIME, --repetitions N   as for record_runs.sh (2min, 3)
  --prefix NAME, --build FOLDER    as for cluster.sh
END
}

die() {
  printf 'record_applications.sh: %s\n' "$1" >&2
  exit "${2:-2}"
}

networks=() ranks='2 4 8' per_host=1 also=() mpi=openmpi budget=2min repetitions=3 passed=()
while [[ ${1-} == --* ]]; do
  [ $# -ge 2 ] || die "$1: a value is missing"
  case $1 in
    --network) networks+=("$2") ;;
    --ranks) ranks=$2 ;;
    --per-host) [[ $2 =~ ^[1-9]$ ]] || die "--per-host $2: expected 1 to 9"; per_host=$2 ;;
    --also) [ -r "$2" ] || die "--also $2: no such file"; also+=("$2") ;;
    --budget) budget=$2 ;;
    --repetitions) repetitions=$2 ;;
    --mpi) mpi=$2 ;;
    --prefix | --build | --measure) passed+=("$1" "$2") ;;
    *) die "unknown option $1" ;;
  esac
  shift 2
done
if [ $# -ne 1 ]; then
  usage
  [ "${1-}" = help ] || exit 2
  exit 0
fi
[ ${#networks[@]} -gt 0 ] || networks=('T rate=80Mbit/s lat=400us' 'U rate=40Mbit/s lat=1ms')
case $mpi in
  openmpi) tools='lmp:lammps NPopenmpi:netpipe-openmpi dgord:ptscotch gmk_m2:scotch mplrs:mplrs' ;;
  mpich) tools='NPmpich2:netpipe-mpich2' ;;
  *) die "--mpi $mpi: expected openmpi or mpich" ;;
esac
for tool in $tools xz:xz-utils; do
  command -v "${tool%%:*}" >/dev/null || die "the program '${tool%%:*}' is missing: install the package ${tool##*:}" 4
done

mkdir -p "$1"
folder=$(realpath "$1")
inputs=$(mktemp -d)
trap 'rm -rf "$inputs"' EXIT
cp "$here"/applications/* "$inputs"
list=$inputs/$mpi.txt
[ ${#also[@]} -eq 0 ] || cat "${also[@]}" >>"$list"
if [ "$mpi" = openmpi ]; then
  gmk_m2 250 250 "$inputs/grid.grf"
  # Points of the curve (t, t^2, ..., t^5): all are corners of their convex hull, which has as many facets as can be.
  awk -v points=50 'BEGIN {
    print "cyclic\nV-representation\nbegin\n" points, 6, "integer"
    for (t = 1; t <= points; t++) print 1, t, t^2, t^3, t^4, t^5
    print "end"
  }' >"$inputs/cyclic.ext"
fi

# What a recording leaves beside its document and trace.
pack() {
  rm -f "$1"/*/{warm-up,run,traced}*.{out,err} "$1"/*/load-*.sh
  xz -9 "$1/calibration.json" "$1"/*/trace/*.bin
}

for network in "${networks[@]}"; do
  read -r name settings <<<"$network"
  for count in $ranks; do
    set=$folder/$name-$count
    [ "$per_host" -eq 1 ] || set+=x$per_host
    "$here/record_runs.sh" --up "$(((count + per_host - 1) / per_host)) $settings" --programs "$list" --mpi "$mpi" \
      --protocol default --budget "$budget" --repetitions "$repetitions" "${passed[@]}" "$set" "$count" "$per_host"
    pack "$set"
  done
done
