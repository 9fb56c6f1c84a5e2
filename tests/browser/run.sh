#!/bin/sh
# tests/browser/run.sh: looks at the pages of --export=html in a browser; `make check-browser` calls it.
#
#   READPERF  the program under test, which check.mjs asks for parts of the recordings, too
#   BUILD     a folder for what npm installs, for the pages, and for a picture of each view
#
# Chromium (of the system) is led by puppeteer-core, which comes from package-lock.json. Pages are made
# of the bundled recording, of one whose functions have hostile names, and of one with deep call chains.
# The last line counts what passed and what failed; whatever cannot run is a failure.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
data=$here/../data

for tool in node npm objcopy; do
	command -v "$tool" >/dev/null || {
		echo "$tool is not installed: ./bootstrap browser installs it" >&2
		exit 1
	}
done
BROWSER=$("$here/browser.sh") || {
	echo "Chromium is not installed: ./bootstrap browser installs it" >&2
	exit 1
}
export BROWSER

# installed: what the lock file asks for, anew only if that has changed
mkdir -p "$BUILD"
if ! cmp -s "$here/package-lock.json" "$BUILD/installed.json"; then
	rm -f "$BUILD/installed.json"
	cp "$here/package.json" "$here/package-lock.json" "$BUILD/"
	npm ci --prefix "$BUILD" --ignore-scripts --no-audit --no-fund --loglevel=error
	cp "$here/package-lock.json" "$BUILD/installed.json"
fi

pages=$BUILD/pages
rm -rf "$pages"
mkdir -p "$pages/cache"

# page NAME ARGUMENT...: the page and the tables that it must agree with, in $pages/NAME
page() {
	name=$1
	shift
	"$READPERF" -q --tables=results,paths,addresses --export=html -o "$pages/$name" "$@"
	printf '%s\n' "$@" >"$pages/$name/arguments"
}
page demo --buildid-dir="$data/buildid" --source-dir="/usr/src/demo=$data" "$data/demo-callgraph.data"
page raw --csv=raw --inline --buildid-dir="$data/buildid" "$data/demo-callgraph.data"
page empty --comm=nobody "$data/waits.data"
page small --html-size=64K --buildid-dir="$data/buildid" "$data/demo-callgraph.data"
page uncounted --inline --buildid-dir="$data/buildid" "$data/branches.data"
page flat --buildid-dir="$data/buildid" "$data/demo.data"

# hostile: the same recording, but its functions are called as nobody would call them
cp -R "$data/buildid/.build-id" "$pages/cache/"
id=5e/97f97092ddfa94e1be1cf5f104844dc4498fc0
long=$(printf '%065536d' 0 | tr 0 L)
objcopy --redefine-sym 'count_words=</script><img src=x onerror=alert(1)>' \
	--redefine-sym "hash_word=$(printf '\342\200\256drow_hsah<b>')" \
	--redefine-sym "count_word=$long" \
	--redefine-sym "make_text=$(printf 'line\nbreak\r,"quoted"')" \
	--redefine-sym 'sort_entries==cmd()' "$data/buildid/.build-id/$id/elf" "$pages/cache/.build-id/$id/elf"
mkdir "$pages/source"
awk -v long="$long" 'NR % 5 == 1 { print "</script><img src=x onerror=alert(1)><script>alert(2)</script>"; next }
	NR % 5 == 2 { print "\342\200\256<b>turned</b>\t\001\033[31m"; next } NR == 84 { print long; next } { print }' \
	"$data/demo.c" >"$pages/source/demo.c"
page hostile --buildid-dir="$pages/cache" --source-dir="/usr/src/demo=$pages/source" "$data/demo-callgraph.data"
page stripped --buildid-dir="$pages/none" "$data/demo-callgraph.data"

# deep: many rows, and a C++ function
mkdir "$pages/long"
cp -R "$data/buildid/.build-id" "$pages/long/"
objcopy --redefine-sym "hash_word=$(printf 'std::vector<std::pair<int, long>, %0300d>::at(unsigned long)' 0)" \
	"$data/buildid/.build-id/$id/elf" "$pages/long/.build-id/$id/elf"
node "$here/deep.mjs" "$pages/deep.data"
page deep --buildid-dir="$pages/long" "$pages/deep.data"

# nothing: not even an event, which is a loss; the program says so
head -c 16 "$data/demo-pipe.data" >"$pages/nothing.data"
status=0
"$READPERF" -q --tables=results,paths,addresses --export=html -o "$pages/nothing" "$pages/nothing.data" 2>/dev/null ||
	status=$?
[ $status -eq 3 ]
printf '%s\n' "$pages/nothing.data" >"$pages/nothing/arguments"

# comparison NAME ARGUMENT...: a page, and the table it must agree with
comparison() {
	name=$1
	shift
	"$READPERF" diff -q --export=html -o "$pages/$name" "$@"
}
# with_children NAME ARGUMENT...: also the table of functions with their callees
with_children() {
	comparison "$@"
	shift
	"$READPERF" diff -q --children -o "$pages/$name/children" "$@"
}
comparison change --by=period --buildid-dir="$data/buildid" "$data/change-1.0.data" "$data/change-1.0.data" vs \
	"$data/change-2.0.data" "$data/change-2.0.data"
comparison chains --by=share --csv=raw --buildid-dir="$data/buildid" "$data/demo.data" "$data/demo-callgraph.data"
with_children alike --buildid-dir="$data/buildid" "$data/demo-callgraph.data" "$data/demo-callgraph.data"
with_children diff-hostile --buildid-dir="$pages/cache" --label='</script><img src=x onerror=alert(1)>,=new' \
	"$data/demo-callgraph.data" "$data/demo-callgraph.data"
comparison diff-tables "$pages/flat/results.csv" "$data/demo-callgraph.data"
comparison deep-diff --buildid-dir="$pages/long" "$pages/deep.data" "$pages/deep.data"

failed=
COUNTS=$pages/counts # a line from each of the three
export COUNTS
node "$here/checkdiff.mjs" "$BUILD" "$pages/change" "$pages/diff-tables" "$pages/diff-hostile" "$pages/chains" \
	"$pages/alike" || failed=yes
node "$here/check.mjs" "$BUILD" "$pages/empty" "$pages/small" "$pages/uncounted" "$pages/demo" "$pages/raw" "$pages/flat" "$pages/stripped" "$pages/hostile" || failed=yes
node "$here/checkuse.mjs" "$BUILD" "$pages/deep" "$pages/deep-diff" "$pages/nothing" "$pages/demo" "$pages/stripped" || failed=yes
awk '{ passed += $1; failed += $2 } END { printf "%d passed, %d failed\n", passed, failed }' "$COUNTS"
[ -z "$failed" ]
