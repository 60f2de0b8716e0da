#!/usr/bin/env bash
# installed_test.sh BUILD FOLDER: installs the build into FOLDER, and uses what is there: the program, what describes it, and
# the library from a project of its own, which predicts what the program predicts. FOLDER is made anew.
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

# The program alone, without what is loaded when it is needed: it works, and says which package brings the rest.
cmake --install "$build" --prefix "$folder/core" --component core >>"$folder/install.log"
version=$("$folder/core/bin/busline" --version)
for package in busline-simgrid busline-mpi; do
  case $version in *missing*"install the package $package"*) ;; *) fail "the program alone does not name $package: $version" ;; esac
done
ldd "$folder/core/bin/busline" >"$folder/libraries.log"
! grep -E 'mpi|simgrid' "$folder/libraries.log" || fail "the program needs MPI or SimGrid"

cmake -S "$source/validation/installed" -B "$folder/predict" -DCMAKE_PREFIX_PATH="$folder/prefix" >"$folder/configure.log" 2>&1 ||
  fail "the project is not configured: $(cat "$folder/configure.log")"
cmake --build "$folder/predict" >"$folder/build.log" 2>&1 || fail "the project is not built: $(cat "$folder/build.log")"
run=("$folder/prefix/share/busline/platforms/examples/emulated-100mbit.json"
  "$source/validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d")
predicted=$("$folder/predict/predict" "${run[@]}")
expected=$("$busline" simulate "${run[@]}" --json -q | sed -n 's/^  "run_time_ps": \([0-9]*\),$/\1/p')
[ "$predicted" = "$expected" ] || fail "the library predicts $predicted ps, the program $expected ps"
