#!/usr/bin/env bash
# Builds and runs the cluster programs with MPICH, from the headers in third_party. check.sh does the same with Open MPI.
# Needs the packages libmpich-dev and mpich in addition to those that check.sh installs.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in mpicxx.mpich mpiexec.mpich; do
  if ! command -v "$program" >/dev/null; then
    echo "check_mpich: the program '$program' is missing; install the packages libmpich-dev and mpich" >&2
    exit 1
  fi
done
build=build/measure-mpich
cmake --preset measure -B "$build" -DMPI_CXX_COMPILER=mpicxx.mpich -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)" \
  -DBUSLINE_VENDORED=ON -DBUSLINE_WERROR=ON
cmake --build "$build" -j "$(nproc)"

results=$(mktemp -d)
trap 'rm -r "$results"' EXIT
suites=$PWD/measuring/mpi/same_form.skampi
measure=$PWD/$build/harness/busline-measure
cd "$results"
mpiexec.mpich -n 2 "$measure" skampi "$suites" -q -o skampi.json --skampi-out skampi.out
mpiexec.mpich -n 2 "$measure" calibration --largest 16B --concurrent 16B --min-repetitions 2 --max-repetitions 2 --warmup 1 -q -o calibration.json
mpiexec.mpich -n 2 "$measure" linktest --size 1KiB -q -o linktest.json --sion linktest.sion
# ZiaTest needs two nodes; this machine acts as both.
printf 'first\nsecond\n' >nodes
PBS_NODEFILE=nodes "$measure" ziatest 1 "mpiexec.mpich -host localhost -n {ranks}" --image 1MiB -q -o ziatest.json
ls -l
echo "check_mpich: all kinds of measurement ran"
