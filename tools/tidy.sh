#!/usr/bin/env bash
# Runs clang-tidy 14 with the checks of .clang-tidy: on the files that are named, or on all.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset dev --log-level=WARNING >/dev/null
cmake --build --preset dev --target busline_version >/dev/null
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files '*.cpp')
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-14 -p build/dev --quiet \
  --extra-arg=-Wno-unknown-warning-option
