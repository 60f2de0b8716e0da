#!/usr/bin/env bash
# Installs what building the program needs, builds Busline, and predicts a real run: an 8-rank solver that was traced with DUMPI on
# a cluster with 100 Mbit/s and 500 us, and what it would take if the network carried fewer messages at once.
set -euo pipefail
cd "$(dirname "$0")"

tools/install_packages.sh program
cmake --preset release -DBUSLINE_TESTS=OFF --log-level=WARNING >/dev/null
cmake --build --preset release --target busline -j "$(nproc)"

busline=build/release/busline
platform=platforms/examples/emulated-100mbit.json
trace=validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d

# From the Barrier before the solver's timed part to the Reduce behind it.
part=(--from MPI_Barrier:1 --to MPI_Reduce:1)

echo
echo "\$ $busline simulate $platform $trace ${part[*]}"
"$busline" simulate "$platform" "$trace" "${part[@]}"
echo
echo "In the real run this part took 238 ms (times.jsonl beside the trace)."

echo
echo "The same with 1, 2, 4 and unlimited buses (messages that the network carries at once):"
echo "\$ $busline simulate $platform $trace --set /network/buses=B --json"
echo
field() { sed -n "s/^  \"$1\": \([0-9]*\),\{0,1\}$/\1/p"; }
printf '  %-10s %16s %10s %22s\n' buses "run time [ms]" slowdown "waited for a bus [ms]"
unlimited_ps=
for buses in unlimited 4 2 1; do
  result=$("$busline" simulate "$platform" "$trace" --set "/network/buses=$buses" --json -q)
  run_time_ps=$(field run_time_ps <<<"$result")
  bus_wait_ps=$(sed -n 's/^    {"rank".*"bus_wait_ps":\([0-9]*\).*/\1/p' <<<"$result" | awk '{ sum += $1 } END { print sum + 0 }')
  : "${unlimited_ps:=$run_time_ps}"
  awk -v b="$buses" -v t="$run_time_ps" -v t0="$unlimited_ps" -v w="$bus_wait_ps" \
    'BEGIN { printf "  %-10s %16.3f %10.3f %22.3f\n", b, t / 1e9, t / t0, w / 1e9 }'
done
echo
echo "Next: $busline explain $platform, $busline simulate --help, docs/tutorial/getting-started.md"
