#!/bin/sh
# A fixed period: the samples do not carry it, the event does.
. "$(dirname "$0")/live.sh"
need_perf

record -e cpu-clock -c 500000 -- sh -c '
	i=0
	while [ $i -lt 1500000 ]; do
		i=$((i + 1))
	done'
compare_with_perf report script
