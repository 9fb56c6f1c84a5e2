#!/bin/sh
# tests/readers/fleet.sh: docs/fleet/ on real engines: DuckDB, PostgreSQL and ClickHouse, each loaded with the
# tables of many runs; the answers to the ten questions must be the same in all. `make readers` calls it.
#
#   READPERF  the program under test
#   BUILD     the folder of tests/readers/run.sh: DuckDB is in it, and fleet/ becomes the fleet
#   TOOLS     the folder of the helpers: fleet, which makes recordings
#   RUNS      how many runs (200); 10000 for the table in docs/fleet.md
#
# PostgreSQL runs on a socket in fleet/, ClickHouse on loopback at port 19000; each stops at the end. An
# engine that is not installed is left out, and a line says so. Small fleets come after the large one, for what
# can be wrong: fleet_cases.sh. The last line counts what passed and what failed; the lines before tell
# milliseconds and bytes.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
docs=$here/../../docs/fleet
data=$here/../data
fleet=$BUILD/fleet
runs=${RUNS:-200}
passed=0
failed=0
engines=

stop() {
	[ ! -e "$fleet/pg/postmaster.pid" ] || as_nobody "$pgbin/pg_ctl" -s -D "$fleet/pg" -m fast stop || :
	[ ! -e "$fleet/clickhouse.pid" ] || kill "$(cat "$fleet/clickhouse.pid")" || :
}

# PostgreSQL does not run as root.
as_nobody() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
	else
		"$@"
	fi
}

now() {
	date +%s%N | cut -c 1-13
}

# timed NAME COMMAND...: the command, and a line with its milliseconds
timed() {
	name=$1
	shift
	began=$(now)
	"$@"
	echo "         $name: $(($(now) - began)) ms"
}

ok() {
	passed=$((passed + 1))
	echo "ok       $1"
}

bad() {
	failed=$((failed + 1))
	echo "FAILED   $1"
}

make_tables() {
	for version in 0 1 2 3 4 5 6 7 8 9; do
		"$READPERF" -q --csv=raw --tag=service=shop --tag=version=1.$version --tables=run,results,offcpu \
			--buildid-dir="$data/buildid" --kallsyms="$data/service.kallsyms" \
			-o "$fleet/tables/1.$version" "$fleet/runs/$version"
	done
}

load_duckdb() {
	node "$here/fleet.mjs" "$BUILD" "$fleet/duck.db" load "$docs/duckdb.sql"
}

# ask_ENGINE QUERY: the answer, in lines with tabs
ask_duckdb() {
	node "$here/fleet.mjs" "$BUILD" "$fleet/duck.db" ask "$1" 2>"$fleet/ms"
}

start_postgresql() {
	pgbin=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2>/dev/null | sort -V | tail -n 1)
	pgbin=${pgbin:-$(dirname "$(command -v postgres || echo /nowhere)")}
	[ -x "$pgbin/initdb" ] || return 1
	mkdir "$fleet/pg" "$fleet/socket"
	[ "$(id -u)" -ne 0 ] || chown postgres "$fleet/pg" "$fleet/socket"
	as_nobody "$pgbin/initdb" -A trust -U fleet -D "$fleet/pg" >"$fleet/pg.log" 2>&1
	as_nobody "$pgbin/pg_ctl" -s -w -D "$fleet/pg" -l "$fleet/pg/log" \
		-o "-c listen_addresses= -k $fleet/socket" start
	export PGHOST="$fleet/socket" PGUSER=fleet PGDATABASE=postgres
	psql -At -c 'SELECT version()' | cut -d ' ' -f 1-2
}

ask_postgresql() {
	psql -q -At -F '	' <"$1"
}

clickhouse_config() {
	cat <<-XML
		<yandex>
		<logger><level>warning</level><log>$fleet/clickhouse.log</log><errorlog>$fleet/clickhouse.err</errorlog></logger>
		<tcp_port>19000</tcp_port><listen_host>127.0.0.1</listen_host><path>$fleet/clickhouse/</path>
		<tmp_path>$fleet/clickhouse/tmp/</tmp_path><mark_cache_size>100000000</mark_cache_size>
		<users_config>$fleet/users.xml</users_config><default_profile>default</default_profile>
		<default_database>default</default_database>
		</yandex>
	XML
}

