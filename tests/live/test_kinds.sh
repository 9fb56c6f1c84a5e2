#!/bin/sh
# The kinds of recordings that this machine's perf writes: compressed, in a directory, through a
# pipe, with group leaders; and files wrapped by bzip2, gzip, xz and zstd.
. "$(dirname "$0")/live.sh"
need_perf

compile kinds <<'C'
#include <stdlib.h>

static volatile unsigned long sink;

void spin(unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds; i++)
		sink += i;
}

void touch(void)
{
	volatile char *pages = malloc(1 << 20);

	for (unsigned long i = 0; i < 1 << 20; i += 4096)
		pages[i] = 1;
	free((void *)pages);
}

int main(void)
{
	for (int i = 0; i < 200; i++) {
		spin(2000000);
		touch();
	}
	return 0;
}
C

# tables DIR FILE: the tables of a recording that nothing is missing from, standard input for -
tables() {
	readperf --quiet -o "$1" "$2" 2>"$1.messages" || {
		echo "readperf $2: exit status $?"
		cat "$1.messages"
		exit 1
	}
}

# same DIR DIR: all tables are the same, byte for byte
same() {
	for table in stat overview processes results; do
		cmp "$1/$table.csv" "$2/$table.csv" || exit 1
	done
}

# sums DIR: the samples of results.csv, processes.csv and stat.csv are the same number, above 0
sums() {
	sqlite3 >sums.txt <<-SQL
		.import --csv $1/stat.csv stat
		.import --csv $1/results.csv results
		.import --csv $1/processes.csv processes
		.separator " "
		SELECT count, (SELECT sum(samples) FROM results), (SELECT sum(samples) FROM processes)
			FROM stat WHERE record = 'SAMPLE';
	SQL
	read -r stat results processes <sums.txt
	echo "$1: $stat samples in stat.csv, $results in results.csv, $processes in processes.csv"
	[ "$stat" -gt 0 ] && [ "$stat" -eq "$results" ] && [ "$stat" -eq "$processes" ] || exit 1
}

echo "== wrapped"
record -e cpu-clock -F 4000 -- ./kinds
tables plain perf.data
sums plain
for wrapper in bzip2 gzip xz zstd; do
	command -v $wrapper >/dev/null || continue
	$wrapper -c <perf.data >wrapped
	tables $wrapper wrapped
	same plain $wrapper
	$wrapper -c <perf.data | tables $wrapper.piped -
	same plain $wrapper.piped
done
tables stdin - <perf.data
same plain stdin

if perf record -z -q -e cpu-clock -o probe.data true >probe.log 2>&1; then
	echo "== perf record -z"
	record -z -e cpu-clock -F 4000 -- ./kinds
	compare_with_perf report
	record -z -g -e cpu-clock,page-faults -F 4000 -- ./kinds
	compare_with_perf report
	echo "== perf record -z through a pipe" # perf itself refuses to read what it writes here
	perf record -z -q -e cpu-clock -F 4000 -o - -- ./kinds 2>record.log >piped.data
	tables packed - <piped.data
	sums packed
	tables packed.file piped.data
	same packed packed.file
fi

if perf record --threads -q -e cpu-clock -o probe.dir true >probe.log 2>&1; then
	echo "== perf record --threads"
	rm -rf perf.data
	record --threads -e cpu-clock -F 4000 -- ./kinds
	compare_with_perf report
	rm -rf perf.data
	record --threads -z -e cpu-clock -F 4000 -- ./kinds
	compare_with_perf report
	rm -rf perf.data
fi

echo "== through a pipe"
perf record -q -e cpu-clock -F 4000 -o - -- ./kinds 2>record.log >perf.data
compare_with_perf report script
tables file perf.data
tables stdin.pipe - <perf.data
same file stdin.pipe

echo "== events described last" # perf itself cannot read it
perf record -q -e cpu-clock,page-faults -F 4000 --overwrite -o - -- ./kinds 2>record.log >late.data
tables late late.data
sums late
has ',spin,cpu-clock,' late/results.csv
tables stdin.late - <late.data
same late stdin.late

echo "== group leader"
record -e '{cpu-clock,task-clock,page-faults}:S' -F 4000 -- ./kinds
compare_with_perf script
