#!/usr/bin/env bash
# Tests a render and a sweep on a Slurm cluster of two nodes, with the jobs exactly as catena prints them. Half-way, one task reaches its time
# limit and one node loses its power. Before the merge, one shard is damaged; the merge names it, and it runs again.
source "$(dirname "$0")/common.sh"

export SLURM_CONF=$work/slurm/slurm.conf
trap '"$tests/slurm.sh" stop "$work/slurm"; cd /; rm -rf "$work"' EXIT
"$tests/slurm.sh" start "$work/slurm"

queue_is_empty() {
    [ -z "$(squeue --noheader)" ]
}

# Succeeds if the queue has only the held merge, and the film that depends on it.
shards_are_done() {
    ! squeue --noheader --format %r | grep -qv 'Dependency\|JobHeld'
}

# Ids of the tasks that run on these nodes, in the order of their start.
running_on() {
    squeue --noheader --states RUNNING --nodelist "$1" --sort=S --format %A
}

# Sends a task the signal that Slurm sends shortly before the time limit. Succeeds once a task has been requeued because of it.
tell_late() {
    local late
    late=$(running_on n1,n2 | sed -n 1p)
    # scancel waits for tasks that are being requeued, as this one soon is.
    [ -z "$late" ] || timeout 1 scancel --batch --signal USR1 "$late" 2>/dev/null || true
    grep -qs 'exit code 143: requeued' "$out"/logs/shard-*.log
}

is_half_way() {
    [ -n "$(running_on n1)" ] && [ -n "$(running_on n2)" ] && "$1"
}

# How often Slurm restarted tasks of the job. The same task may be restarted by a lost node and later by its time.
restarts() {
    sed -n 's/: shards.*//p' submitted | xargs -n 1 scontrol show job --oneliner | sed -n 's/.* Restarts=\([0-9]*\).*/\1/p' \
        | awk '{ sum += $1 } END { print sum + 0 }'
}

# How often tasks of the job were requeued because their time was over.
by_time() {
    cat "$out"/logs/shard-*.log | grep -c 'exit code 143: requeued' || true
}

is_restarted_by_loss() {
    [ "$(restarts)" -gt "$(by_time)" ]
}

# Cuts the power of node n2 while it runs tasks, and starts it again. Fails if none runs but those of earlier attempts, or if all ended just
# before: then the next attempt waits for a task that has just begun.
tried=
lose_node() {
    local ids lost=1
    ids=$(running_on n2 | grep -vxF "${tried:-none}") || return 1
    "$tests/slurm.sh" kill-node "$work/slurm" n2
    # Slurm would detect this by itself after SlurmdTimeout.
    scontrol update NodeName=n2 State=DOWN Reason=power
    if is_restarted_by_loss; then lost=0; fi
    "$tests/slurm.sh" start-node "$work/slurm" n2
    scontrol update NodeName=n2 State=RESUME 2>/dev/null || true # it may have returned already
    tried+=$'\n'$ids
    return "$lost"
}

# Submits a job, disturbs it, and returns when its shards are done and its merge is held. $1 is its name, $2 its script, $3 a command that succeeds
# half-way, and $4 the delay of renaming a file in microseconds.
disturb() {
    CATENA=$(slow_catena "$4") bash "$2" >submitted
    merge=$(sed -n 's/: merge$//p' submitted)
    scontrol hold "$merge"
    [ "$(grep -c shards submitted)" = 2 ] || fail "$1: 9 shards are not in two arrays: $(cat submitted)"
    wait_for 30 is_half_way "$3" || fail "$1: the tasks do not run on both nodes: $(squeue)"
    wait_for 60 lose_node || fail "$1: no task was restarted after its node was lost: $(squeue)"
    wait_for 30 tell_late || fail "$1: no task could be told that its time is over: $(squeue)"
    wait_for 150 shards_are_done || fail "$1: shards are left in the queue: $(squeue)"
    is_restarted_by_loss || fail "$1: $(restarts) restarts, $(by_time) of them by time"
    echo "$1: a node was lost and the time of a task over half-way; tasks were restarted $(restarts) times, $(by_time) of them by time"
}

# Releases the merge with one damaged shard, and runs this shard again.
mend() {
    flip_bit "$3"
    scontrol release "$merge"
    wait_for 30 queue_is_empty || fail "$1: the merge is left in the queue: $(squeue)"
    grep -q -- '--shard 4 of 9' "$out/logs/merge.log" || fail "$1: the merge does not name the shard: $(cat "$out/logs/merge.log")"
    scontrol show job --oneliner "$merge" | grep -q 'ExitCode=1:0' || fail "$1: the merge did not end with 1"
    echo "$1: $(grep -- '--shard' "$out/logs/merge.log")"
    CATENA=$program bash "$2" 4 >submitted
    wait_for 30 queue_is_empty || fail "$1: the last shard is left in the queue: $(squeue)"
}

# The same command again changes nothing.
again() {
    CATENA=$program bash "$2" >submitted
    wait_for 60 queue_is_empty || fail "$1: the job is left in the queue: $(squeue)"
}

# --- A render.
some_frames() {
    frames_reach 15
}
whole
"$program" film whole -o expected.png --quiet
print_job slurm job.sh --shards 9 --film film.png
disturb render job.sh some_frames 150000
mend render job.sh "$(find "$out/shards/0004-of-0009" -name 'frame_*.png' | sort | head -n 1)"
is_whole render
cmp expected.png film.png
again render job.sh
is_whole "render, once more"

# --- A sweep.
out="swept out of it"
axes=(--axis 'rope.stiffness=Log(1, 1e4, 600)' --axis 'integrator=[SemiImplicitEuler, Rk4]' --frames 100)
some_reports() {
    [ "$(find "$out/shards" -name '*.json' 2>/dev/null | wc -l)" -ge 2 ]
}
"$program" sweep "$scene" "${axes[@]}" --out swept --quiet
"$program" job "$scene" "${axes[@]}" --for slurm --out "$out" --shards 9 -o sweep.sh
disturb sweep sweep.sh some_reports 3000000
mend sweep sweep.sh "$(find "$out/shards" -type f -name '0004-of-0009*' ! -name '*.json' | head -n 1)"
for table in table.csv table.parquet; do
    cmp "swept/$table" "$out/$table"
done
echo "sweep: $(wc -l <"$out/table.csv") lines, as of one process"
