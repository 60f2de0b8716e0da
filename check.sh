#!/usr/bin/env bash
# Installs what is missing, builds and runs every test: first under the address and undefined-behaviour sanitizers,
# then in Release. Warnings are errors here. Ends with the test runner's summary.
set -euo pipefail
cd "$(dirname "$0")"

tools/install_packages.sh
jobs=$(nproc)
for preset in asan release; do
  echo "== $preset: configure and build"
  cmake --preset "$preset" -DBUSLINE_WERROR=ON --log-level=WARNING
  cmake --build --preset "$preset" -j "$jobs"
done
echo "== asan: test"
ctest --preset asan -j "$jobs" --progress
echo "== release: test"
ctest --preset release -j "$jobs"
