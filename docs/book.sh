#!/usr/bin/env bash
# Builds the book with mdBook: docs/book.sh [FOLDER]. Its first page is FOLDER/html/index.html; the default folder is target/book.
# Pages link to scenes, pictures and sources outside docs, so all of these are first copied to FOLDER/source.
set -euo pipefail
cd "$(dirname "$0")/.."
book="${1:-target/book}"

rm -rf "$book/source" "$book/html"
mkdir -p "$book/source"
git ls-files -z README.md CONTRIBUTING.md CHANGELOG.md docs scenes sweeps examples benches/peers src tests/golden/scenes crates |
    tar --null -T - -cf - | tar -xf - -C "$book/source"
# Tables of fields are wider than a page of the book.
page="$book/source/docs/scene-format.md"
awk -f docs/definitions.awk docs/scene-format.md > "$page"
# There, the summary is in the root folder, so its links begin with docs/.
sed -e 's|](|](docs/|' -e 's|](docs/\.\./|](|' docs/SUMMARY.md > "$book/source/SUMMARY.md"
sed -e 's|^src = .*|src = "source"|' -e 's|^build-dir = .*|build-dir = "html"|' docs/book.toml > "$book/book.toml"
mdbook build "$book"
# A page that plays all scenes, if the program and the WebAssembly module are built.
catena="${CATENA:-target/release/catena}"
module="${CATENA_WASM:-target/catena_web.wasm}"
if [ -x "$catena" ] && [ -f "$module" ]; then
    "$catena" page scenes/*.ron --module "$module" -o "$book/html/scenes.html"
else
    echo "no page of scenes: $catena or $module is missing" >&2
fi
