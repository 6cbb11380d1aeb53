#!/usr/bin/env bash
# Tests a render by GNU parallel, which is killed half-way with all its processes, and then restarted.
source "$(dirname "$0")/common.sh"
trap 'cd /; rm -rf "$work"' EXIT

whole
print_job parallel job.sh --shards 9 --film film.png
slow=$(slow_catena 20000)
CATENA=$slow JOBS=4 setsid bash job.sh >log 2>&1 &
first=$!
wait_for 30 frames_reach 15 || fail "no frames: $(cat log)"
there=$(frames)
kill -KILL -- "-$first"
wait "$first" 2>/dev/null || true
[ "$there" -lt 90 ] || fail "it was done before it could be killed"
[ ! -e film.png ] || fail "there is a film of what is not whole"
echo "parallel: killed with $there of 90 frames"
CATENA=$program bash job.sh >log 2>&1 || fail "$(cat log)"
is_whole parallel
"$program" film whole -o expected.png --quiet
cmp expected.png film.png

# With an invalid scene, GNU parallel stops before every shard has reported the error.
"$program" job "$scene" --for parallel --shards 50 --out wrong -o wrong.sh
echo 'Scene(' >"$scene"
if CATENA=$program JOBS=1 bash wrong.sh >log 2>&1; then
    fail "a wrong scene was no failure"
fi
said=$(grep -c 'error' log)
[ "$said" -lt 10 ] || fail "50 shards of a wrong scene said so $said times"
