#!/usr/bin/env bash
# static_test.sh FOLDER: the link command of the preset 'static' has no shared library. Builds nothing. Recreates FOLDER.
# Exit code 77: this machine lacks static libraries that it needs.
set -euo pipefail
folder=$1
rm -rf "$folder"
cd "$(dirname "$0")/../.."
if ! cmake --preset static -B "$folder" >"$folder.log" 2>&1; then
  tail -3 "$folder.log"
  exit 77
fi
link=$(ninja -C "$folder" -t commands busline | tail -1)
for word in $link; do
  case $word in
    *.so | *.so.*)
      echo "static_test: the program would be linked with $word" >&2
      exit 1
      ;;
  esac
done
[[ $link == *" -static "* ]] || {
  echo "static_test: the program would not be linked statically: $link" >&2
  exit 1
}
