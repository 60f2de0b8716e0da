#!/usr/bin/env bash
# Formats every C++ file with clang-format 14; with --check only lists unformatted files.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run --Werror)
git ls-files -z -co --exclude-standard '*.cpp' '*.hpp' ':!third_party' | xargs -0 -n 64 -P "$(nproc)" clang-format-14 "${mode[@]}"
