#!/usr/bin/env bash
# describe_test.sh BUSLINE FOLDER [BUSLINE-MEASURE]: completion in a real bash; checks the generated files with zsh, fish and groff,
# where they are installed. Recreates FOLDER.
set -euo pipefail
busline=$1 folder=$2 measure=${3:-}
rm -rf "$folder"
mkdir -p "$folder/man"

fail() {
  echo "describe_test: $*" >&2
  exit 1
}

# completes EXPECTED WORD...: bash's completions of the last word, separated by spaces.
completes() {
  local expected=$1
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  "_$1"
  [ "${COMPREPLY[*]}" = "$expected" ] || fail "'$*' completes to '${COMPREPLY[*]}', expected '$expected'"
}

for shell in bash zsh fish; do "$busline" completion $shell >"$folder/busline.$shell"; done
# shellcheck source=/dev/null
. "$folder/busline.bash"
completes "simulate" busline si
completes "calibrate" busline cal
completes "run" busline study ru
completes "--slice" busline study run --sl
completes "base best" busline study show --against ""
completes "best" busline study show --against = be
completes "--json" busline study show --against base --js
completes "--quiet" busline simulate --json --qu
completes "bash zsh fish" busline completion ""
completes "curve" busline schema cu
completes "" busline simulate --timeline ""
completes "" busline simulate cluster.jso
completes "--timeline --timeline-ranks" busline simulate cluster.json trace.dim --timel

if [ -n "$measure" ]; then
  for shell in bash zsh fish; do "$measure" completion $shell >"$folder/busline-measure.$shell"; done
  # shellcheck source=/dev/null
  . "$folder/busline-measure.bash"
  completes "skampi" busline-measure sk
  completes "--sion --sion-version" busline-measure linktest --sio
fi

if command -v zsh >/dev/null; then
  for script in "$folder"/*.zsh; do
    program=$(basename "$script" .zsh)
    zsh -n "$script"
    [ "$(zsh -fc "autoload -Uz compinit; compinit -D; . $script; echo \$_comps[$program]")" = "_$program" ] ||
      fail "zsh does not take $script"
  done
fi
if command -v fish >/dev/null; then
  for script in "$folder"/*.fish; do fish -n "$script"; done
  offered=$(HOME=$folder fish -c "source $folder/busline.fish; complete -C 'busline study ex'" | cut -f1)
  [ "$offered" = export ] || fail "fish offers '$offered', expected 'export'"
fi

"$busline" man -o "$folder/man"
for page in busline busline-simulate busline-study-run; do
  [ -s "$folder/man/$page.1" ] || fail "there is no page $page"
done
if [ -n "$measure" ]; then
  "$measure" man -o "$folder/man"
  for page in busline-measure busline-measure-record; do
    [ -s "$folder/man/$page.1mpi" ] || fail "there is no page $page of real MPI"
  done
fi
if command -v groff >/dev/null; then
  for page in "$folder"/man/*; do
    warnings=$(groff -ww -man -Tutf8 -z "$page" 2>&1)
    [ -z "$warnings" ] || fail "$warnings"
  done
fi
