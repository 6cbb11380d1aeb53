#!/usr/bin/env bash
# Runs a Slurm cluster of two nodes on this machine, for tests: without systemd, without /etc/slurm, and with its own munge key.
#
#   slurm.sh start FOLDER          starts it and waits until both nodes are idle; then export SLURM_CONF=FOLDER/slurm.conf
#   slurm.sh kill-node FOLDER n2   simulates a power cut: kills the node's daemon and all its processes
#   slurm.sh start-node FOLDER n2  starts the node again
#   slurm.sh stop FOLDER           stops all started processes by their ids
#
# Needs slurmctld, slurmd, slurm-client and munge of Debian or Ubuntu.
set -euo pipefail
command=$1 folder=$2
export SLURM_CONF=$folder/slurm.conf
host=$(hostname -s)

# Free ports, searched from a number that differs between folders.
free_ports() {
    local wanted=$1 port
    port=$((20000 + $(printf %s "$folder" | cksum | cut -d ' ' -f 1) % 20000))
    while [ "$wanted" -gt 0 ]; do
        if ! (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            echo "$port"
            wanted=$((wanted - 1))
        fi
        port=$((port + 1))
    done
}

write_configuration() {
    local ports
    mapfile -t ports < <(free_ports 3)
    cat >"$SLURM_CONF" <<CONFIGURATION
ClusterName=catena
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
AuthType=auth/munge
# A requeued task waits until its credentials expire: after 120 s by default.
AuthInfo=socket=$folder/munge/socket,cred_expire=5
# Containers lack control groups, an accounting database and processors to bind tasks to.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
# The scheduler checks the queue at once, and then every second.
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=1,sched_interval=1,sched_min_interval=0
# A lost node is detected after ten seconds, and is used again when it returns.
SlurmdTimeout=10
ReturnToService=2
JobRequeue=1
KillWait=5
# Small, so that the jobs of the tests have more shards than the maximum array size.
MaxArraySize=8
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=2 RealMemory=100000 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=2 RealMemory=100000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONFIGURATION
}

start_node() {
    slurmd -N "$1" -f "$SLURM_CONF"
}

wait_until_idle() {
    for _ in $(seq 150); do
        if [ "$(sinfo --noheader --Node --format %t 2>/dev/null | grep -c '^idle$')" = 2 ]; then
            return
        fi
        sleep 0.1
    done
    echo "Slurm is not ready after 15 s:" >&2
    sinfo --Node --long >&2 || true
    tail -n 5 "$folder"/*.log "$folder/munge/log" >&2
    return 1
}

# Step daemons of a node: the slurmstepd processes that have the log of the node's daemon open. The commands of tasks are their children.
steps_of() {
    local node=$1 pid
    # Only these processes are searched, so that tasks do not end meanwhile on a busy machine.
    for pid in $(pgrep -x slurmstepd || true); do
        if find "/proc/$pid/fd" -lname "$folder/slurmd-$node.log" 2>/dev/null | grep -q .; then
            echo "$pid"
        fi
    done
}

below() {
    local child
    for child in $(pgrep -P "$1" || true); do
        echo "$child"
        below "$child"
    done
}

kill_node() {
    local daemon step pids
    daemon=$(cat "$folder/slurmd-$1.pid")
    pids=$daemon
    for step in $(steps_of "$1"); do
        pids="$pids $step $(below "$step")"
    done
    # A process may have ended in the meantime.
    # shellcheck disable=SC2086
    kill -KILL $pids 2>/dev/null || true
}

stop() {
    local node file pid
    scancel --quiet --full --user "$(id -un)" 2>/dev/null || true
    for node in n1 n2; do
        if [ -s "$folder/slurmd-$node.pid" ]; then
            kill_node "$node"
        fi
    done
    for file in "$folder/slurmctld.pid" "$folder/munge/pid"; do
        if [ -s "$file" ]; then
            pid=$(cat "$file")
            kill "$pid" 2>/dev/null || true
            for _ in $(seq 50); do
                kill -0 "$pid" 2>/dev/null || break
                sleep 0.1
            done
        fi
    done
}

case $command in
start)
    mkdir -p "$folder/state" "$folder/spool-n1" "$folder/spool-n2" "$folder/munge"
    chmod 755 "$folder" "$folder/munge"
    (umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
    munged --force --num-threads 2 --key-file "$folder/munge/key" --socket "$folder/munge/socket" \
        --pid-file "$folder/munge/pid" --log-file "$folder/munge/log" --seed-file "$folder/munge/seed"
    write_configuration
    slurmctld -i -f "$SLURM_CONF"
    start_node n1
    start_node n2
    wait_until_idle
    ;;
kill-node) kill_node "$3" ;;
start-node) start_node "$3" ;;
stop) stop ;;
*)
    echo "slurm.sh: start, kill-node, start-node or stop, not $command" >&2
    exit 2
    ;;
esac
