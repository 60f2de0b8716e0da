#!/usr/bin/env bash
# An emulated cluster of network namespaces on one machine. `cluster.sh help` and docs/how-to/cluster.md say how to use it.
set -euo pipefail
self=$(readlink -f "$0")
here=$(dirname "$self")

usage() {
  cat <<'END'
cluster.sh [--prefix NAME] [--build FOLDER] COMMAND

  up HOSTS [SETTING...]   make a cluster of 1 to 64 hosts, h0, h1, ...
  net SETTING...          change its network, also while programs run
  run RANKS PER_HOST [--mpi M] [--protocol P] [--preload LIB] [mpirun options] -- PROGRAM [ARGUMENT...]
  exec HOST COMMAND...    run a command on a host (h0, h1, ..., or head, where mpirun runs)
  status                  what is there, and whether frames were lost
  record                  its settings as data sets store them, on one line
  protocol P              the options of mpirun that a protocol stands for
  down                    end what runs inside the cluster and remove it

  settings (default)      rate=100Mbit/s lat=0us links=1 bus=unlimited halves=0 mtu=9000 fair=1
     rate, lat            of a link: its bandwidth in each direction, its latency one way
     links, bus           Dimemas's L (links of a host) and B (buses of the network)
     halves=1             the buses carry only what goes between the two halves of the hosts
     fair=0               messages that leave a host at once do so one after the other
  --mpi M                 of the program: openmpi (default) or mpich, which has only its own protocol
  --protocol P            default: Open MPI's own; eager: no message waits for its receiver;
                          eagerforced: eager, and named algorithms for the collectives
  --preload LIB           a library for the ranks, such as a tracer

  --prefix NAME           several clusters can exist, each with a name of its own (bl)
  --build FOLDER          where the programs were built (build/release)
  CLUSTER_TIMEOUT=300     seconds after which `run` ends its program
  CLUSTER_NAP_US=50       how long a rank that waits sleeps before it looks again
  CLUSTER_PRIORITY=10     real-time priority of the ranks; 0: none
END
}

die() {
  printf 'cluster.sh: %s\n' "$1" >&2
  if [ $# -gt 1 ]; then printf '  %s\n' "$2" >&2; fi
  exit "${3:-4}"
}
die_usage() { die "$1" "'cluster.sh help' shows how to use it" 2; }

prefix=bl
build=$here/../../build/release
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=${2-}; shift 2 || die_usage '--prefix: a name is missing' ;;
    --build) build=${2-}; shift 2 || die_usage '--build: a folder is missing' ;;
    *) break ;;
  esac
done
[[ $prefix =~ ^[a-z][a-z0-9]{0,7}$ ]] || die_usage "--prefix $prefix: expected a small letter and up to 7 more or digits"
build=$(realpath -m "$build")
switch=$build/cluster/cluster_switch
nap=$build/cluster/libcluster_nap.so
# Of what was made, so that it can be found again and nothing else is taken for ours: /run is root's, and as empty
# after a restart as the list of namespaces is. Files:
#   namespaces  their names, written before they are made      hosts, host_count  /etc/hosts on all hosts; how many
#   settings    of the network, wanted                         in_force, switch.log  what the switch says
#   run/        empty: where each run mounts a folder of its own
runtime=/run/busline-cluster
state=$runtime/$prefix

# ---- refusing ----------------------------------------------------------------------------------------------------

# Character device 10:200 (Documentation/admin-guide/devices.txt of Linux) that may be opened.
usable_tun() {
  [ "$(stat -c %t:%T /dev/net/tun 2>/dev/null)" = a:c8 ] || return 1
  { : <>/dev/net/tun; } 2>/dev/null
}

# Says what is missing before anything is changed.
require_rights() {
  [ "$(id -u)" -eq 0 ] || die 'only root may make network namespaces' "run it as root: sudo $self ..."
  local tool
  for tool in ip:iproute2 unshare:util-linux setpriv:util-linux flock:util-linux timeout:coreutils; do
    command -v "${tool%%:*}" >/dev/null ||
      die "the program '${tool%%:*}' is missing" "install the package ${tool##*:}"
  done
  unshare --net --mount true 2>/dev/null ||
    die 'this root may not make namespaces (a container without CAP_SYS_ADMIN?)' \
      'start the container with --privileged, or use a virtual machine'
  usable_tun ||
    die '/dev/net/tun is not there or cannot be opened' \
      "load the module with 'modprobe tun'; start a container with --device /dev/net/tun"
}

