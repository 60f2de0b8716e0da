#!/usr/bin/env bash
# Runs the examples of studies/examples with a real Slurm on this machine: a controller and a node of its own, in a
# folder of its own, on unused ports; ends what it started. Needs Debian's slurmctld, slurmd, slurm-client and
# munge, root (required by slurmd), and a built program:
#   tools/try_slurm.sh build/release/busline
set -euo pipefail
busline=$(realpath "${1:?usage: tools/try_slurm.sh PATH/TO/busline}")
source=$(realpath "$(dirname "$0")/..")
for program in munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null || { echo "try_slurm: $program is missing: apt-get install slurmctld slurmd slurm-client munge" >&2; exit 1; }
done

work=$(mktemp -d)
host=$(hostname -s)
port=$((20000 + RANDOM % 20000))
pids=()
finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

mkdir -p "$work"/{state,spool,munge}
chmod 755 "$work"
chmod 700 "$work/munge"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 400 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge.socket" --pid-file="$work/munge/pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" >/dev/null 2>&1 &
pids+=($!)

cat >"$work/slurm.conf" <<CONF
ClusterName=trial
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
CONF
export SLURM_CONF=$work/slurm.conf
slurmctld -D -f "$SLURM_CONF" >/dev/null 2>&1 &
pids+=($!)
# The node may have more CPUs than this machine (config_overrides).
slurmd -D -f "$SLURM_CONF" -N "$host" >/dev/null 2>&1 &
pids+=($!)
for _ in $(seq 60); do
  sinfo -h -o %t 2>/dev/null | grep -q idle && break
  sleep 0.5
done
sinfo -h -o %t | grep -q idle || { sinfo; cat "$work"/*.log; exit 1; } >&2

cat >"$work/study.json" <<STUDY
{"schema": "busline/study/1", "name": "buses",
 "platform": "$source/platforms/examples/emulated-100mbit.json",
 "workload": "$source/validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d",
 "axes": [{"set": "/platform/network/buses", "to": [1, 2, 3, 4, 6, 8, 12, 16]},
          {"set": "/platform/network/latency", "range": {"from": "1us", "to": "1ms", "points": 25, "scale": "log"}}]}
STUDY
cd "$work"
PATH=$(dirname "$busline"):$PATH
export PATH STUDY=$work/study.json
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
busline study run study.json -o alone.sqlite --quiet >/dev/null
sbatch --wait --output=array-%a.out "$source/studies/examples/study-array.sbatch"
busline study merge part-*.sqlite -o results.sqlite --quiet >/dev/null
sbatch --wait --output=mpi.out "$source/studies/examples/study-mpi.sbatch" || { cat mpi.out; exit 1; }
for results in results results-mpi; do
  cmp <(busline study export csv alone.sqlite -o -) <(busline study export csv "$results.sqlite" -o -)
done
echo "try_slurm: 200 points; the array of 4 jobs and the MPI job gave the same results as one process"
