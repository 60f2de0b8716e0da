#!/usr/bin/env bash
# Pages of all kinds of documents, opened in a browser. Arguments: the program, the source tree.
set -euo pipefail
program=$1 source=$2
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
platform=$source/platforms/examples/emulated-100mbit.json
runs=$source/validation/golden/real_runs/A_r100_l500_8x1_eager
cd "$made"

# 1,000 points: as many as are to answer at once.
"$program" study run -q --platform "$platform" --workload '{"generate": "halo", "ranks": 8}' -o study.sqlite \
  --axis /network/buses=1,2,3,4,5,6,8,12,16,unlimited --axis /network/latency=1us..10ms:20:log --axis /nodes/0/links=1,2,3,4,8 >study.txt
"$program" study run -q --platform "$platform" --workload '{"generate": "halo", "ranks": 8}' -o sampled.sqlite \
  --axis /network/latency=1us..10ms:20:log --axis '/network/bandwidth=1 Mbps..1 Gbps:5:log' --axis /model=dimemas,ideal,flow \
  --combine latin --samples 40 >sampled.txt
"$program" simulate "$platform" "$runs/dumpi_jacobi2d" --json >run.json
"$program" simulate "$platform" "$runs/dumpi_jacobi2d" --timeline timeline.json >timeline.txt
# So many states that they are drawn in steps, and messages that are left out.
"$program" generate halo --ranks 144 --iterations 60 -o halo.program >halo.txt
"$program" simulate "$platform" halo.program --set /nodes/0/count=144 --timeline long.json >long.txt
"$program" inspect "$runs/dumpi_jacobi2d" --stats --json >traffic.json
"$program" validate "$source/validation/regression/platforms/A_r100_l500_8x1_eager.json" "$runs" --json >validation.json
"$program" measure linktest --platform "$platform" -n 8 -o linktest.json >linktest.txt
"$program" measure ziatest 1 --platform "$platform" --scaling -o ziatest.json >ziatest.txt
# A name that would do harm if it were read as HTML.
sed 's|"workload": "[^"]*"|"workload": "</script><img src=x onerror=alert(1)>\\u202e\\"\&"|' run.json >hostile.json
grep -q onerror hostile.json

"$program" report study.sqlite -o study.html
"$program" report sampled.sqlite run.json timeline.json long.json traffic.json validation.json linktest.json "$source/validation/golden/real_runs/J_r150_l300_8x1_default/calibration.json" ziatest.json hostile.json -o all.html
size=$(stat -c %s study.html)
[ "$size" -lt 3000000 ] || { echo "study.html has $size bytes, expected less than 3 MB"; exit 1; }
"$source/studies/report/page_test.py" study.html all.html