start_clickhouse() {
	command -v clickhouse-server >/dev/null && command -v clickhouse-client >/dev/null || return 1
	clickhouse_config >"$fleet/clickhouse.xml"
	cat >"$fleet/users.xml" <<-XML
		<yandex><profiles><default/></profiles><quotas><default/></quotas>
		<users><default><password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
		<quota>default</quota></default></users></yandex>
	XML
	mkdir "$fleet/clickhouse"
	clickhouse-server --config-file="$fleet/clickhouse.xml" >"$fleet/clickhouse.out" 2>&1 &
	echo $! >"$fleet/clickhouse.pid"
	export CLICKHOUSE="clickhouse-client --host 127.0.0.1 --port 19000"
	for _ in $(seq 50); do
		if $CLICKHOUSE --query "SELECT 'ClickHouse ' || version()" 2>/dev/null; then
			return 0
		fi
		sleep 0.2
	done
	cat "$fleet/clickhouse.out" >&2
	return 1
}

ask_clickhouse() {
	$CLICKHOUSE --join_default_strictness=ALL --format=TSV --multiquery <"$1"
}

# Tables are loaded once more: nothing may change by that.
load_all() {
	echo "DuckDB $(sed -n 's/.*"@duckdb\/node-api": "\(.*\)".*/\1/p' "$here/package.json")"
	timed 'DuckDB, loading' load_duckdb
	load_duckdb
	engines=duckdb
	if start_postgresql; then
		timed 'PostgreSQL, loading' "$docs/load.sh" postgresql "$fleet"/tables/*
		"$docs/load.sh" postgresql "$fleet"/tables/1.0
		engines="$engines postgresql"
	else
		echo "skipped  PostgreSQL is not installed: ./bootstrap readers installs it where it can"
	fi
	if start_clickhouse; then
		export CLIENT="$CLICKHOUSE"
		timed 'ClickHouse, loading' "$docs/load.sh" clickhouse "$fleet"/tables/*
		"$docs/load.sh" clickhouse "$fleet"/tables/1.0
		unset CLIENT
		engines="$engines clickhouse"
	else
		echo "skipped  ClickHouse is not installed: ./bootstrap readers installs it where it can"
	fi
}

sizes() {
	echo "         tables as CSV: $(du -sb "$fleet/tables" | cut -f 1) bytes"
	echo "         DuckDB: $(stat -c %s "$fleet/duck.db") bytes"
	case $engines in *postgresql*) psql -At -c "SELECT '         PostgreSQL: ' || sum(pg_total_relation_size(oid)) || ' bytes'
		FROM pg_class WHERE relname IN ('runs', 'functions', 'waits')" ;; esac
	case $engines in *clickhouse*) echo "         ClickHouse: $(du -sb "$fleet/clickhouse/data/default" | cut -f 1) bytes" ;; esac
}

# ask NUMBER: the question, of each engine; the answers must be the same
ask() {
	answers=
	for engine in $engines; do
		began=$(now)
		"ask_$engine" "$fleet/query-$1.sql" >"$fleet/answer-$1.$engine" || echo failed >"$fleet/answer-$1.$engine"
		took=$(($(now) - began))
		[ "$engine" != duckdb ] || took=$(cat "$fleet/ms")
		times="$times $engine $took ms,"
		answers="$answers $fleet/answer-$1.$engine"
	done
	# shellcheck disable=SC2086 # a list of files
	node "$here/fleet.mjs" - - same $answers 2>"$fleet/problem"
}

rm -rf "$fleet"
mkdir -p "$fleet/runs"
trap stop EXIT
timed "making $runs recordings" "$TOOLS/fleet" "$fleet/runs" "$runs" "$data/demo.data" "$data/demo-callgraph.data" \
	"$data/change-1.0.data" "$data/service.data" "$data/waits.data"
timed 'reading them' make_tables
cd "$fleet"
load_all
sizes
awk '/^-- [0-9]+\./ { nr++ } nr { print > ("query-" nr ".sql") }' "$docs/queries.sql"
for number in 1 2 3 4 5 6 7 8 9 10; do
	times=
	if ask $number; then
		ok "question $number:$times $(wc -l <"$fleet/answer-$number.duckdb") rows"
	else
		bad "question $number: $(cat "$fleet/problem")"
	fi
done
. "$here/fleet_cases.sh"
for engine in $engines; do
	all_cases "$engine"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
