#!/usr/bin/env bash
# A study gives the same bytes whoever runs it: one process, MPI with 1 to 4 ranks, and MPI that is killed again and
# again. Usage: team_test.sh BUSLINE SOURCE_TREE MPIRUN
set -euo pipefail
busline=$1 source=$2 mpirun=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2054  # commas are values of an axis
study=(study run --platform "$source/platforms/examples/emulated-100mbit.json"
  --workload "$source/validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d"
  --axis /network/buses=1..30:30 --axis /network/latency=1us..1ms:20:log "--axis" "/mapping=fill,round-robin" --quiet)
rows() { "$busline" study export jsonl "$1" -o -; }

"$busline" "${study[@]}" -o "$work/alone.sqlite" >/dev/null
rows "$work/alone.sqlite" >"$work/expected"
for ranks in 1 2 3 4; do
  "$mpirun" -n "$ranks" "$busline" "${study[@]}" -o "$work/$ranks.sqlite" >/dev/null
  rows "$work/$ranks.sqlite" | cmp - "$work/expected"
done

# Wherever the kill falls, what is stored is whole, and is not run again.
for try in 1 2 3 4 5; do
  "$mpirun" -n 3 "$busline" "${study[@]}" -o "$work/killed.sqlite" >/dev/null 2>&1 &
  run=$!
  sleep "0.$((try + 4))"
  pkill -KILL -P "$run" || true
  kill -KILL "$run" 2>/dev/null || true # it may wait for ever for ranks that it did not see come
  wait "$run" || true
  while pkill -KILL -f "$work/killed.sqlite"; do sleep 0.05; done # ranks that came later
done
"$mpirun" -n 3 "$busline" "${study[@]}" -o "$work/killed.sqlite" >/dev/null
rows "$work/killed.sqlite" | cmp - "$work/expected"
echo "$(wc -l <"$work/expected") points"

# What is wrong is said once, and nobody waits for ever.
if "$mpirun" -n 3 "$busline" study run "$work/no-study.json" 2>"$work/errors"; then exit 1; fi
[ "$(grep -c 'busline: .*no-study.json' "$work/errors")" = 1 ]

# Who cannot take part is told, and does not keep the others; if nobody is left who could, the study has failed.
"$mpirun" -n 2 "$busline" "${study[@]:0:${#study[@]}-1}" -o "$work/left.sqlite" : \
  -n 1 "$busline" study run "$work/no-study.json" >/dev/null 2>"$work/errors"
grep -q "^busline: warning: process 2 left: $work/no-study.json: cannot be read: No such file or directory$" "$work/errors"
rows "$work/left.sqlite" | cmp - "$work/expected"
code=0
"$mpirun" -n 1 "$busline" "${study[@]}" -o "$work/none.sqlite" : \
  -n 1 "$busline" study run "$work/no-study.json" >"$work/page" 2>/dev/null || code=$?
grep -qx 'study: 0 of 1,200 points' "$work/page"
[ "$code" = 4 ]
