# shellcheck shell=sh
# tests/readers/fleet_cases.sh: small fleets with a line for each thing that can be wrong, for fleet.sh, which
# reads this file. The tables are written here, so what they must become is known exactly.

# shellcheck disable=SC2154 # fleet.sh sets fleet, docs, here and engines
cases=$fleet/cases

# folder NAME TAGS: the head lines of its tables, with the columns that are needed
folder() {
	mkdir -p "$cases/tables/$1"
	at=$cases/tables/$1
	echo "run,host,command,start,start_by,duration,kernel,cpu,samples,lost$2" >"$at/run.csv"
	echo 'run,event,binary,function,filename,period,samples,children_period,build_id,reason' >"$at/results.csv"
}

# run_of HASH HOST TAGS: into the folder
run_of() {
	echo "$1,$2,shop,86400000000000,file,1000,6.1,cpu,3,0$3" >>"$at/run.csv"
}

# function_of HASH NAME FILENAME PERIOD
function_of() {
	echo "$1,cpu-clock:u,/shop,$2,$3,$4,1,$4,," >>"$at/results.csv"
}

# wait_of HASH NS
wait_of() {
	[ -e "$at/offcpu.csv" ] ||
		echo 'run,comm,binary,function,state,waits_in,wait_ns,delay_ns,count' >"$at/offcpu.csv"
	echo "$1,shop,/shop,main,S,futex,$2,1,2" >>"$at/offcpu.csv"
}

# Three runs of a version: count_words has two rows in one, one in another, and none in the third; sort takes
# more than the mean in one.
make_questions() {
	folder 1.9 ,service,version
	run_of 0xa one ,shop,1.9
	function_of 0xa count_words a.c 10
	function_of 0xa count_words b.c 20
	function_of 0xa sort sort.c 8
	run_of 0xb one ,shop,1.9
	function_of 0xb count_words a.c 30
	function_of 0xb sort sort.c 4
	run_of 0xc two ,shop,1.9
	function_of 0xc sort sort.c 12
}

# A run of that version whose file was cut off, in tables of a later version of readperf
make_cut() {
	folder cut ,service,version,damaged,truncated_bytes,missing_bytes
	run_of 0xca one ,shop,1.9,0,16,12440
	function_of 0xca count_words a.c 1
	function_of 0xca sort sort.c 1
}

# Runs of a stream have no hash; other folders hold a run again, or have no tags.
make_odd_folders() {
	at=$cases/tables/1.9
	run_of '' three ,shop,1.9
	function_of '' sort sort.c 99
	folder again ,service,version
	run_of 0xc two ,shop,1.9
	function_of 0xc sort sort.c 12
	folder untagged ''
	run_of 0xd four ''
	function_of 0xd sort sort.c 5
}

# Other tags may have any names, also those that stand in the scripts.
make_waits() {
	folder waits ,service,version,folder,name,path,loaded
	run_of 0xe five ,shop,2,a,b,c,d
	function_of 0xe sort sort.c 6
	wait_of 0xe 100
}

# use_cases ENGINE: a database of its own
use_cases() {
	case $1 in
	duckdb) ;;
	postgresql)
		createdb cases
		export PGDATABASE=cases
		;;
	clickhouse)
		$CLICKHOUSE --query 'CREATE DATABASE cases'
		whole_fleet=$CLICKHOUSE
		CLICKHOUSE="$CLICKHOUSE --database cases"
		;;
	esac
}

use_fleet() {
	case $1 in
	duckdb) ;;
	postgresql) export PGDATABASE=postgres ;;
	clickhouse) CLICKHOUSE=$whole_fleet ;;
	esac
}

# load_case ENGINE [DIR...]: the DIRs of tables/, all of them without; DuckDB takes all
load_case() {
	(
		cd "$cases" || exit
		loader=$1
		shift
		[ $# -ne 0 ] || set -- tables/*
		case $loader in
		duckdb) node "$here/fleet.mjs" "$BUILD" "$cases/duck.db" load "$docs/duckdb.sql" ;;
		*) CLIENT=$([ "$loader" = postgresql ] && echo psql || echo "$CLICKHOUSE") "$docs/load.sh" "$loader" "$@" ;;
		esac
	) >>"$cases/said" 2>&1
}

# ask_case ENGINE FILE
ask_case() {
	case $1 in
	duckdb) node "$here/fleet.mjs" "$BUILD" "$cases/duck.db" ask "$2" 2>/dev/null ;;
	*) "ask_$1" "$2" ;;
	esac
}

