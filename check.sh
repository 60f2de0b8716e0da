#!/usr/bin/env bash
# Installs what is missing, builds and tests: everything under the address and undefined-behaviour sanitizers, then in
# Release what users run, with real MPI, real browsers and an installation; and the daily loop of CONTRIBUTING.md.
# Warnings are errors here. Ends with the test runner's summary.
set -euo pipefail
cd "$(dirname "$0")"

tools/install_packages.sh tests
jobs=$(nproc)

# The tests of the emulated cluster say so themselves, but nobody reads what a skipped test says.
if [ "$(id -u)" -ne 0 ] || ! unshare --net --mount true 2>/dev/null; then
  echo "== no right to make network namespaces (root with CAP_SYS_ADMIN): the emulated cluster's round trip is left out"
elif ! { : <>/dev/net/tun; } 2>/dev/null; then
  echo "== no /dev/net/tun: the emulated cluster's round trip is left out"
fi

# build PRESET TARGET OPTION...: says how long it took.
build() {
  local preset=$1 target=$2 begin=$SECONDS
  shift 2
  echo "== $preset: configure and build"
  cmake --preset "$preset" -DBUSLINE_WERROR=ON -DBUSLINE_TESTS=ON --log-level=NOTICE "$@" >/dev/null
  cmake --build --preset "$preset" --target "$target" -j "$jobs" -- --quiet
  echo "== $preset: built in $((SECONDS - begin)) s"
}

build dev sim_test -DBUSLINE_UNIT_TESTS=ON
ctest --preset dev -R '^sim: unit tests' --progress
build asan all -DBUSLINE_UNIT_TESTS=ON
# The compiler uses what the tests leave of the processors: some of them wait for MPI, for signals or for one another.
# Release has no unit tests, which run with sanitizers.
build release all -DBUSLINE_UNIT_TESTS=OFF &
building=$!
ctest --preset asan -j "$jobs" --progress || { wait "$building"; exit 1; }
wait "$building"
ctest --preset release -j "$jobs"
