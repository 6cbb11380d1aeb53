#!/usr/bin/env bash
# Tests a render by `openjd run`, from the shards to the film.
source "$(dirname "$0")/common.sh"
trap 'cd /; rm -rf "$work"' EXIT

whole
print_job openjd template.yaml --shards 4 --film film.png
openjd check template.yaml
# The command in the first lines of the template.
command=$(sed -n 's/^# Run: *//p; s/^#  *\(-p .*\)/\1/p' template.yaml)
eval "$command -p Catena=\"\$program\"" >log 2>&1 || fail "$(tail -n 40 log)"
is_whole openjd
"$program" film whole -o expected.png --quiet
cmp expected.png film.png
openjd summary template.yaml >summary
grep -q 'Total steps: 3' summary && grep -q 'Total tasks: 6' summary || fail "$(cat summary)"