# answers ENGINE NAME SQL: must be the lines of standard input, whose cells are apart by spaces
answers() {
	tr ' ' '\t' >"$cases/expected"
	echo "$3" >"$cases/query.sql"
	ask_case "$1" "$cases/query.sql" >"$cases/got" 2>&1 || echo failed >>"$cases/got"
	if node "$here/fleet.mjs" - - same "$cases/expected" "$cases/got" 2>"$cases/problem"; then
		ok "$1: $2"
	else
		bad "$1: $2: $(cat "$cases/problem" "$cases/said")"
	fi
}

# question ENGINE NUMBER NAME: that of docs/fleet/queries.sql
question() {
	answers "$1" "$3" "$(awk -v nr="-- $2." '/^-- [0-9]+\./ { on = index($0, nr) == 1 } on' "$docs/queries.sql")"
}

# fleet_is ENGINE NAME: runs and functions of standard input: a line for each run, with its rows and periods
fleet_is() {
	answers "$1" "$2" "SELECT run, min(version), min(start_by), count(*), sum(period)
		FROM runs JOIN functions USING (run) GROUP BY run ORDER BY run"
}

questions() {
	load_case "$1" || :
	question "$1" 3 'a function with two source files in a run is one run' <<-END
		one 2 30
	END
	question "$1" 7 'a run without the function counts as 0' <<-END
		count_words /shop 3 0 20 30
		sort /shop 3 4 8 12
	END
	question "$1" 8 'a run that is cut off is shown' <<-END
		one 3 0 9 1
		two 1 0 3 0
	END
}

# A database of an earlier version lacks the columns that came later.
make_earlier() {
	for column in damaged truncated_bytes missing_bytes; do
		echo "ALTER TABLE runs DROP COLUMN $column" >"$cases/query.sql"
		ask_case "$1" "$cases/query.sql"
	done >>"$cases/said" 2>&1
}

odd_folders() {
	make_earlier "$1"
	load_case "$1" || :
	load_case "$1" || :
	fleet_is "$1" 'runs in two folders, without a hash, without tags' <<-END
		0xa 1.9 file 3 38
		0xb 1.9 file 2 34
		0xc 1.9 file 1 12
		0xca 1.9 file 2 2
		0xd  file 1 5
	END
	answers "$1" 'columns that came later' \
		'SELECT count(*), sum(damaged + truncated_bytes + missing_bytes) FROM runs' <<-END
			5 0
		END
	answers "$1" 'a folder without tags has empty ones' \
		"SELECT count(*) FROM runs WHERE service = '' AND version = ''" <<-END
			1
		END
}

waits() {
	load_case "$1" || :
	answers "$1" 'waits come where a folder has them' 'SELECT run, wait_ns, delay_ns, nr FROM waits' <<-END
		0xe 100 1 2
	END
}

# A load that fails leaves nothing; when the folder is right, each row is there once. A start that is no number
# is found when the rows of functions are there already; ClickHouse takes it for 0, so rows stand there as a
# load that was interrupted leaves them.
fail_once() {
	if [ "$1" = clickhouse ]; then
		$CLICKHOUSE --query "INSERT INTO functions (run, event, \"function\", period)
			VALUES ('0xf', 'cpu-clock:u', 'sort', 7), ('0xf', 'cpu-clock:u', 'left', 1)"
	else
		sed -i 's/,86400000000000,/,x,/' "$at/run.csv"
		! load_case "$1" tables/broken || bad "$1: takes a start that is no number"
		sed -i 's/,x,/,86400000000000,/' "$at/run.csv"
	fi
}

broken_folder() {
	folder broken ,service,version
	run_of 0xf six ,shop,2
	function_of 0xf sort sort.c 7
	fail_once "$1"
	load_case "$1" || :
	load_case "$1" || :
	answers "$1" 'after a load that failed' \
		"SELECT count(*), sum(period) FROM functions WHERE run = '0xf'" <<-END
			1 7
		END
}

# all_cases ENGINE
all_cases() {
	rm -rf "$cases"
	mkdir -p "$cases"
	use_cases "$1"
	make_questions
	make_cut
	questions "$1"
	make_odd_folders
	odd_folders "$1"
	make_waits
	waits "$1"
	broken_folder "$1"
	use_fleet "$1"
}
