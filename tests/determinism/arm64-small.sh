#!/usr/bin/env bash
# arm64 gives the bits of x86-64: every method on a few bodies, and a few pictures, by a build with few crates under emulation.
# Exits with 1 where they differ, with 2 where something is missing. tests/determinism/arm64.sh does the same with all that there is.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/determinism/arm64-tools.sh

# What runs once for a scene or a picture takes longer to optimise than to emulate as it is.
levels=()
for crate in catena-analysis catena-base catena-draw catena-output catena-ron catena-scene; do
    levels+=(--config "profile.release.package.$crate.opt-level=0")
done
build_arm64 --package arm64 "${levels[@]}"
found="$(mktemp)"
trap 'rm -f "$found"' EXIT
emulate "$arm64_folder/$target/release/arm64" . small > "$found"
hold_to_states "$found"
