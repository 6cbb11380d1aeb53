#!/usr/bin/env bash
# Checks that arm64 gives the same bits as x86-64: every method on a few bodies, and a few pictures, with a build of few crates under emulation.
# Exits with 1 if results differ, and with 2 if a tool is missing. tests/determinism/arm64.sh checks everything.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/determinism/arm64-tools.sh

# Code that runs once per scene or picture takes longer to optimise than to emulate unoptimised.
levels=()
for crate in catena-analysis catena-base catena-draw catena-output catena-ron catena-scene; do
    levels+=(--config "profile.release.package.$crate.opt-level=0")
done
build_arm64 --package arm64 "${levels[@]}"
found="$(mktemp)"
trap 'rm -f "$found"' EXIT
emulate "$arm64_folder/$target/release/arm64" . small > "$found"
hold_to_states "$found"
