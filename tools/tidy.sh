#!/usr/bin/env bash
# Runs clang-tidy 14 with the checks of .clang-tidy on the named files, or on all.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset dev --log-level=WARNING >/dev/null
cmake --build --preset dev --target busline_version >/dev/null
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files '*.cpp')
# Tests may open the namespace that they test.
tests=() sources=()
for file in "${files[@]}"; do
  case $file in *_test.cpp) tests+=("$file") ;; *) sources+=("$file") ;; esac
done
tidy() { xargs -0 -r -n 1 -P "$(nproc)" clang-tidy-14 -p build/dev --quiet \
  --extra-arg=-Wno-unknown-warning-option "$@"; }
[ ${#sources[@]} -eq 0 ] || printf '%s\0' "${sources[@]}" | tidy
[ ${#tests[@]} -eq 0 ] || printf '%s\0' "${tests[@]}" | tidy --checks=-google-build-using-namespace
