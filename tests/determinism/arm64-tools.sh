# Shared functions of the arm64 scripts, for builds and emulation. The scripts source this file in the root folder of the repository.
# RUSTC may name another compiler that can build for aarch64-unknown-linux-gnu.

target=aarch64-unknown-linux-gnu
root=/usr/aarch64-linux-gnu
export RUSTC="${RUSTC:-/usr/bin/rustc}"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
# Separate from ordinary builds, because another compiler would rebuild them.
arm64_folder="${CARGO_TARGET_DIR:-target}/arm64"
# A lint driver that replaces the compiler has no standard library for arm64.
unset RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER

missing=()
library="$("$RUSTC" --print target-libdir --target "$target" 2>/dev/null)" || missing+=(rustc-web)
[ -d "$library" ] || missing+=(libstd-rust-web-dev:arm64)
command -v aarch64-linux-gnu-gcc >/dev/null || missing+=(gcc-aarch64-linux-gnu)
[ -e "$root/include/stdio.h" ] || missing+=(libc6-dev-arm64-cross)
command -v qemu-aarch64 >/dev/null || missing+=(qemu-user)
if [ ${#missing[@]} -gt 0 ]; then
    echo "missing: ${missing[*]}. On Debian 12:"
    echo "    dpkg --add-architecture arm64 && apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    exit 2
fi

# Runs a program for arm64. Its C library and its loader must come from the same package, or threads hang; the system's cache may point to another one.
emulate() {
    qemu-aarch64 -L "$root" -E LD_LIBRARY_PATH="$root/lib" "$@"
}

# Builds a program for arm64: `build_arm64 [OPTION…]`. Optimisation above level 1 takes longer than it saves.
build_arm64() {
    CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_INCREMENTAL=0 \
        cargo build --release --locked --target "$target" --target-dir "$arm64_folder" "$@"
}

# Compares the output of tests/arm64 with states.txt.
hold_to_states() {
    local states=tests/determinism/states.txt differing
    # Empty files on both sides would be equal.
    [ -s "$1" ] && [ -s "$states" ] || { echo "no states to compare"; exit 1; }
    if differing="$(grep -vxFf "$states" "$1")"; then
        echo "arm64 differs from $states:"
        echo "$differing"
        exit 1
    fi
    echo "$(wc -l < "$1") states, $(grep -cv -e '-$' "$1") of them with a picture, are equal to x86-64"
}
