#!/usr/bin/env bash
# Writes what the release build prints now into validation/cli/*.case, or into the cases that are named. Read the
# difference before you commit it.
set -euo pipefail
cd "$(dirname "$0")/.."
cases=("$@")
[ ${#cases[@]} -gt 0 ] || cases=(validation/cli/*.case)
build=$PWD/build/release
cmake --build --preset release --target busline cli_cases
"$build/cli_cases" --busline "$build/busline" --source "$PWD" --scratch "$build/cli_scratch" --update "${cases[@]}"
git --no-pager diff --stat -- validation/cli
