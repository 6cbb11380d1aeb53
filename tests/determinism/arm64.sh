#!/usr/bin/env bash
# Checks that the whole program gives the same bytes on arm64 as on x86-64: every case of states.txt, the golden pictures, a frame of every scene,
# and the tables and charts of a report. The build takes minutes, and so does the emulation; arm64-small.sh is for every change.
# CATENA_BINARY names the program for x86-64; by default it is built. Exits with 1 if results differ, and with 2 if a tool is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/determinism/arm64-tools.sh

native="${CATENA_BINARY:-}"
if [ -z "$native" ]; then
    env -u RUSTC cargo build --release --locked --bin catena
    native="${CARGO_TARGET_DIR:-target}/release/catena"
fi
build_arm64 --package catena --bin catena
build_arm64 --package arm64
programs="$arm64_folder/$target/release"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
differing=0

emulate "$programs/arm64" . all > "$work/states"
hold_to_states "$work/states"

# The renders of crates/catena-tests/suite/repository/determinism.rs, whose hashes are in hashes.txt.
for scene in $(cut -d ' ' -f 1 tests/determinism/hashes.txt | uniq); do
    emulate "$programs/catena" render "scenes/$scene.ron" -q --frames 25 --size 320x200 --set rest.limit=100 --out "$work/$scene"
    expected="$(awk -v scene="$scene" '$1 == scene { for (i = 3; i <= NF; i++) print $i }' tests/determinism/hashes.txt | sort -u)"
    found="$(grep -o '[0-9a-f]\{64\}' "$work/$scene/manifest.json" | sort -u)"
    if lacking="$(grep -vxF "$found" <<< "$expected")"; then
        echo "$scene: arm64 does not give these hashes of hashes.txt:"
        echo "$lacking"
        differing=1
    else
        echo "$scene: $(wc -l <<< "$expected") hashes are equal to hashes.txt"
    fi
done

# Runs a command with both programs, each in a separate folder, and compares all output files: `both NAME COMMAND…`.
both() {
    local name="$1"
    shift
    "$native" "$@" --out "$work/x86-64"
    emulate "$programs/catena" "$@" --out "$work/arm64"
    if diff -rq "$work/x86-64" "$work/arm64"; then
        echo "$name: $(find "$work/arm64" -type f | wc -l) files are the same"
    else
        echo "$name: arm64 differs"
        differing=1
    fi
    rm -rf "$work/x86-64" "$work/arm64"
}

# The pictures of tests/golden: those named in the first line of a scene, and frame 30 of every scene.
for scene in tests/golden/*.ron; do
    for picture in $(head -n 1 "$scene" | sed 's|^// golden: ||'); do
        frame="$(echo "$picture" | tr -cd 0-9)"
        frame="$((10#${frame:-0}))"
        [ "$picture" = steady ] && steady= || steady=--no-steady
        both "$scene $picture" render "$scene" -q --frame-range "$frame-$frame" $steady
    done
done
for scene in scenes/*.ron; do
    both "$scene" render "$scene" -q --frame-range 30-30 --no-steady --size 480x300
done
both "a report" report scenes/limit_3_nodes.ron -q --frames 20 --player-frames 4 --set rest.limit=100

exit "$differing"
