#!/usr/bin/env bash
# The platforms here are what calibrate makes of the sets' measurements, to the byte. Argument: the program.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
"$here/calibrate_sets.sh" --busline "$1" "$made" "$here"/../golden/real_runs/*/
diff -r "$here/platforms" "$made" && exit 0
echo "write them anew with: validation/regression/calibrate_sets.sh validation/regression/platforms validation/golden/real_runs/*/"
exit 1
