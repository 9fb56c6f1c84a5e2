#!/bin/sh
# load.sh postgresql|clickhouse DIR...: loads run.csv, results.csv and, where it is there, offcpu.csv of each
# DIR, as readperf writes them with --tag=service=... --tag=version=..., into the database that psql or
# clickhouse-client finds by its environment or by $CLIENT (a command with options). The first time it makes
# the tables.
#
# The cells are first loaded as text into tables with the columns of the files' first lines, and taken from
# there by name: so tables of several versions of readperf go together. Runs that are there already are left
# out. A folder is loaded as a whole or not at all: PostgreSQL has transactions; in ClickHouse, which has
# none, the next call removes what a call that failed has left, so let one call at a time load there.
set -eu

here=$(cd -P "$(dirname "$0")" && pwd)

usage() {
	echo "usage: load.sh postgresql|clickhouse DIR..." >&2
	exit 2
}

fail() {
	echo "load.sh: $*" >&2
	exit 1
}

# columns_of FILE: for CREATE TABLE, all of text
columns_of() {
	head -n 1 "$1" | sed "s/[^,]*/\"&\" $text/g"
}

# has FILE COLUMN
has() {
	head -n 1 "$1" | tr , '\n' | grep -qxF "$2"
}

# check FILE COLUMN...: the first line names these columns, and no line ends what psql reads (a name may
# hold any bytes)
check() {
	file=$1
	shift
	[ -r "$file" ] || fail "$file: cannot be read"
	! head -n 1 "$file" | grep -q '[^A-Za-z0-9_.:#,]' || fail "$file: the first line names no columns"
	for column; do
		has "$file" "$column" || fail "$file: there is no column $column"
	done
	! grep -q '^\\\.' "$file" || fail "$file: a line begins with \\., which psql takes for the end"
}

# check_folder DIR
check_folder() {
	[ -d "$1" ] || fail "$1: is not a folder"
	check "$1/run.csv" run host command start start_by duration kernel cpu samples lost
	check "$1/results.csv" run event binary function filename period samples children_period build_id reason
	[ ! -e "$1/offcpu.csv" ] ||
		check "$1/offcpu.csv" run comm binary function state waits_in wait_ns delay_ns count
}

# u64 COLUMN: that number, from text; 0 in place of none for ClickHouse, NULL for PostgreSQL
u64() {
	case $engine in
	postgresql) echo "\"$1\"::numeric" ;;
	clickhouse) echo "toUInt64OrZero(\"$1\")" ;;
	esac
}

# u64_or_0 FILE COLUMN: that number, and 0 where there is none, as in the tables of earlier versions
u64_or_0() {
	if has "$1" "$2"; then
		echo "coalesce($(u64 "$2"), 0)"
	else
		echo 0
	fi
}

# words COLUMN...: texts; none is the empty one
words() {
	list=
	for column; do
		case $engine in
		postgresql) list="$list${list:+, }coalesce(\"$column\", '')" ;;
		clickhouse) list="$list${list:+, }\"$column\"" ;;
		esac
	done
	echo "$list"
}

# tag FILE KEY: a text, which is empty where the recordings were read without that tag
tag() {
	if has "$1" "$2"; then
		words "$2"
	else
		echo "''"
	fi
}

# files_of DIR: the names of its files, each of which goes to the table loaded_NAME
files_of() {
	echo run results
	[ ! -e "$1/offcpu.csv" ] || echo offcpu
}

# insert TABLE COLUMNS FILE CELLS: the rows of loaded_FILE whose runs are not there yet. A run that has no
# hash, as that of a stream, cannot be told from others.
insert() {
	echo "INSERT INTO $1 ($2) SELECT $4 FROM loaded_$3 WHERE run <> '' AND
		run IN (SELECT run FROM loaded_run) AND run NOT IN (SELECT run FROM runs);"
}

insert_functions() {
	columns='run, event, "binary", "function", filename, period, samples, children_period, build_id, reason'
	cells="$(words run event binary function filename), $(u64 period), $(u64 samples)"
	insert functions "$columns" results "$cells, $(u64 children_period), $(words build_id reason)"
}

insert_waits() {
	columns='run, comm, "binary", "function", state, waits_in, wait_ns, delay_ns, nr'
	cells="$(words run comm binary function state waits_in), $(u64 wait_ns), $(u64 delay_ns), $(u64 count)"
	insert waits "$columns" offcpu "$cells"
}

