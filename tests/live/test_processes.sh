#!/bin/sh
# Some hundred short processes: fork, exec, mappings and exit of each must be followed.
. "$(dirname "$0")/live.sh"
need_perf

record -e cpu-clock -F 20000 -- sh -c '
	i=0
	while [ $i -lt 150 ]; do
		(: | cat >/dev/null)
		ls / >/dev/null
		i=$((i + 1))
	done'
compare_with_perf report script
compare_who_with_perf