require_programs() {
  if [ "${1-openmpi}" = mpich ]; then
    mpirun=$(command -v mpiexec.hydra) || die 'mpiexec.hydra is missing' 'install MPICH: the package mpich'
  else
    mpirun=$(command -v mpirun.openmpi || command -v mpirun) ||
      die 'mpirun is missing' 'install Open MPI: the packages openmpi-bin and libopenmpi-dev'
    [[ $("$mpirun" --version 2>&1) =~ Open\ MPI|OpenRTE ]] ||
      die "$mpirun is not Open MPI's, whose options are used here" 'install the package openmpi-bin'
  fi
  [ -x "$switch" ] ||
    die "$switch is not there" "build it with 'cmake --build --preset release', or name the folder with --build"
}

require_cluster() {
  [ -s "$state/host_count" ] ||
    die "there is no cluster '$prefix'" "make one with 'cluster.sh up 4'"
  host_count=$(<"$state/host_count")
}

# One command at a time changes a cluster. The lock goes with the process.
lock() {
  mkdir -p "$runtime"
  local file=$runtime/$prefix.lock
  while :; do
    exec 9>"$file"
    flock -w 30 9 || die "another command has been changing cluster '$prefix' for 30 s"
    [ ! /proc/self/fd/9 -ef "$file" ] || return 0 # else `down` has removed the file while we waited
  done
}

# ---- inside the namespaces -----------------------------------------------------------------------------------------

in_namespace() { ip netns exec "$prefix-$1" "${@:2}"; }

exists() { [ -e "/run/netns/$1" ]; }

# The processes inside our namespaces, which are the only ones that are ever sent a signal.
processes() {
  local name
  while read -r name; do
    if exists "$name"; then ip netns pids "$name"; fi
  done <"$state/namespaces"
}

signal_processes() {
  local found
  found=$(processes)
  # One that has ended meanwhile is no error.
  # shellcheck disable=SC2086 # one word per process
  [ -z "$found" ] || kill "-$1" $found 2>/dev/null || true
}

# Waits up to $1 tenths of a second until nothing runs inside.
all_ended() {
  local n
  for ((n = 0; n < $1; n++)); do
    [ -n "$(processes)" ] || return 0
    sleep 0.1
  done
  return 1
}

remove() {
  [ -e "$state/namespaces" ] || { rm -rf "$state"; return; }
  signal_processes TERM
  if ! all_ended 10; then
    local n
    for ((n = 0; n < 50; n++)); do # what starts processes may do so until it has ended itself
      signal_processes KILL
      ! all_ended 1 || break
    done
  fi
  [ -z "$(processes)" ] || die "these processes inside cluster '$prefix' do not end: $(processes | tr '\n' ' ')"
  local name
  while read -r name; do
    if exists "$name"; then ip netns delete "$name"; fi
  done <"$state/namespaces"
  rm -rf "$state"
}

# ---- up and net ----------------------------------------------------------------------------------------------------

# Control network, for mpirun and its daemons: 10.77.0.0/24, a bridge in the head's namespace. Data network, for
# messages: 10.78.0.0/24, the switch. Host i is number 10 + i in both.
make_namespaces() {
  local i
  { echo "$prefix-head"; for ((i = 0; i < host_count; i++)); do echo "$prefix-h$i"; done; } >"$state/namespaces.new"
  local name
  while read -r name; do
    ! exists "$name" || { rm -rf "$state"; die "a namespace '$name' exists that is not ours" 'choose another --prefix'; }
  done <"$state/namespaces.new"
  mv "$state/namespaces.new" "$state/namespaces"
  while read -r name; do ip netns add "$name"; done <"$state/namespaces"
}

