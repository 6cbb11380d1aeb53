#!/usr/bin/env bash
# Builds the book with mdBook: docs/book.sh [FOLDER]; its first page is FOLDER/html/index.html, by default in target/book.
# Pages link to scenes, pictures and sources beside docs, so all of these are put together in FOLDER/source first.
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
# The summary lies at the top there, and so its links begin with docs/.
sed -e 's|](|](docs/|' -e 's|](docs/\.\./|](|' docs/SUMMARY.md > "$book/source/SUMMARY.md"
sed -e 's|^src = .*|src = "source"|' -e 's|^build-dir = .*|build-dir = "html"|' docs/book.toml > "$book/book.toml"
mdbook build "$book"
# A page that plays all scenes, where the program and the module of pages are built.
catena="${CATENA:-target/release/catena}"
module="${CATENA_WASM:-target/catena_web.wasm}"
if [ -x "$catena" ] && [ -f "$module" ]; then
    "$catena" page scenes/*.ron --module "$module" -o "$book/html/scenes.html"
else
    echo "no page of scenes: $catena or $module is missing" >&2
fi
