#!/usr/bin/env bash
# install_packages.sh [program | tests]: the one list of packages (Debian 12). `program` is what building the program needs;
# `tests`, the default, adds what check.sh needs. Installs those that are missing, as root or through sudo; does nothing,
# and needs no network, when all are there.
set -euo pipefail

packages=(
  g++ cmake ninja-build
  nlohmann-json3-dev libfmt-dev libexpected-dev
  libopen-trace-format2-dev
  zlib1g-dev liblzma-dev libboost-dev libboost-graph-dev libpugixml-dev libsqlite3-dev
)
case ${1:-tests} in
  program) ;;
  tests)
    packages+=(
      make clang-14 libclang-rt-14-dev lld-14 doctest-dev libsimgrid-dev otf2-tools eztrace pajeng
      libopenmpi-dev openmpi-bin gfortran iproute2 shellcheck
      chromium chromium-driver python3
      zsh fish groff-base
      python3-dev pybind11-dev python3-numpy python3-pandas python3-matplotlib
      python3-pytest mypy python3-pyflakes python3-setuptools python3-wheel python3-pip
      jupyter-nbconvert python3-ipykernel python3-mpi4py
    )
    ;;
  *)
    echo "usage: install_packages.sh [program | tests]" >&2
    exit 2
    ;;
esac

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "install_packages: this system has no apt-get; install these yourself: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install_packages: run as root, or install sudo; missing: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" </dev/null; }

echo "installing ${missing[*]}"
# Package lists of the last day are fresh enough; older ones may name files that the mirror has dropped.
if [ -z "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -mtime -1 -print -quit 2>/dev/null)" ]; then
  apt update
fi
apt install --no-install-recommends "${missing[@]}" || { apt update && apt install --no-install-recommends "${missing[@]}"; }
