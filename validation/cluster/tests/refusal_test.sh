#!/usr/bin/env bash
# cluster.sh refuses before it changes anything, and says what to do. Argument: the build folder.
set -uo pipefail
cluster=$(dirname "$(readlink -f "$0")")/../cluster.sh
build=$1
failures=0

# expect CODE TEXT COMMAND...: the command ends with this code, says this text, and leaves things as they were.
expect() {
  local code=$1 text=$2 before after output
  shift 2
  before=$(ls /run/netns /run/busline-cluster 2>/dev/null)
  output=$("$@" 2>&1 </dev/null)
  local got=$?
  after=$(ls /run/netns /run/busline-cluster 2>/dev/null)
  if [ "$got" -ne "$code" ] || [[ $output != *"$text"* ]]; then
    echo "FAILED: $*"
    echo "  expected exit code $code and '$text'; got $got and:"
    echo "$output"
    failures=$((failures + 1))
  fi
  # Other clusters may come and go meanwhile: only ours counts.
  if [[ $after == *refuse* && $before != *refuse* ]]; then
    echo "FAILED: $* left something behind"
    failures=$((failures + 1))
  fi
}
up=("$cluster" --prefix refuse --build "$build" up 2)

expect 2 "unknown command 'upp'" "$cluster" upp
expect 2 "expected a small letter" "$cluster" --prefix 'a b' up 2
expect 0 'cluster.sh [--prefix NAME]' "$cluster" help

if [ "$(id -u)" -ne 0 ]; then
  expect 4 'only root may make network namespaces' "${up[@]}"
  [ "$failures" -eq 0 ] || exit 1
  echo 'SKIPPED: what root is told needs root to be tested'
  exit 77
fi

expect 4 'only root may make network namespaces' setpriv --reuid 65534 --regid 65534 --clear-groups "${up[@]}"

# The same with a PATH that lacks one program.
without() {
  local folder tool path
  folder=$(mktemp -d)
  for tool in bash env readlink dirname realpath id stat unshare setpriv flock timeout true ip mpirun mpirun.openmpi; do
    path=$(type -P "$tool") && [[ $tool != "$1"* ]] && ln -s "$path" "$folder/$tool"
  done
  shift
  PATH=$folder "$@"
  local code=$?
  rm -r "$folder"
  return $code
}
expect 4 "the program 'ip' is missing" without ip "${up[@]}"
expect 4 "the program 'flock' is missing" without flock "${up[@]}"
expect 4 "the program 'lmp' is missing: install the package lammps" \
  without lmp "${cluster%/*}/record_applications.sh" /nowhere
expect 2 'expected openmpi or mpich' "$cluster" --prefix refuse --build "$build" run 2 1 --mpi lam -- true
expect 2 'MPICH has only its own' "$cluster" --prefix refuse --build "$build" run 2 1 --mpi mpich --protocol eager -- true

if ! unshare --net --mount true 2>/dev/null; then
  expect 4 'this root may not make namespaces' "${up[@]}"
  [ "$failures" -eq 0 ] || exit 1
  echo 'SKIPPED: the rest needs the right to make namespaces'
  exit 77
fi
expect 4 'this root may not make namespaces' setpriv --bounding-set -sys_admin "${up[@]}"
if [ -e /dev/net/tun ]; then
  expect 4 '/dev/net/tun is not there or cannot be opened' \
    unshare --mount sh -c 'mount --bind /dev/null /dev/net/tun && exec "$@"' sh "${up[@]}"
  expect 4 'mpirun is missing' without mpirun "${up[@]}"
  if command -v mpirun >/dev/null; then
    expect 4 'cluster_switch is not there' "$cluster" --build /nowhere up 2
    expect 2 'expected a number of hosts from 1 to 64' "$cluster" --prefix refuse --build "$build" up 65
    expect 2 'lat=500: a unit is missing' "${up[@]}" lat=500
    expect 4 "there is no cluster 'refuse'" "$cluster" --prefix refuse --build "$build" net bus=2
    expect 4 "there is no cluster 'refuse'" "$cluster" --prefix refuse --build "$build" run 2 1 -- true
    expect 4 "there is no cluster 'refuse'" "$cluster" --prefix refuse --build "$build" exec h0 true
  fi
fi
expect 0 '' "$cluster" --prefix refuse --build "$build" down
[ "$failures" -eq 0 ]
