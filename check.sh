#!/usr/bin/env bash
# Installs missing packages, builds and runs every test: first under the address and undefined-behaviour sanitizers,
# then in Release. Warnings are errors here. Ends with the test runner's summary.
set -euo pipefail
cd "$(dirname "$0")"

tools/install_packages.sh
jobs=$(nproc)

# The tests of the emulated cluster report this themselves, but output of skipped tests is easily missed.
if [ "$(id -u)" -ne 0 ] || ! unshare --net --mount true 2>/dev/null; then
  echo "== no permission to create network namespaces (root with CAP_SYS_ADMIN): skipping the emulated cluster's round trip"
elif ! { : <>/dev/net/tun; } 2>/dev/null; then
  echo "== no /dev/net/tun: skipping the emulated cluster's round trip"
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
