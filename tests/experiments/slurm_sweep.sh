#!/usr/bin/env bash
# slurm_sweep.sh COMMAND SPEC: a sweep on a Slurm of its own, compared with one without.
#
# Starts munged, slurmctld and slurmd on this machine (own key, ports, configuration, directories), submits the sweep,
# waits for it, collects, compares with a local run, and stops what it has started, whatever happens. As root or as any
# user; needs no systemd, no cgroups, no name service. Exit code 0, or 1 with the reason on standard output.
set -u
command=$1 spec=$2
here=$(pwd)
# A socket's path is at most 108 bytes long, so not below the test's own directory.
root=$(mktemp -d /tmp/schedproof-slurm-XXXXXX)
children=()
job=

fail() {
  echo "slurm test: $*"
  for log in "$root"/munged.log "$root"/slurmctld.log "$root"/slurmd.log "$here"/cluster/task-*.log; do
    [ -s "$log" ] && { echo "--- ${log##*/}"; tail -n 20 "$log"; }
  done
  exit 1
}

# Jobs first: a step that still runs would outlive the daemons.
stop() {
  if [ -n "$job" ]; then
    timeout 10 scancel "$job" 2>/dev/null
    for _ in $(seq 25); do [ -z "$(timeout 5 squeue -h -j "$job" 2>/dev/null)" ] && break; sleep 0.2; done
  fi
  for child in "${children[@]}"; do kill "$child" 2>/dev/null; done
  for child in "${children[@]}"; do
    for _ in $(seq 50); do kill -0 "$child" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$child" 2>/dev/null
  done
  wait 2>/dev/null
  rm -rf "$root"
}
trap stop EXIT
trap 'exit 1' INT TERM

# await SECONDS WHAT COMMAND...: until the command or function succeeds; what it asks must not hang.
await() {
  local deadline=$((SECONDS + $1)) what=$2
  shift 2
  while [ "$SECONDS" -lt "$deadline" ]; do
    "$@" >/dev/null 2>&1 && return
    sleep 0.2
  done
  fail "gave up waiting for $what"
}

PATH=$PATH:/usr/sbin:/sbin
for program in munged munge slurmctld slurmd sbatch sinfo squeue scontrol scancel; do
  command -v "$program" >/dev/null || fail "$program is not installed (Debian packages slurm-wlm and munge)"
done

free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 20000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}
# Its number where it has no name, which Slurm takes as well.
user=$(id -un 2>/dev/null || id -u)
node=$(hostname -s 2>/dev/null || echo localhost)
plugins=$(dirname "$(find /usr/lib /usr/lib64 /usr/local/lib -name auth_munge.so 2>/dev/null | head -n 1)")
[ -e "$plugins/auth_munge.so" ] || fail "no plugins of Slurm found below /usr/lib"
controller_port=$(free_port)
node_port=$(free_port)
mkdir "$root/state" "$root/spool"
head -c 1024 /dev/urandom >"$root/munge.key"
chmod 600 "$root/munge.key"
# With config_overrides the node is taken to have two cores, whatever the machine has.
cat >"$root/slurm.conf" <<END
ClusterName=schedproof
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$controller_port
SlurmdPort=$node_port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$root/munge.socket
CredType=cred/munge
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/slurmd.pid
SlurmctldLogFile=$root/slurmctld.log
SlurmdLogFile=$root/slurmd.log
PluginDir=$plugins
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
# Named, the plugin does nothing that this configuration asks for; left out, slurmd looks for a mounted file system.
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$root/cgroup.conf"
export SLURM_CONF=$root/slurm.conf

munged --force --foreground --key-file="$root/munge.key" --socket="$root/munge.socket" --pid-file="$root/munged.pid" \
  --log-file="$root/munged.log" --seed-file="$root/munge.seed" >>"$root/munged.log" 2>&1 &
children+=($!)
await 20 "munged" timeout 5 munge --socket="$root/munge.socket" --no-input
slurmctld -c -D -f "$SLURM_CONF" >/dev/null 2>>"$root/slurmctld.log" &
children+=($!)
await 30 "slurmctld" timeout 5 scontrol ping
slurmd -c -D -f "$SLURM_CONF" -N "$node" >/dev/null 2>>"$root/slurmd.log" &
children+=($!)
node_is_idle() { [ "$(timeout 5 sinfo -h -o %T)" = idle ]; }
await 60 "the node to be idle" node_is_idle

cd "$here" || fail "no directory"
# Held at first: nothing has run, and collecting says so.
timeout 60 "$command" sweep "$spec" --resume cluster --slurm --tasks 3 --sbatch=--hold >submitted 2>submit.err ||
  fail "could not submit: $(cat submit.err)"
grep -q '^submitted job [0-9]*: 16 runs in 3 tasks' submitted || fail "unexpected words: $(cat submitted)"
job=$(sed -n 's/^submitted job \([0-9]*\):.*/\1/p' submitted)
[ -n "$job" ] || fail "no number of a job in: $(cat submitted)"
timeout 60 "$command" sweep "$spec" --resume cluster --collect >/dev/null 2>held.err
[ $? -eq 2 ] || fail "collected before anything ran"
grep -q 'expected a complete study: 16 missing, 0 damaged' held.err || fail "unexpected words: $(cat held.err)"
# The policy's file travels with the job.
mkdir away && mv ./*.policy away || fail "no policy's file"
timeout 10 scontrol release "$job" || fail "could not release the job"
queue_is_empty() { timeout 5 squeue -h >queue && [ ! -s queue ] && [ "$(ls cluster | grep -c '^p0.*json$')" -eq 16 ]; }
await 120 "the job to end" queue_is_empty
mv away/* .

timeout 60 "$command" sweep "$spec" --resume cluster --collect --format json -o cluster.json || fail "could not collect"
[ "$(ls cluster/task-*.log | wc -l)" -eq 3 ] || fail "not three tasks ran"
timeout 60 "$command" sweep "$spec" --resume local --format json -o local.json || fail "the local run failed"
cmp <(sed 's/"cluster\.json"/"local.json"/' cluster.json) local.json || fail "the answers differ"  # but in the name of their file
for file in local/*; do cmp "$file" "cluster/${file#local/}" || fail "results differ"; done
echo "the same bytes from Slurm and from here"
