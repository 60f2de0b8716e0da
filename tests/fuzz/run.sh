#!/usr/bin/env bash
# Fuzzes all readers, one after the other (docs/explanation/hardening.md).
#
#   tests/fuzz/run.sh FOLDER [--seconds N | --runs N] [--minimise] [TARGET...]
#
# FOLDER keeps findings between runs: FOLDER/corpus/TARGET, inputs that reach new code, and
# FOLDER/findings, inputs that reveal a fault. --seconds is for each target (default 60), in processor time
# if nothing else runs; --minimise reduces each corpus to what is needed. Programs come from BUSLINE_FUZZ_BUILD
# (default build/fuzz). Exit code 1: there are findings.
set -euo pipefail
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
fuzzer=${BUSLINE_FUZZ_BUILD:-$source_tree/build/fuzz}/busline_fuzz

usage() {
  sed -n '2,10p' "$0" >&2
  exit 2
}

[ $# -ge 1 ] || usage
folder=$1
shift
limit=(-max_total_time=60)
minimise=no
targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) limit=(-max_total_time="${2:?}"); shift ;;
    --runs) limit=(-runs="${2:?}"); shift ;;
    --minimise) minimise=yes ;;
    -*) usage ;;
    *) targets+=("$1") ;;
  esac
  shift
done
# The program lists its targets.
[ ${#targets[@]} -gt 0 ] || read -ra targets < <(BUSLINE_FUZZ='?' "$fuzzer" -runs=0 2>&1 | sed -n 's/^BUSLINE_FUZZ must be one of //p')
mkdir -p "$folder/findings"

# Files of the repository that a target can read: those of seeds.txt and its corpus.
copy_seeds() {
  local target pattern file
  while read -r target pattern; do
    [ "$target" = "$1" ] || continue
    for file in "$source_tree"/$pattern; do
      cp "$file" "$2/$(sha1sum < "$file" | cut -c1-40)"
    done
  done < "$source_tree/tests/fuzz/seeds.txt"
  for file in "$source_tree/tests/fuzz/corpus/$1"/*; do
    [ ! -f "$file" ] || cp "$file" "$2/$(sha1sum < "$file" | cut -c1-40)"
  done
}

# More than 64 MiB at once, or 1 GiB in total with the sanitizer's memory, or a second for one input, is a finding; but data
# packed by xz may take 128 MiB (workloads/files/unpack.cpp).
limits_of() {
  local most=64
  [ "$1" != packed ] || most=130
  echo "-malloc_limit_mb=$most -rss_limit_mb=1024 -timeout=1 -max_len=8192 -entropic=0 -print_final_stats=1"
}
found=0
for target in "${targets[@]}"; do
  corpus=$folder/corpus/$target
  mkdir -p "$corpus"
  copy_seeds "$target" "$corpus"
  log=$folder/$target.log
  outcome=good
  read -ra limits < <(limits_of "$target")
  BUSLINE_FUZZ=$target "$fuzzer" "${limits[@]}" "${limit[@]}" -artifact_prefix="$folder/findings/$target-" "$corpus" \
    > "$log" 2>&1 || outcome="A FINDING: $log"
  [ "$outcome" = good ] || found=1
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [ "$minimise" = yes ] && [ "$outcome" = good ]; then
    mkdir "$corpus.least"
    BUSLINE_FUZZ=$target "$fuzzer" -merge=1 "${limits[@]}" "$corpus.least" "$corpus" >> "$log" 2>&1
    rm -r "$corpus"
    mv "$corpus.least" "$corpus"
  fi
  printf '%-18s %10s executions, %5d inputs kept, %s\n' "$target" "${executions:-?}" "$(find "$corpus" -type f | wc -l)" "$outcome"
done
exit $found
