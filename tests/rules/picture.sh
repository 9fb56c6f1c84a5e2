#!/bin/sh
# The picture in README.md is what the program prints: made anew, it comes out the same.
set -eu
[ -n "${READPERF:-}" ] || { echo "no program to make the picture with" && exit 77; }
tests=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT && cd "$scratch"

"$tests/picture.sh" "$READPERF" >console.svg
diff -u "$tests/../docs/console.svg" console.svg || { echo "docs/console.svg is out of date: run make picture" && exit 1; }