make_control_network() {
  local i
  printf '127.0.0.1 localhost\n10.77.0.1 head\n' >"$state/hosts"
  for ((i = 0; i < host_count; i++)); do echo "10.77.0.$((10 + i)) h$i" >>"$state/hosts"; done
  # Both ends are made where they belong, so nothing appears outside.
  {
    echo 'link set lo up'
    echo 'link add control type bridge'
    echo 'address add 10.77.0.1/24 dev control'
    echo 'link set control up'
    for ((i = 0; i < host_count; i++)); do
      echo "link add c$i type veth peer name control netns $prefix-h$i"
      echo "link set c$i master control up"
    done
  } | ip -n "$prefix-head" -batch -
  for ((i = 0; i < host_count; i++)); do
    printf '%s\n' 'link set lo up' "address add 10.77.0.$((10 + i))/24 dev control" 'link set control up' |
      ip -n "$prefix-h$i" -batch -
    # TCP as plain as possible: windows beyond what is on the way, no slow start again after a pause, nothing
    # remembered from connection to connection, and no guess that a frame in a long queue is lost. (A flow that has
    # shrunk its window after such a guess gets less than its share of the buses: 14 % more for 3 messages over 2.)
    in_namespace "h$i" sh -c 'cd /proc/sys/net
      echo 1 >ipv6/conf/all/disable_ipv6
      cd ipv4
      echo 0 >tcp_slow_start_after_idle
      echo 0 >tcp_early_retrans
      echo 1 >tcp_no_metrics_save
      echo "4096 4194304 8388608" >tcp_rmem
      echo "4096 4194304 8388608" >tcp_wmem' 2>/dev/null || true
  done
}

# The switch lives in the head's namespace, so that it is found and ended like everything else.
switch_process() {
  local process
  for process in $(ip netns pids "$prefix-head" 2>/dev/null); do
    if [ "$(cat "/proc/$process/comm" 2>/dev/null)" = cluster_switch ]; then echo "$process"; fi
  done
}

start_switch() {
  rm -f "$state/in_force"
  in_namespace head "$switch" start "$prefix" "$host_count" "$state" 9>&- ||
    die 'the switch did not start'
  local i j
  for ((i = 0; i < host_count; i++)); do
    {
      echo "address add 10.78.0.$((10 + i))/24 dev data"
      # The links lose nothing, and messages should take latency plus size over bandwidth: from the first packet on
      # as many as fit, and none again because others are before it.
      echo "route replace 10.78.0.0/24 dev data src 10.78.0.$((10 + i)) initcwnd 1000 initrwnd 1000 rto_min 3s"
      for ((j = 0; j < host_count; j++)); do
        [ "$j" -eq "$i" ] || echo "neighbour replace 10.78.0.$((10 + j)) lladdr $(printf 02:ec:00:00:00:%02x $((j + 1))) dev data nud permanent"
      done
    } | ip -n "$prefix-h$i" -batch -
  done
  await_settings
}

# The switch says what holds once it holds.
await_settings() {
  local n
  for ((n = 0; n < 100; n++)); do
    ! cmp -s "$state/settings" "$state/in_force" || return 0
    sleep 0.05
  done
  die "the switch did not take the settings: $(tail -n 1 "$state/switch.log" 2>/dev/null)"
}

# Frames that hosts sent and the switch did not take in time: none, or what was measured says nothing about the network.
lost_frames() {
  local i lost=0
  for ((i = 0; i < host_count; i++)); do
    lost=$((lost + $(in_namespace "h$i" cat /sys/class/net/data/statistics/tx_dropped)))
  done
  echo "$lost"
}

one_line() { tr '\n' ' ' <"$state/in_force"; echo; }

