#!/bin/sh
# A binary that only a debuginfod server has, here one on this machine: asked with --debuginfod alone,
# once for each file, and the tables are those that the binary itself gives.
set -eu
skip() {
	echo "$*"
	exit 77
}
command -v debuginfod >/dev/null || skip "debuginfod is not installed"
command -v debuginfod-find >/dev/null || skip "debuginfod-find is not installed"

id=5e97f97092ddfa94e1be1cf5f104844dc4498fc0
cache=.build-id/$(echo $id | cut -c 1-2)/$(echo $id | cut -c 3-)/elf
mkdir served
cp "data/buildid/$cache" served/demo
port=$((20000 + $$ % 10000))
debuginfod -d server.sqlite -F -p $port served >server.log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true; wait' EXIT
DEBUGINFOD_URLS=http://127.0.0.1:$port
export DEBUGINFOD_URLS

# Until the server has read its files; what it lacked before then must not be remembered.
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	DEBUGINFOD_CACHE_PATH=$PWD/try$try debuginfod-find executable $id >/dev/null 2>&1 && break
	kill -0 $server 2>/dev/null || skip "debuginfod does not run: $(tail -n 1 server.log)"
	sleep 0.5
done

# tables DIR OPTIONS...
tables() {
	dir=$1
	shift
	readperf --quiet --tables=results,binaries -o "$dir" --debug-dir=/none "$@" data/demo-callgraph.data
}

DEBUGINFOD_CACHE_PATH=$PWD/fetched
export DEBUGINFOD_CACHE_PATH
tables without --buildid-dir=/none
[ ! -e fetched ] || { echo "a server was asked without --debuginfod" && exit 1; }
has file-missing without/results.csv

tables fetched_tables --buildid-dir=/none --debuginfod
tables direct --buildid-dir=data/buildid
cmp fetched_tables/results.csv direct/results.csv
has ",$PWD/fetched/$id/executable,debuginfod," fetched_tables/binaries.csv

# A server that is not there is no error, and what was fetched is at hand without one.
kill $server
wait $server 2>/dev/null || true
tables again --buildid-dir=/none --debuginfod
cmp again/results.csv direct/results.csv
DEBUGINFOD_CACHE_PATH=$PWD/empty tables gone --buildid-dir=/none --debuginfod
cmp gone/results.csv without/results.csv
has 'executable of DEBUGINFOD_URLS: no answer' gone/binaries.csv
