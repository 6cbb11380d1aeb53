#!/usr/bin/env bash
# A render on a Slurm of two nodes, by the job that catena prints, submitted as it is printed: one node loses its power half-way, one
# shard is damaged before the merge, which names it, and is run again.
source "$(dirname "$0")/common.sh"

export SLURM_CONF=$work/slurm/slurm.conf
trap '"$tests/slurm.sh" stop "$work/slurm"; cd /; rm -rf "$work"' EXIT
"$tests/slurm.sh" start "$work/slurm"

queue_is_empty() {
    [ -z "$(squeue --noheader 2>/dev/null)" ]
}

# What is left in the queue but the merge and what waits for it.
shards_are_done() {
    [ -z "$(squeue --noheader --format '%i %r' | grep -v 'Dependency\|JobHeld')" ]
}

whole
# More shards than an array of this Slurm has numbers, and more than its four processors.
print_job slurm job.sh --shards 9 --film film.png
CATENA=$(slow_catena 100000) bash job.sh >submitted
merge=$(sed -n 's/: merge$//p' submitted)
scontrol hold "$merge"
[ "$(grep -c shards submitted)" = 2 ] || fail "9 shards are not in two arrays: $(cat submitted)"

runs_on_both() {
    [ "$(squeue --noheader --states RUNNING --format %N | sort -u | wc -l)" = 2 ] && frames_reach 15
}
wait_for 30 runs_on_both || fail "the tasks do not run on both nodes: $(squeue)"
there=$(frames)
"$tests/slurm.sh" kill-node "$work/slurm" n2
# What Slurm finds out by itself after SlurmdTimeout.
scontrol update NodeName=n2 State=DOWN Reason=power
"$tests/slurm.sh" start-node "$work/slurm" n2
scontrol update NodeName=n2 State=RESUME 2>/dev/null || true # it may be back already
wait_for 60 shards_are_done || fail "shards are left in the queue: $(squeue)"
restarts=$(scontrol show job --oneliner | grep -c 'Restarts=[1-9]' || true)
[ "$restarts" -gt 0 ] || fail "no task was put back into the queue when its node was lost"
echo "slurm: a node was lost at frame $there of 90, and $restarts tasks began again"

# One bit of one frame.
damaged=$(find "$out/shards/0004-of-0009" -name 'frame_*.png' | sort | head -n 1)
[ -n "$damaged" ] || fail "shard 4 has no frames"
flip_bit "$damaged"
scontrol release "$merge"
wait_for 30 queue_is_empty || fail "the merge is left in the queue: $(squeue)"
grep -q -- '--shard 4 of 9' "$out/logs/merge.log" || fail "the merge does not name the shard: $(cat "$out/logs/merge.log")"
scontrol show job --oneliner "$merge" | grep -q 'ExitCode=1:0' || fail "the merge did not end with 1"
[ ! -e film.png ] || fail "there is a film of what is not whole"
echo "slurm: $(grep -- '--shard' "$out/logs/merge.log")"

CATENA=$program bash job.sh 4 >submitted
wait_for 30 queue_is_empty || fail "the last shard is left in the queue: $(squeue)"
is_whole slurm
"$program" film whole -o expected.png --quiet
cmp expected.png film.png

# The same command again changes nothing.
CATENA=$program bash job.sh >submitted
wait_for 30 queue_is_empty || fail "the job is left in the queue: $(squeue)"
is_whole "slurm, once more"
