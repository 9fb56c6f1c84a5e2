#!/bin/sh
# perf record -o - | readperf: tables while it runs; Ctrl-C for the whole pipeline, which ends perf,
# too, so that nothing is missing; and for readperf alone, which then has what came so far.
. "$(dirname "$0")/live.sh"
need_perf
env --default-signal=INT true 2>/dev/null || skip "env cannot give a background command its signals back"

compile busy <<'C'
#include <unistd.h>

static volatile unsigned long sink;

void spin(unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds; i++)
		sink += i;
}

int main(void)
{
	alarm(300); /* in case that nobody ends it */
	for (;;)
		spin(1000000);
}
C

# start DIR: a pipeline in a process group of its own, number $group; it writes to DIR
start() {
	mkdir "$1"
	setsid sh -c 'trap "" INT
		env --default-signal=INT perf record -q -e cpu-clock:u -F 999 --no-buffering \
			-o - -- ./busy 2>'"$1"'/perf.log | {
			status=0
			env --default-signal=INT sh -c "echo \$\$ >'"$1"'/pid
				exec readperf --quiet --interval=0.2 -o '"$1"' -" 2>'"$1"'/said || status=$?
			echo $status >'"$1"'/status
		}' &
	group=$!
}

# wait_for COMMAND...: until it succeeds, a minute at most
wait_for() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		if [ $tries -ge 600 ]; then
			echo "waited in vain: $*"
			kill -KILL -$group
			exit 1
		fi
		sleep 0.1
	done
}

has_samples() {
	grep -qs ',spin,' "$1/results.csv"
}

ended() {
	[ -s "$1/status" ]
}

# The rows of the overview, of results.csv and of processes.csv agree.
check_sums() {
	sqlite3 >sums <<-SQL
		.import --csv $1/results.csv results
		.import --csv $1/processes.csv processes
		.import --csv $1/overview.csv overview
		SELECT (SELECT sum(samples) FROM results) = count(*),
			(SELECT sum(samples) FROM processes) = count(*), count(*) > 0
			FROM overview WHERE type = 'SAMPLE';
	SQL
	cat sums
	[ "$(cat sums)" = "1|1|1" ]
}

# Ctrl-C: every process of the pipeline gets it.
start whole
wait_for has_samples whole
kill -INT -$group
wait_for ended whole
cat whole/said
[ "$(cat whole/status)" -eq 0 ]
[ ! -s whole/said ]
check_sums whole

# The recorder goes on: it is ended when it writes to a pipe that nobody reads.
start alone
wait_for has_samples alone
kill -INT "$(cat alone/pid)"
wait_for ended alone
kill -KILL -$group 2>/dev/null || true
cat alone/said
[ "$(cat alone/status)" -eq 3 ]
grep -qx 'readperf: standard input: stopped before the end: the tables contain what had arrived by then' \
	alone/said
check_sums alone