# insert_runs DIR
insert_runs() {
	columns='run, service, version, host, command, start, start_by, duration, kernel, cpu, samples, lost'
	columns="$columns, damaged, truncated_bytes, missing_bytes"
	tags="$(tag "$1/run.csv" service), $(tag "$1/run.csv" version)"
	cells="$(words run), $tags, $(words host command), $(u64 start), $(words start_by), $(u64 duration)"
	cells="$cells, $(words kernel cpu), $(u64 samples), $(u64 lost), $(u64_or_0 "$1/run.csv" damaged)"
	cells="$cells, $(u64_or_0 "$1/run.csv" truncated_bytes), $(u64_or_0 "$1/run.csv" missing_bytes)"
	insert runs "$columns" run "$cells"
}

# inserts DIR: runs come last, since they tell what is there already
inserts() {
	insert_functions
	[ ! -e "$1/offcpu.csv" ] || insert_waits
	insert_runs "$1"
}

# transaction DIR: what psql reads. A file stands between the statements, with the line that ends it.
transaction() {
	echo 'BEGIN;'
	for name in $(files_of "$1"); do
		echo "CREATE TEMP TABLE loaded_$name ($(columns_of "$1/$name.csv")) ON COMMIT DROP;"
		echo "COPY loaded_$name FROM STDIN WITH (FORMAT csv, HEADER true);"
		cat "$1/$name.csv"
		echo '\.'
	done
	inserts "$1"
	echo 'COMMIT;'
	echo "SELECT 'loaded';"
}

# A script that ends early is not an error for psql: its last line tells that all of it came.
load_postgresql() {
	said=$(transaction "$1" | $client -X -q -At -v ON_ERROR_STOP=1)
	[ "$said" = loaded ] || fail "$1: not loaded"
}

load_clickhouse() {
	for name in $(files_of "$1"); do
		$client --query "DROP TABLE IF EXISTS loaded_$name"
		$client --query "CREATE TABLE loaded_$name ($(columns_of "$1/$name.csv")) ENGINE = Memory"
		$client --query "INSERT INTO loaded_$name FORMAT CSVWithNames" <"$1/$name.csv"
	done
	inserts "$1" | $client --multiquery
	for name in $(files_of "$1"); do
		$client --query "DROP TABLE loaded_$name"
	done
}

make_postgresql() {
	{ echo 'SET client_min_messages = warning;' && cat "$here/postgresql.sql"; } | $client -X -q -v ON_ERROR_STOP=1
}

# nr_clickhouse FROM: how many rows
nr_clickhouse() {
	$client --query "SELECT count() FROM $1"
}

# clean_clickhouse TABLE: rows of runs that are not there are from a call that failed. ClickHouse removes
# them in the background.
clean_clickhouse() {
	left="run NOT IN (SELECT run FROM runs)"
	[ "$(nr_clickhouse "$1 WHERE $left")" -ne 0 ] || return 0
	$client --query "ALTER TABLE $1 DELETE WHERE $left"
	for _ in $(seq 600); do
		[ "$(nr_clickhouse "$1 WHERE $left")" -ne 0 ] || return 0
		sleep 1
	done
	fail "ClickHouse does not remove from $1 what a call that failed has left"
}

# add_clickhouse COLUMN...: to runs, where they are not there: databases of earlier versions lack them
add_clickhouse() {
	for column; do
		there="database = currentDatabase() AND table = 'runs' AND name = '$column'"
		[ "$(nr_clickhouse "system.columns WHERE $there")" -ne 0 ] ||
			$client --query "ALTER TABLE runs ADD COLUMN $column UInt64"
	done
}

make_clickhouse() {
	$client --multiquery <"$here/clickhouse.sql"
	add_clickhouse damaged truncated_bytes missing_bytes
	clean_clickhouse functions
	clean_clickhouse waits
}

[ $# -ge 2 ] || usage
engine=$1
shift
case $engine in
postgresql)
	client=${CLIENT:-psql}
	text=text
	;;
clickhouse)
	client=${CLIENT:-clickhouse-client}
	text=String
	;;
*) usage ;;
esac
for dir; do
	check_folder "$dir"
done
"make_$engine"
for dir; do
	"load_$engine" "$dir"
done
