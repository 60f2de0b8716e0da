#!/usr/bin/env bash
# The platforms here match calibrate's output for the sets' measurements, byte for byte. Argument: the program.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
"$here/calibrate_sets.sh" --busline "$1" "$made" "$here"/../golden/real_{runs,apps}/*/
diff -r "$here/platforms" "$made" && exit 0
echo "rewrite them with: validation/regression/calibrate_sets.sh validation/regression/platforms validation/golden/real_{runs,apps}/*/"
exit 1