cmd_up() {
  [ $# -ge 1 ] || die_usage 'up: the number of hosts is missing'
  require_rights
  require_programs
  local wanted
  wanted=$("$switch" words "$@") || exit 2
  lock
  remove
  mkdir -p "$state/run"
  # Whatever ends this early leaves nothing behind; after SIGKILL the next `up` or `down` does it.
  trap 'remove' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  host_count=$1
  echo "$wanted" >"$state/settings"
  make_namespaces
  make_control_network
  start_switch
  echo "$host_count" >"$state/host_count"
  trap - EXIT INT TERM HUP
  echo "$host_count hosts: $(one_line)"
}

cmd_net() {
  [ $# -ge 1 ] || die_usage 'net: a setting is missing'
  require_rights
  require_programs
  require_cluster
  lock
  require_cluster # it may have gone while we waited
  local old wanted process
  mapfile -t old <"$state/settings"
  wanted=$("$switch" words "$host_count" "${old[@]}" "$@") || exit 2
  echo "$wanted" >"$state/settings"
  process=$(switch_process)
  if [ -n "$process" ]; then
    kill -HUP "$process"
    await_settings
  else
    echo 'cluster.sh: the switch had ended and is started again' >&2
    start_switch
  fi
  echo "$host_count hosts: $(one_line)"
}

# ---- run and exec --------------------------------------------------------------------------------------------------

# Replaces this process by a command on a host: its network, its name and its /etc/hosts.
enter() {
  local host=$1
  shift
  exists "$prefix-$host" || die "there is no host '$host' in cluster '$prefix'" "'cluster.sh status' shows them"
  # shellcheck disable=SC2016 # expanded in there
  exec ip netns exec "$prefix-$host" unshare --uts --mount sh -c \
    'hostname "$1" && mount --bind "$2" /etc/hosts && shift 2 && exec "$@"' sh "$host" "$state/hosts" "$@"
}

cmd_exec() {
  [ $# -ge 2 ] || die_usage 'exec: a host and a command are needed'
  require_rights
  require_cluster
  enter "$@"
}

# What mpirun takes for ssh: HOST and the words of a shell command. Options of ssh are left out.
cmd_rsh() {
  while [[ ${1-} == -* ]]; do shift; done
  local host=$1
  shift
  enter "$host" sh -c "$*"
}

# The first process of a run. What Open MPI keeps in files is the run's own and goes with it: its names are made of the
# host's name and the process id, which are those of other runs too. MPICH wants its ssh in one word.
cmd_first() {
  mount -t tmpfs tmpfs "$state/run"
  mount -t tmpfs tmpfs /dev/shm
  printf '#!/bin/sh\nexec "%s" --prefix "%s" rsh "$@"\n' "$self" "$prefix" >"$state/run/ssh"
  chmod +x "$state/run/ssh"
  enter head "$@"
}

protocol_options() {
  local eager=(--mca btl_tcp_eager_limit 8388608 --mca btl_tcp_rndv_eager_limit 8388608
    --mca btl_tcp_max_send_size 8388608)
  case $1 in
    default) ;;
    eager) echo "${eager[*]}" ;;
    # Pairwise all-to-all, recursive doubling for allreduce and barrier, binomial trees for broadcast and reduce.
    eagerforced)
      echo "${eager[*]}" --mca coll_tuned_use_dynamic_rules 1 \
        --mca coll_tuned_alltoall_algorithm 2 --mca coll_tuned_alltoallv_algorithm 2 \
        --mca coll_tuned_allreduce_algorithm 3 --mca coll_tuned_bcast_algorithm 6 \
        --mca coll_tuned_bcast_algorithm_segmentsize 0 --mca coll_tuned_reduce_algorithm 5 \
        --mca coll_tuned_reduce_algorithm_segmentsize 0 --mca coll_tuned_barrier_algorithm 3 ;;
    *) die_usage "--protocol $1: expected default, eager or eagerforced" ;;
  esac
}

