#!/usr/bin/env bash
# fortran_traces_test.sh LAUNCHER TRACER C-FOLDER FORTRAN-PROGRAM... -- APPLICATION...
# Traces each application in C and in Fortran. The traces must be the same bytes: calls, arguments, sizes of datatypes,
# counts. Left out are the clocks, the time of the run in the header, and MPI_Init's argv, which a Fortran program does
# not pass.
set -euo pipefail
read -ra launcher <<<"$1"
tracer=$2 c_programs=$3
shift 3
fortran=()
while [ "$1" != -- ]; do
  fortran+=("$1")
  shift
done
shift
clock_end=16 # of the header, in bytes

traces=$(mktemp -d)
trap 'rm -r "$traces"' EXIT
# trace NAME PROGRAM ARGUMENT...
trace() {
  local name=$1
  shift
  "${launcher[@]}" -n "$ranks" env LD_PRELOAD="$tracer" DUMPI_FILEROOT="$traces/$name/run" DUMPI_TIMESTAMP=none \
    DUMPI_MPI_Init=disable "$@" >"$traces/$name.out"
}

digits() { od -An -v -tx1 | tr -d ' \n'; }
# content FOLDER RANK: the trace as digits, without what tells when it was made. The time of 8 bytes that the run began
# stands before the host's name, each rank's own.
content() {
  local host file
  host=$(sed -n 's/^hostname=//p' "$1"/*.meta)
  printf -v file '%04d.bin' "$2"
  tail -c "+$((clock_end + 1))" "$1"/*-"$file" | digits |
    sed -E "s/0{8}[0-9a-f]{8}($(printf '%04x' "${#host}")$(printf %s "$host" | digits))/\1/"
}

ranks=2 # with more, the order of answers in farm is a matter of luck
for application in "$@"; do
  trace c "$c_programs/$application" iters=6 size=800 comp=10
  for i in "${!fortran[@]}"; do
    trace "$i" "${fortran[$i]}" "$application" 6 800 10
    for ((rank = 0; rank < ranks; ++rank)); do
      if [ "$(content "$traces/c" "$rank")" != "$(content "$traces/$i" "$rank")" ]; then
        echo "$application, rank $rank: ${fortran[$i]} leaves another trace than the program in C" >&2
        exit 1
      fi
    done
    size=$(stat -c %s "$traces/$i"/*0000.bin)
    echo "$application: the trace of ${fortran[$i]##*/} is that of the program in C ($size bytes)"
    rm -r "${traces:?}/$i"
  done
  rm -r "$traces/c"
done
