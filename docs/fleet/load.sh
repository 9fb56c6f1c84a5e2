#!/bin/sh
# load.sh postgresql|clickhouse DIR...: loads run.csv, results.csv and offcpu.csv of each DIR, as readperf
# writes them with --tag=service=... --tag=version=..., into the database that psql or clickhouse-client
# finds by its environment or by $CLIENT (a command with options). The first time it makes the tables.
#
# The cells are first loaded as text into a table with the columns of the file's first line, and taken
# from there by name: so tables of several versions of readperf go together. Runs that are there already
# are left out.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
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
*)
	echo "usage: load.sh postgresql|clickhouse DIR..." >&2
	exit 2
	;;
esac

# columns_of FILE: for CREATE TABLE, all of text
columns_of() {
	head -n 1 "$1" | sed "s/[^,]*/\"&\" $text/g"
}

# u64 COLUMN: that number, from text; 0 in place of none for ClickHouse, NULL for PostgreSQL
u64() {
	case $engine in
	postgresql) echo "\"$1\"::numeric" ;;
	clickhouse) echo "toUInt64OrZero(\"$1\")" ;;
	esac
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

# check FILE: the first line names columns, and no line ends what psql reads (a name may hold any bytes)
check() {
	if head -n 1 "$1" | grep -q '[^A-Za-z0-9_.:#,]'; then
		echo "load.sh: $1: the first line names no columns" >&2
		exit 1
	fi
	if grep -q '^\\\.' "$1"; then
		echo "load.sh: $1: a line begins with \\., which psql takes for the end" >&2
		exit 1
	fi
}

# shellcheck disable=SC2094 # the file is only read
# load FILE TABLE SELECTED: the rows of FILE whose runs are not there yet
load() {
	[ -e "$1" ] || return 0
	check "$1"
	insert="INSERT INTO $2 SELECT $3 FROM loaded WHERE run NOT IN (SELECT run FROM runs)"
	case $engine in
	postgresql)
		$client -q -v ON_ERROR_STOP=1 -c "CREATE TEMP TABLE loaded ($(columns_of "$1"))" \
			-c "COPY loaded FROM STDIN WITH (FORMAT csv, HEADER true)" -c "$insert" <"$1"
		;;
	clickhouse)
		$client --query "DROP TABLE IF EXISTS loaded"
		$client --query "CREATE TABLE loaded ($(columns_of "$1")) ENGINE = Memory"
		$client --query "INSERT INTO loaded FORMAT CSVWithNames" <"$1"
		$client --query "$insert"
		$client --query "DROP TABLE loaded"
		;;
	esac
}

case $engine in
postgresql) $client -q -v ON_ERROR_STOP=1 <"$here/postgresql.sql" 2>&1 | grep -v 'NOTICE:' || : ;;
clickhouse) $client --multiquery <"$here/clickhouse.sql" ;;
esac
for dir; do
	load "$dir/results.csv" functions "$(words run event binary function filename), $(u64 period), $(u64 samples), $(u64 children_period), $(words build_id reason)"
	load "$dir/offcpu.csv" waits "$(words run comm binary function state waits_in), $(u64 wait_ns), $(u64 delay_ns), $(u64 count)"
	load "$dir/run.csv" runs "$(words run service version host command), $(u64 start), $(u64 duration), $(words kernel cpu), $(u64 samples), $(u64 lost)"
done
