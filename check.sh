#!/usr/bin/env bash
# Installs what is missing, builds and runs every test: first under the address and undefined-behaviour sanitizers,
# then in Release. Warnings are errors here. Ends with the test runner's summary.
set -euo pipefail
cd "$(dirname "$0")"

tools/install_packages.sh
jobs=$(nproc)

# The tests of the emulated cluster say so themselves, but nobody reads what a skipped test says.
if [ "$(id -u)" -ne 0 ] || ! unshare --net --mount true 2>/dev/null; then
  echo "== no right to make network namespaces (root with CAP_SYS_ADMIN): the emulated cluster's round trip is left out"
elif ! { : <>/dev/net/tun; } 2>/dev/null; then
  echo "== no /dev/net/tun: the emulated cluster's round trip is left out"
fi
for preset in asan release; do
  echo "== $preset: configure and build"
  cmake --preset "$preset" -DBUSLINE_WERROR=ON --log-level=NOTICE
  cmake --build --preset "$preset" -j "$jobs"
done
echo "== asan: test"
ctest --preset asan -j "$jobs" --progress
echo "== release: test"
ctest --preset release -j "$jobs"