cmd_run() {
  [[ ${1-} =~ ^[1-9][0-9]{0,3}$ && ${2-} =~ ^[1-9][0-9]{0,3}$ ]] ||
    die_usage 'run: the numbers of ranks and of ranks per host are missing'
  local ranks=$1 per_host=$2 protocol preload='' options=() mpi=openmpi
  protocol=
  shift 2
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
      --protocol) protocol=$(protocol_options "${2-}") || exit 2; shift ;;
      --mpi) [[ ${2-} =~ ^(openmpi|mpich)$ ]] || die_usage "--mpi ${2-}: expected openmpi or mpich"; mpi=$2; shift ;;
      --preload) preload=$(realpath -e "${2-}") || die_usage '--preload: a library is missing'; shift ;;
      *) options+=("$1") ;;
    esac
    shift
  done
  [ $# -ge 2 ] || die_usage "run: '-- PROGRAM' is missing"
  shift
  [ "$mpi" = openmpi ] || [ -z "$protocol" ] || die_usage "--protocol: MPICH has only its own, default"
  require_rights
  require_programs "$mpi"
  require_cluster
  [ -n "$(switch_process)" ] || die 'the switch has ended' "start it again with 'cluster.sh net SETTING', or 'down' and 'up'"
  [ -e "$nap" ] || die "$nap is not there" "build it with 'cmake --build --preset release'"

  local hosts=$(((ranks + per_host - 1) / per_host)) i names='' transports=tcp,self launch
  [ "$hosts" -le "$host_count" ] ||
    die "$ranks ranks, $per_host per host, need $hosts hosts; there are $host_count" '' 2
  for ((i = 0; i < hosts; i++)); do names+="${names:+,}h$i:$per_host"; done

  # All processes of the run, on all hosts, live in one process namespace. It ends with its first process, and that
  # with the one before: so none outlives mpirun or this command, however they end. (The first process is mpirun.)
  # mpi_yield_when_idle has waiting ranks call what libcluster_nap replaces; without plm_rsh_no_tree_spawn h0 would
  # start other hosts' daemons. MPICH's messages go through UCX.
  # shellcheck disable=SC2206 # one word per option of $protocol
  if [ "$mpi" = mpich ]; then
    [ "$per_host" -eq 1 ] || transports+=,sm
    launch=(-launcher ssh -launcher-exec "$state/run/ssh" -n "$ranks" -hosts "$names"
      -genv UCX_TLS "$transports" -genv UCX_NET_DEVICES data -genv LD_PRELOAD "${preload:+$preload:}$nap"
      -genv CLUSTER_NAP_US "${CLUSTER_NAP_US:-50}" -genv CLUSTER_PRIORITY "${CLUSTER_PRIORITY:-10}")
  else
    [ "$per_host" -eq 1 ] || transports+=,vader
    launch=(--allow-run-as-root -n "$ranks" --host "$names" --map-by slot --bind-to none --oversubscribe
      --mca orte_tmpdir_base "$state/run" --mca plm_rsh_agent "$self --prefix $prefix rsh" --mca plm_rsh_no_tree_spawn 1
      --mca orte_keep_fqdn_hostnames 1 --mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.78.0.0/24
      --mca pml ob1 --mca btl "$transports" --mca btl_vader_single_copy_mechanism none --mca mpi_yield_when_idle 1
      -x "LD_PRELOAD=${preload:+$preload:}$nap" -x "CLUSTER_NAP_US=${CLUSTER_NAP_US:-50}"
      -x "CLUSTER_PRIORITY=${CLUSTER_PRIORITY:-10}" $protocol)
  fi
  exec timeout -k 5 "${CLUSTER_TIMEOUT:-300}" setpriv --pdeathsig KILL \
    unshare --pid --fork --kill-child --mount-proc \
    "$self" --prefix "$prefix" --build "$build" first "$mpirun" "${launch[@]}" "${options[@]}" "$@"
}

# ---- status and down -----------------------------------------------------------------------------------------------

cmd_status() {
  if [ ! -e "$state/namespaces" ]; then
    echo "there is no cluster '$prefix'"
    return 0
  fi
  if [ ! -s "$state/host_count" ]; then
    echo "cluster '$prefix' is incomplete: 'up' was killed, or is at work; 'down' removes it"
    return 1
  fi
  require_cluster
  echo "$host_count hosts: $(one_line)"
  [ -n "$(switch_process)" ] || { echo 'the switch has ended'; return 1; }
  local lost
  lost=$(lost_frames)
  [ "$lost" -eq 0 ] || { echo "$lost frames were lost"; return 1; }
}

cmd_record() {
  require_cluster
  local words
  mapfile -t words <"$state/in_force"
  "$switch" record "$host_count" "${words[@]}"
}

cmd_down() {
  require_rights
  [ -e "$state" ] || return 0
  lock
  remove
  rm -f "$runtime/$prefix.lock"
}

command=${1-help}
[ $# -eq 0 ] || shift
case $command in
  up | net | run | exec | status | record | down | rsh | first) "cmd_$command" "$@" ;;
  protocol) protocol_options "${1-}" ;;
  help | --help | -h) usage ;;
  *) die_usage "unknown command '$command'" ;;
esac
