#!/bin/sh
# tests/readers/run.sh: reads the exports and the tables as others do; `make readers`
# calls it.
#
#   READPERF  the program under test
#   BUILD     a folder for what npm installs, for the exports and for the tables
#   TOOLS     the folder of the helpers: fleet
#
# JUnit by its schema (xmllint), SARIF by the official one, the other JSON by those here (ajv), markdown
# by GitHub's own renderer (cmark-gfm), the tables by DuckDB,
# Parquet by DuckDB and hyparquet. Of runs: pprof (go), callgrind_annotate
# (valgrind), speedscope's own schema, what the Firefox Profiler relies on, perf2bolt where it is
# installed; of many runs: fleet.sh. What is needed comes from package-lock.json and from the system's
# packages, which ./bootstrap readers installs. The last line counts what passed and
# what failed; whatever cannot run is a failure.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
data=$here/../data
exports=$BUILD/exports
forms=markdown,junit,json,sarif,codequality,benchmark,github

for tool in node npm xmllint cmark-gfm go callgrind_annotate; do
	command -v "$tool" >/dev/null || {
		echo "$tool is not installed: ./bootstrap readers installs it" >&2
		exit 1
	}
done

# installed: what the lock file asks for, anew only if that has changed
mkdir -p "$BUILD"
if ! cmp -s "$here/package-lock.json" "$BUILD/installed.json"; then
	rm -f "$BUILD/installed.json"
	cp "$here/package.json" "$here/package-lock.json" "$BUILD/"
	npm ci --prefix "$BUILD" --ignore-scripts --no-audit --no-fund --loglevel=error
	cp "$here/package-lock.json" "$BUILD/installed.json"
fi

# export_as NAME ARGUMENT...: into $exports/NAME; a gate that fires is no failure here
export_as() {
	to=$exports/$1
	shift
	status=0
	"$READPERF" diff -q --csv=raw --buildid-dir="$data/buildid" --strip-prefix=/src/ \
		--export=$forms -o "$to" "$@" || status=$?
	case $status in
	0) ;;
	4) : >"$to/gated" ;;
	*) exit 1 ;;
	esac
	cmark-gfm --unsafe -e table -e autolink -e strikethrough -e tagfilter "$to/diff.md" >"$to/shown.html"
}

rm -rf "$exports"
mkdir -p "$exports"
for kind in hostile many; do
	for times in 1 2; do
		"$here/make_csv.sh" $kind $times >"$exports/$kind-$times.csv"
	done
done
old=$data/change-1.0.data
new=$data/change-2.0.data
export_as period "$old" "$new"
export_as share --by=share "$old" "$new"
export_as rate --by=rate --strip-prefix=/usr/src "$old" "$old" vs "$new" "$new"
export_as gate --by=period --fail-on=slower:1:1.5 "$old" "$new"
export_as same "$old" "$old"
export_as events "$data/demo-callgraph.data" "$data/demo-callgraph.data"
cd "$exports"
export_as hostile --by=period hostile-1.csv hostile-1.csv vs hostile-2.csv hostile-2.csv
export_as many --by=period many-1.csv many-1.csv vs many-2.csv many-2.csv

# JUnit: its schema, and that it refuses what is wrong
passed=0
failed=0
for file in */diff.junit.xml; do
	if xmllint --noout --nonet --schema "$here/junit.xsd" "$file" 2>said; then
		passed=$((passed + 1))
		echo "ok       $file by its schema"
	else
		failed=$((failed + 1))
		echo "FAILED   $file: $(head -n 3 said)"
	fi
done
if sed 's/ classname="[^"]*"//' share/diff.junit.xml | xmllint --noout --schema "$here/junit.xsd" - 2>said; then
	failed=$((failed + 1))
	echo "FAILED   the schema of diff.junit.xml takes what is wrong"
else
	passed=$((passed + 1))
	echo "ok       the schema of diff.junit.xml refuses what is wrong"
fi

# count_of COMMAND...: what a program says whose last line counts; one that does not count has failed
count_of() {
	"$@" >said || true
	sed '$d' said
	counts=$(tail -n 1 said)
	case $counts in
	*' passed, '*' failed') ;;
	*) counts='0 passed, 1 failed' ;;
	esac
	passed=$((passed + ${counts%% *}))
	counts=${counts#*, }
	failed=$((failed + ${counts%% *}))
}
count_of node "$here/check.mjs" "$BUILD" ./*/

# run_as NAME ARGUMENT...: the exports of a run into $BUILD/runs/NAME, with its results.csv
run_as() {
	to=$BUILD/runs/$1
	shift
	"$READPERF" -q --csv=raw --tables=results --export=json,callgrind,speedscope,pprof,firefox \
		--buildid-dir="$data/buildid" -o "$to" "$@"
}
rm -rf "$BUILD/runs" "$BUILD/labels" "$BUILD/parquet"
run_as events "$data/demo-callgraph.data"
run_as inlined --inline "$data/demo-callgraph.data"
run_as flat --tag=service=shop --tag=version=1.4 "$data/demo.data"
run_as cut "$data/stacks.data"
count_of node "$here/runs.mjs" "$BUILD" "$BUILD"/runs/*

# BOLT, if it is there: all runs of code lie in the binary, and begin and end at its instructions
bolt=$(for dir in $(echo "$PATH" | tr : ' '); do ls "$dir"/perf2bolt "$dir"/perf2bolt-[0-9]* 2>/dev/null || :; done | head -n 1)
if [ -n "$bolt" ]; then
	"$READPERF" -q --tables=none --export=bolt --buildid-dir="$data/buildid" -o "$BUILD/runs" "$data/branches.data"
	binary=$data/buildid/.build-id/5e/97f97092ddfa94e1be1cf5f104844dc4498fc0/elf
	if "$bolt" --pa -p "$BUILD/runs/bolt.preagg" -o "$BUILD/runs/bolt.fdata" "$binary" >said 2>&1 &&
		grep -q 'disassembled function contents: 0 ' said &&
		grep -q 'involving unknown regions: 0 ' said && [ -s "$BUILD/runs/bolt.fdata" ]; then
		passed=$((passed + 1))
		echo "ok       bolt.preagg by perf2bolt"
	else
		failed=$((failed + 1))
		echo "FAILED   bolt.preagg: $(tail -n 3 said)"
	fi
else
	echo "skipped  bolt.preagg: perf2bolt is not installed (Debian: bolt-16)"
fi

for name in demo-callgraph waits stacks; do
	"$READPERF" -q --csv=raw --tables=results --export=pprof --per=comm,tid,cpu --buildid-dir="$data/buildid" \
		-o "$BUILD/labels/$name" "$data/$name.data" 2>said
done
count_of node "$here/labels.mjs" "$BUILD"/labels/*

for name in demo-callgraph branches memory waits counters stacks; do
	"$READPERF" -q --csv=raw --tables=all --inline --export=parquet --buildid-dir="$data/buildid" \
		-o "$BUILD/parquet/$name" "$data/$name.data" 2>said
done
count_of node "$here/parquet.mjs" "$BUILD" "$BUILD"/parquet/*

tables=$BUILD/tables
rm -rf "$tables"
mkdir -p "$tables"
"$READPERF" -q --tables=all --export=folded -o "$tables/tables" --buildid-dir="$data/buildid" "$data/demo-callgraph.data"
"$READPERF" diff -q --tables=all -o "$tables/tables" --buildid-dir="$data/buildid" "$old" "$new"
"$READPERF" --describe=columns >"$tables/columns.csv"
count_of node "$here/duckdb.mjs" "$BUILD" "$tables"
count_of "$here/fleet.sh"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
