#!/usr/bin/env bash
# Makes an empty Debian 12 in a folder, puts a clone of this repository into it, and runs ./quickstart.sh there, then, with
# --check, ./check.sh. Prints the time of each. The clone contains only what is committed.
set -euo pipefail

usage="usage: tools/try_in_debian.sh [--check] [--mirror URL] FOLDER
  FOLDER         becomes the root of a Debian, about 3 GB; it must be empty or not be there
  --check        run ./check.sh, too, which takes some 20 minutes on two cores
  --mirror URL   where packages come from [http://deb.debian.org/debian]"
die() {
  echo "try_in_debian: $1" >&2
  [ $# -eq 1 ] || echo "$2" >&2
  exit 2
}

mirror=http://deb.debian.org/debian scripts=(quickstart.sh) folder=
while [ $# -gt 0 ]; do
  case $1 in
    --check) scripts+=(check.sh) ;;
    --mirror)
      [ $# -gt 1 ] || die "--mirror needs a URL" "$usage"
      mirror=$2
      shift
      ;;
    -h | --help)
      echo "$usage"
      exit 0
      ;;
    -*) die "unknown option '$1'" "$usage" ;;
    *)
      [ -z "$folder" ] || die "'$1' is one folder too many" "$usage"
      folder=$1
      ;;
  esac
  shift
done
[ -n "$folder" ] || die "FOLDER is missing" "$usage"
[ "$(id -u)" -eq 0 ] || die "needs root, to make a system and to enter it: run it with sudo"
for program in debootstrap git unshare; do
  command -v $program >/dev/null || die "the program '$program' is missing: install the package ${program/unshare/util-linux}"
done
mkdir -p "$folder"
[ -z "$(ls -A "$folder")" ] || die "$folder is not empty: name another folder, or remove it"
folder=$(cd "$folder" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)

times=()
# timed NAME COMMAND...
timed() {
  local name=$1 begin=$SECONDS
  shift
  echo "== $name"
  "$@" || {
    echo "try_in_debian: $name failed after $((SECONDS - begin)) s; its files are in $folder" >&2
    exit 1
  }
  times+=("$(printf '%-28s %6d s' "$name" $((SECONDS - begin)))")
}

# A minimal system: the scripts must install everything else.
debian() { debootstrap --variant=minbase bookworm "$folder" "$mirror" >"$folder.log" 2>&1 || { tail "$folder.log" >&2 && false; }; }
# As after an installation: files that a machine has but this variant lacks.
network() {
  cp --dereference /etc/resolv.conf "$folder/etc/resolv.conf"
  printf '127.0.0.1 localhost\n::1 localhost\n' >"$folder/etc/hosts"
}
clone() { git clone --quiet --no-hardlinks "$source" "$folder/busline"; }

# inside COMMAND...: in the new system, in the clone. It has its own mounts and processes, which end with it. From the
# environment it keeps the network settings. Its root is a mount, because mount namespaces cannot be made in it otherwise.
inside() {
  # shellcheck disable=SC2016  # the shell inside expands them
  unshare --mount --pid --fork --kill-child sh -c '
    set -e
    root=$1
    shift
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    cd "$root"
    exec chroot "$root" "$@"' sh "$folder" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    ${http_proxy+http_proxy="$http_proxy"} ${https_proxy+https_proxy="$https_proxy"} \
    sh -c 'cd /busline && exec "$@"' sh "$@"
}

timed "an empty Debian 12" debian
network
timed "a clone" clone
for script in "${scripts[@]}"; do
  timed "./$script" inside "./$script"
done
echo
printf '%s\n' "${times[@]}" "on $(nproc) cores, $(git -C "$folder/busline" describe --always)"
