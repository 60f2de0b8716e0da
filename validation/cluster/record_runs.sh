#!/usr/bin/env bash
# Records a data set on an emulated cluster: what its network does, and how long programs take on it.
# `record_runs.sh help` and docs/how-to/cluster.md say how to use it.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

usage() {
  cat <<'END'
record_runs.sh [OPTION...] FOLDER RANKS PER_HOST

writes to FOLDER, which must be new or empty:
  cluster.txt          the network's settings, and how the programs were started
  calibration.json     measurements of the network, by busline-measure calibration
  APP/run-set.json     the runs of each program, with the trace of one more (docs/how-to/record.md)

  --up 'HOSTS SETTING...'  make the cluster for it, as cluster.sh up does, and remove it at the end; else one is up
  --budget TIME        of busline-measure calibration (4min)
  --no-trace           no traces
  --repetitions N      runs of each program (5)
  --mpi M              openmpi or mpich, as for cluster.sh (openmpi)
  --measure FOLDER     where busline-measure for that MPI was built (harness below --build)
  --protocol P         default, eager or eagerforced, as for cluster.sh (eagerforced; MPICH: default)
  --variant V          of the parameters of our own six applications: a or b (a)
  --only 'APP...'      some of the six; ring hangs with the default protocol
  --programs FILE      other programs instead of the six, whole runs; each line is RANKS NAME COMMAND..., where RANKS
                       is * or numbers such as 2,4. They start in a copy of FILE's folder
  --prefix NAME, --build FOLDER   as for cluster.sh
END
}

die() {
  printf 'record_runs.sh: %s\n' "$1" >&2
  exit "${2:-2}"
}

# Iterations, bytes and microseconds of computation of the two variants.
parameters() {
  case $1-$2 in
    a-jacobi2d) echo iters=20 size=32768 comp=10000 ;;
    a-ring) echo iters=30 size=65536 comp=4000 ;;
    a-fftlike) echo iters=8 size=16384 comp=5000 ;;
    a-cglike) echo iters=25 size=8192 comp=3000 ;;
    a-farm) echo iters=50 size=65536 comp=20000 ;;
    a-bucketsort) echo iters=8 size=16384 comp=10000 ;;
    b-jacobi2d) echo iters=15 size=98304 comp=15000 ;;
    b-ring) echo iters=25 size=24576 comp=3000 ;;
    b-fftlike) echo iters=6 size=40000 comp=8000 ;;
    b-cglike) echo iters=30 size=3000 comp=2000 ;;
    b-farm) echo iters=40 size=120000 comp=30000 ;;
    b-bucketsort) echo iters=6 size=30000 comp=6000 ;;
    *) die "expected a variant a or b, and one of jacobi2d, ring, fftlike, cglike, farm, bucketsort; not $1 and $2" ;;
  esac
}

trace=() up=() budget=4min repetitions=5 protocol=eagerforced variant=a list='' mpi=openmpi harness=''
prefix=bl build=$here/../../build/release
applications='jacobi2d ring fftlike cglike farm bucketsort'
while [[ ${1-} == --* ]]; do
  if [ "$1" = --no-trace ]; then
    trace=(--no-trace)
    shift
    continue
  fi
  [ $# -ge 2 ] || die "$1: a value is missing"
  case $1 in
    --repetitions) [[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || die "--repetitions $2: expected a number from 1"; repetitions=$2 ;;
    --protocol) protocol=$2 ;;
    --mpi) mpi=$2 ;;
    --measure) harness=$2 ;;
    --variant) variant=$2 ;;
    --budget) budget=$2 ;;
    --up) read -ra up <<<"$2" ;;
    --only) applications=$2 ;;
    --programs) list=$(realpath -e "$2") || die "--programs $2: no such file" ;;
    --prefix) prefix=$2 ;;
    --build) build=$2 ;;
    *) die "unknown option $1" ;;
  esac
  shift 2
done
if [ $# -ne 3 ]; then
  usage
  [ "${1-}" = help ] || exit 2
  exit 0
fi
ranks=$2 per_host=$3
# NAME COMMAND...
chosen=()
if [ -n "$list" ]; then
  while read -r counts program; do
    case ,$counts, in
      ,#*) ;;
      ,\*, | *,"$ranks",*) chosen+=("$program") ;;
    esac
  done <"$list"
  [ ${#chosen[@]} -gt 0 ] || die "$list has no program for $ranks ranks"
fi
[ -n "$list" ] || for application in $applications; do parameters "$variant" "$application" >/dev/null; done
mkdir -p "$1"
folder=$(realpath "$1")
[ -z "$(ls -A "$folder")" ] || die "$folder is not empty" 5
build=$(realpath -m "$build")
programs=$build/cluster

cluster() { "$here/cluster.sh" --prefix "$prefix" --build "$build" "$@"; }
measure=$(realpath -m "${harness:-$build/harness}")/busline-measure
[ "$mpi" = openmpi ] || protocol=default
run_options=(--mpi "$mpi" --protocol "$protocol")
[ -x "$measure" ] || die "$measure is not there: build it with 'cmake --build --preset release'" 4

scratch=$(mktemp -d)
errors=$scratch/errors
cleanup() {
  cd /
  rm -rf "$scratch"
  [ ${#up[@]} -eq 0 ] || cluster down
}
trap cleanup EXIT
[ ${#up[@]} -eq 0 ] || cluster up "${up[@]}"
cluster record >"$folder/cluster.txt"
if [ "$mpi" = mpich ]; then
  version=$(mpiexec.hydra --version | sed -n 's/ *Version: *//p')
else
  version=$(cluster exec head sh -c 'mpirun --version' | sed -n 's/.*) //p;q')
fi
echo "np=$ranks ppn=$per_host proto=$protocol nap_us=${CLUSTER_NAP_US:-50} rt=${CLUSTER_PRIORITY:-10}" \
  "mpi=$mpi-$version $(cluster protocol "$protocol")" \
  >>"$folder/cluster.txt"
echo "measuring the network"
# Its standard error is warnings of mpirun about process groups, unless it fails. A network of 100 Mbit/s takes 20 ms for
# 256 KiB, longer than any latency here.
cluster run "$ranks" "$per_host" "${run_options[@]}" -- "$measure" calibration --budget "$budget" \
  --largest 256KiB --concurrent 48KiB -o "$folder/calibration.json" >"$errors" 2>&1 </dev/null ||
  { cat "$errors" >&2; die 'the network could not be measured' 4; }
# A switch that has ended, or lost frames, spoils the set.
network_is_whole() { cluster status >"$errors" || die "$(tail -n 1 "$errors")" 4; }
network_is_whole

# The name, options of `record`, --, the program.
record_program() {
  local name=$1 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  "$measure" record -n "$repetitions" "${trace[@]}" -o "$folder/$name" --name "$name" \
    --machine "$(basename "$folder")" "${options[@]}" -- \
    "$here/cluster.sh" --prefix "$prefix" --build "$build" run "$ranks" "$per_host" "${run_options[@]}" -- '{}' "$@"
}
if [ -n "$list" ]; then
  cp -r "$(dirname "$list")" "$scratch/inputs"
  cd "$scratch/inputs"
  for program in "${chosen[@]}"; do
    read -ra words <<<"$program"
    record_program "${words[0]}" -- "${words[@]:1}"
  done
  network_is_whole
  exit 0
fi
for application in $applications; do
  read -ra words <<<"$(parameters "$variant" "$application")"
  # From the applications' own barrier to where they gather their times.
  record_program "$application" --from MPI_Barrier:1 --to MPI_Reduce:-3 -- "$programs/$application" "${words[@]}"
done
network_is_whole
