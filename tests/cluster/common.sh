# shellcheck shell=bash
# Shared functions of the engine tests, which source this file. It changes to a temporary folder, which is removed when the test ends.
set -Eeuo pipefail
trap 'echo "$0: line $LINENO: $BASH_COMMAND" >&2' ERR

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$tests/../.." && pwd)
program=$(realpath "${CATENA:-$repository/target/release/catena}")
work=$(mktemp -d)
cd "$work"

# Names with characters that are special in a shell or a template.
scene="a scene's \$(file).ron"
out="out of it"
cp "$repository/scenes/compare.ron" "$scene"
options=(--frames 90 --size 320x240)

fail() {
    echo "$*" >&2
    exit 1
}

# Renders the scene in a single process.
whole() {
    "$program" render "$scene" "${options[@]}" --out whole --quiet
}

# Prints the job for an engine to a file.
print_job() {
    "$program" job "$scene" --for "$1" --out "$out" "${options[@]}" -o "$2" "${@:3}"
}

# Checks that the merged folder equals the folder of a single process, byte for byte.
is_whole() {
    diff -r --exclude .catena --exclude logs --exclude shards whole "$out" || fail "$1: the merged folder is not that of one process"
    echo "$1: $(find whole -maxdepth 1 -type f | wc -l) files, as of one process"
}

# Retries a command until it succeeds, for a maximum number of seconds.
wait_for() {
    local deadline=$((SECONDS + $1))
    until "${@:2}"; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        sleep 0.1
    done
}

# A wrapper of catena that delays the renaming of files by wall time, so that a render can be
# interrupted half-way on any machine.
slow_catena() {
    cat >slow <<SLOW
#!/bin/bash
exec strace -D -f -qq -o /dev/null -e trace=rename,renameat,renameat2 -e inject=rename,renameat,renameat2:delay_enter=$1 "$program" "\$@"
SLOW
    chmod +x slow
    realpath slow
}

# Number of frames in the output folder and in the folders of shards.
frames() {
    find "$out" -name 'frame_*.png' 2>/dev/null | wc -l
}

frames_reach() {
    [ "$(frames)" -ge "$1" ]
}

# Changes one bit in the middle of a file.
flip_bit() {
    local middle byte
    middle=$(($(stat --format %s "$1") / 2))
    byte=$(od --address-radix=n --format=u1 --skip-bytes="$middle" --read-bytes=1 "$1")
    # shellcheck disable=SC2059
    printf "\\x$(printf %02x $((byte ^ 1)))" | dd of="$1" bs=1 seek="$middle" conv=notrunc status=none
}
