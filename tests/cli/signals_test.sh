#!/usr/bin/env bash
# signals_test.sh BUSLINE FOLDER [TIMES]: commands that take seconds get SIGINT or SIGTERM, TIMES times each (default 2), each time later.
# They must end with 130 or 143, or finish, and leave no incomplete output. Prints how long the
# slowest took to end. Recreates FOLDER.
set -euo pipefail
busline=$1 folder=$2 times=${3:-2}
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

fail() {
  echo "signals_test: $*" >&2
  exit 1
}

platform=$source_tree/platforms/examples/emulated-100mbit.json
"$busline" generate halo --ranks 256 --iterations 2000 -o long.program -q

# Commands, and the file that each writes, or -.
commands=(
  "- simulate $platform long.program --model dimemas"
  "- simulate $platform long.program --why"
  "- simulate $platform long.program --model flow"
  "lanes.json simulate $platform long.program --timeline lanes.json"
  "out.dim convert long.program out.dim"
  "out.program generate halo --ranks 1024 --iterations 2000 -o out.program"
  "- inspect long.program"
  "- curve $platform long.program --set /nodes/0/count=256 --latency 1us..100us"
  "- study run --platform $platform --workload long.program --axis /network/buses=1..64:64"
  "results.sqlite study run --platform $platform --workload long.program --axis /network/buses=1..64:64 -o results.sqlite"
  "measured.json measure calibration --platform $platform -o measured.json"
  "- bench --operations 4000000"
)

slowest=0 slowest_command=
for entry in "${commands[@]}"; do
  read -r output command <<<"$entry"
  for ((i = 1; i <= times; ++i)); do
    for signal in INT TERM; do
      rm -f "$output"
      # shellcheck disable=SC2086  # words of a command
      "$busline" $command -q >page 2>messages </dev/null &
      child=$!
      sleep "0.$((i * 3 % 10))"
      begin=$(date +%s%N)
      kill -$signal $child 2>/dev/null || true
      code=0
      wait $child || code=$?
      took=$((($(date +%s%N) - begin) / 1000000))
      case $code in
        0) ;;
        130) [ $signal = INT ] || fail "$command: SIGTERM, but exit code 130" ;;
        143) [ $signal = TERM ] || fail "$command: SIGINT, but exit code 143" ;;
        *) fail "$command: SIG$signal, exit code $code: $(cat messages)" ;;
      esac
      # A study keeps its results, and the same command continues it; a measurement ends with its last complete suite.
      case $output in
        results.sqlite | measured.json) ;;
        *) [ $code -eq 0 ] || [ ! -e "$output" ] || fail "$command: $output is there after exit code $code" ;;
      esac
      if [ $took -gt $slowest ]; then
        slowest=$took
        slowest_command=$command
      fi
    done
  done
done
# says PATTERN WORD...: a command interrupted between two of many parts reports how many it finished.
says() {
  local pattern=$1 child code
  shift
  for ((i = 1; i <= 60; ++i)); do
    "$busline" "$@" >page 2>messages </dev/null &
    child=$!
    sleep "$(printf '0.%03d' $((i * 15)))"
    kill -INT $child 2>/dev/null || true
    code=0
    wait $child || code=$?
    if [ $code -eq 130 ] && grep -qxE "$pattern" messages; then return; fi
  done
  fail "$*: does not say '$pattern': $(cat messages)"
}
says 'busline: warning: interrupted: compared [0-9]+ of [0-9]+ run sets' \
  validate "$source_tree/validation/regression/platforms" "$source_tree/validation/golden/real_runs"
"$busline" measure calibration --platform "$platform" -o whole.json -q
says 'busline: warning: interrupted: simulated [0-9]+ of [0-9]+ suites' validate "$platform" whole.json

echo "signals_test: ${#commands[@]} commands, $((2 * times)) signals each; the slowest ended after $slowest ms (${slowest_command%% *})"
