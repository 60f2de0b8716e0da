#!/usr/bin/env bash
# Writes the current output of the release build into the cases of tests/cli and measuring/harness, or into the
# named cases. Read the diff before you commit it.
set -euo pipefail
cd "$(dirname "$0")/.."
cases=("$@")
[ ${#cases[@]} -gt 0 ] || cases=(tests/cli/*.case measuring/harness/*.case)
build=$PWD/build/release
cmake --build --preset release --target busline busline-measure cli_cases
of_busline=() of_measure=()
for case in "${cases[@]}"; do
  case $case in
    *harness/*) of_measure+=("$case") ;;
    *) of_busline+=("$case") ;;
  esac
done
# update PROGRAM CASE...
update() {
  [ $# -eq 1 ] || "$build/cli_cases" --busline "$1" --source "$PWD" --scratch "$build/cli_scratch" --update "${@:2}"
}
update "$build/busline" "${of_busline[@]}"
update "$build/harness/busline-measure" "${of_measure[@]}"
git --no-pager diff --stat -- tests/cli measuring/harness
