#!/usr/bin/env bash
# installed_test.sh BUILD FOLDER: installs the build into FOLDER and uses it: the program, its documentation, and
# the library from a separate project, whose predictions must match the program's. Recreates FOLDER.
set -euo pipefail
build=$1 folder=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$folder"
mkdir -p "$folder"

fail() {
  echo "installed_test: $*" >&2
  exit 1
}

cmake --install "$build" --prefix "$folder/prefix" >"$folder/install.log"
for file in share/man/man1/busline.1 share/man/man1/busline-study-run.1 share/bash-completion/completions/busline \
  share/zsh/site-functions/_busline share/fish/vendor_completions.d/busline.fish share/doc/busline/copyright; do
  [ -s "$folder/prefix/$file" ] || fail "$file was not installed"
done
busline=$folder/prefix/bin/busline
[ "$("$busline" --version)" = "$("$build/busline" --version)" ] || fail "what is installed lacks parts of what was built"

# The program alone, without the parts loaded on demand: it works, and names the package with the rest.
cmake --install "$build" --prefix "$folder/core" --component core >>"$folder/install.log"
version=$("$folder/core/bin/busline" --version)
for package in busline-simgrid busline-mpi; do
  case $version in *missing*"install the package $package"*) ;; *) fail "the program alone does not name $package: $version" ;; esac
done
ldd "$folder/core/bin/busline" >"$folder/libraries.log"
! grep -E 'mpi|simgrid' "$folder/libraries.log" || fail "the program needs MPI or SimGrid"

cmake -S "$source/docs/examples/what_if" -B "$folder/what_if" -DCMAKE_PREFIX_PATH="$folder/prefix" >"$folder/configure.log" 2>&1 ||
  fail "the project is not configured: $(cat "$folder/configure.log")"
cmake --build "$folder/what_if" >"$folder/build.log" 2>&1 || fail "the project is not built: $(cat "$folder/build.log")"
run=("$folder/prefix/share/busline/platforms/examples/emulated-100mbit.json"
  "$source/validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d")
predicted=$("$folder/what_if/what_if" "${run[@]}" /network/buses unlimited 4 1)
expected=$(for buses in unlimited 4 1; do
  "$busline" simulate "${run[@]}" --set "/network/buses=$buses" --json -q | sed -n "s/^  \"run_time_ps\": \([0-9]*\),$/$buses \1/p"
done)
[ "$predicted" = "$expected" ] || fail "the library predicts $predicted, the program $expected"
wrong=$("$folder/what_if/what_if" "${run[@]}" /network/busses 4 2>&1) && fail "the library takes a place that is not there"
[[ $wrong == *"did you mean"* ]] || fail "the library says of a place that is not there: $wrong"
