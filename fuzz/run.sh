#!/usr/bin/env bash
# Fuzzes with libFuzzer on the stable toolchain; see docs/fuzzing.md.
#
#   fuzz/run.sh [all|TARGET] [SECONDS]   fuzzes every target or one target, for 60 s each by default
#   fuzz/run.sh FILE TARGET              runs one file, such as a finding, once
#   fuzz/run.sh small FILE TARGET        minimises a finding
#   fuzz/run.sh text FILE                prints the scene encoded by a file of rendered_scene, and renders it
#   fuzz/run.sh keep TARGET [N]          adds N files (10 by default) that reach new code to the corpus
#
# JOBS=4 runs four processes of a target. Findings go to fuzz/artifacts/TARGET/, and inputs that reach new code to fuzz/found/TARGET/.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
targets=(scene manifest journal checkpoint rendered_scene figure)
platform=$(rustc -vV | sed -n 's/^host: //p')
programs=${CARGO_TARGET_DIR:-$here/target}/$platform/release

# Limits per input: bytes, seconds, and MiB of the whole process. The instrumented program is several times slower than catena.
limits=(-max_len=4096 -timeout=30 -rss_limit_mb=1536)

# The flags of cargo-fuzz without its sanitizers, which need another toolchain and find little in a program without unsafe code. Because --target
# is given, the flags do not apply to build scripts and macros.
build() {
    local flags=(
        --cfg fuzzing
        -Cpasses=sancov-module
        -Cllvm-args=-sanitizer-coverage-level=4
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
        -Cllvm-args=-sanitizer-coverage-pc-table
        -Cllvm-args=-sanitizer-coverage-trace-compares
    )
    RUSTFLAGS="${flags[*]}" cargo build --release --target "$platform" --manifest-path "$here/Cargo.toml"
}

need_target() {
    local target
    for target in "${targets[@]}"; do
        if [ "$target" = "$1" ]; then return; fi
    done
    echo "there is no target '$1'; there are ${targets[*]}" >&2
    exit 2
}

# Folders with the initial inputs of a target.
seeds() {
    echo "$here/corpus/$1"
    if [ "$1" = scene ]; then printf '%s\n' "$here/../scenes" "$here/../tests/golden"; fi
}

fuzz() {
    local target=$1 seconds=$2 folders jobs=()
    mapfile -t folders < <(seeds "$target")
    mkdir -p "$here/artifacts/$target" "$here/found/$target"
    if [ "${JOBS:-1}" -gt 1 ]; then jobs=(-fork="$JOBS"); fi
    "$programs/$target" "${limits[@]}" "${jobs[@]}" -max_total_time="$seconds" -print_final_stats=1 \
        -artifact_prefix="$here/artifacts/$target/" "$here/found/$target" "${folders[@]}"
}

keep() {
    local target=$1 count=$2 folders all file
    mapfile -t folders < <(seeds "$target")
    all=$(mktemp -d)
    for file in "${folders[@]}"; do find "$file" -maxdepth 1 -type f -size -9 -exec cp {} "$all" \;; done
    # Each kept file reaches code that no other file reaches; hit counts are ignored.
    "$programs/$target" "${limits[@]}" -set_cover_merge=1 -use_counters=0 "$all" "$here/found/$target"
    # New files are named by their hashes. Small files are fast and easy to understand.
    find "$all" -type f -regextype posix-extended -regex '.*/[0-9a-f]{40}' -printf '%s %p\n' | sort -n | sed -n "1,${count}p" |
        while read -r _ file; do cp -nv "$file" "$here/corpus/$target/"; done
    rm -r "$all"
}

build
case ${1:-all} in
    all)
        for target in "${targets[@]}"; do fuzz "$target" "${2:-60}"; done
        ;;
    keep)
        need_target "${2-}"
        keep "$2" "${3:-10}"
        ;;
    text)
        CATENA_FUZZ_TEXT=1 "$programs/rendered_scene" "${2:?a file}"
        ;;
    small)
        need_target "${3-}"
        "$programs/$3" "${limits[@]}" -minimize_crash=1 -max_total_time=120 -artifact_prefix="$(dirname "$2")/" "$2"
        ;;
    *)
        if [ -f "$1" ]; then
            need_target "${2-}"
            "$programs/$2" "${limits[@]}" "$1"
        else
            need_target "$1"
            fuzz "$1" "${2:-60}"
        fi
        ;;
esac
