#!/usr/bin/env bash
# Line and branch coverage by all tests, for each room: builds the preset `coverage`, runs the tests, counts with gcovr (which
# Debian has). A page for each file is in build/coverage/report.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v gcovr >/dev/null || {
  echo "coverage: the program 'gcovr' is missing: install the package gcovr" >&2
  exit 2
}
build=build/coverage
cmake --preset coverage --log-level=NOTICE
cmake --build --preset coverage -j "$(nproc)"
find $build -name '*.gcda' -delete
# The last two link code built with a compiler that counts nothing.
ctest --preset coverage -j "$(nproc)" -E 'formatted|an installed Busline|a static program' || echo "coverage: not all tests passed" >&2

# Tests and code that only they use do not count, nor do branches taken only by exceptions, which every library call has.
mkdir -p $build/report
gcovr --root . --object-directory $build --gcov-ignore-parse-errors -j "$(nproc)" --exclude-throw-branches --exclude-unreachable-branches \
  --filter '(sim|models|platforms|workloads|validation|studies|cli)/' \
  --exclude '.*_test\.cpp' --exclude '.*/test_[a-z_]*\.[ch]pp' --exclude '.*_main\.cpp' --exclude 'tests/fuzz/.*' --exclude 'tests/fuzz/.*' \
  --json $build/coverage.json --html-details $build/report/index.html
echo
printf '%-12s %16s %18s\n' room "lines" "branches"
# row NAME FILTER
row() {
  # gcovr removes any file with the name of its output; as root, even /dev/null.
  gcovr --root . -a $build/coverage.json --filter "$2" --print-summary --output $build/room.txt | awk -v room="$1" '
    { gsub(/[()]/, "") }
    $1 == "lines:" { lines = $2; all_lines = $6 }
    $1 == "branches:" { branches = $2; all_branches = $6 }
    END { printf "%-12s %6s of %6s %8s of %6s\n", room, lines, all_lines, branches, all_branches }'
}
for room in sim models platforms workloads validation studies cli; do row $room "$room/"; done
row all '.*'
echo "pages: $build/report/index.html"
