#!/usr/bin/env bash
# Installs missing packages, builds and runs every test: first under the address and undefined-behaviour sanitizers,
# then in Release. Warnings are errors here. Ends with the test runner's summary.
set -euo pipefail
cd "$(dirname "$0")"

tools/install_packages.sh tests
jobs=$(nproc)

# The tests of the emulated cluster report this themselves, but output of skipped tests is easily missed.
if [ "$(id -u)" -ne 0 ] || ! unshare --net --mount true 2>/dev/null; then
  echo "== no permission to create network namespaces (root with CAP_SYS_ADMIN): skipping the emulated cluster's round trip"
elif ! { : <>/dev/net/tun; } 2>/dev/null; then
  echo "== no /dev/net/tun: skipping the emulated cluster's round trip"
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
ctest --preset asan -j "$jobs" --progress
# The unit tests have run with sanitizers.
build release all -DBUSLINE_UNIT_TESTS=OFF
ctest --preset release -j "$jobs"
