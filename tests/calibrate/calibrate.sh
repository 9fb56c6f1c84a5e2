#!/bin/bash
# Whether verdicts are right as often as they say, by experiment: `make calibrate`. No part of `make
# check`: it takes half an hour, needs perf, and its figures differ from run to run.
#
#   RUNS=20      recordings of each program, of all in turn
#   DIR=...      keeps the recordings there, and uses those that are there
#   KINDS=...    programs (see programs.sh)
#   CALLED=1     names each function that is called a change though nothing has changed
#
# 1. The program's own answers to random tables beside those of expected.py (numpy, scipy).
# 2. Nothing has changed: comparisons of 1 to 10 runs a side of one and the same program. How many have
#    any verdict of change, how many fire slower:0.5:1.1, what do intervals hold?
# 3. A function has more work: how often is that found?
# Beside the method stand the one before, and an oracle that knows how functions differ between runs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
RUNS=${RUNS:-20}
if [ -z "${DIR:-}" ]; then
	DIR=$(mktemp -d) || exit 1
	trap 'rm -rf "$DIR"' EXIT
	trap 'exit 130' INT TERM
fi
mkdir -p "$DIR" || exit 1
export INPUT=$DIR/input SOURCES=${here%/tests/calibrate} KNOB=$TOOLS/calibrate/slowable
# shellcheck source=tests/calibrate/programs.sh
. "$here/programs.sh"

if ! record "$DIR/try.data" 1000 true; then
	echo "perf cannot record here"
	exit 1
fi

# Drops the programs that cannot run here.
runnable() {
	for kind in $KINDS; do
		if "run_$kind" >/dev/null 2>&1; then
			echo "$kind"
		else
			echo "$kind cannot run here: left out" >&2
		fi
	done
}

record_programs() {
	for i in $(seq 1 "$RUNS"); do
		for kind in $KINDS; do
			export -f "run_$kind"
			[ -e "$DIR/$kind.$i.data" ] || record "$DIR/$kind.$i.data" 2500 bash -c "run_$kind"
		done
	done
}

python=
for name in python3 /usr/bin/python3; do
	[ -z "$python" ] && "$name" -c 'import numpy, scipy' 2>/dev/null && python=$name
done
if [ -n "$python" ]; then
	"$python" "$here/expected.py" "$READPERF" 100 || exit 1
else
	echo "random tables are left out: python3 has no numpy and scipy"
fi
[ -e "$INPUT" ] || make_input
KINDS=$(runnable) # what is read is in memory from here on
record_programs
# shellcheck disable=SC2086
"$TOOLS/calibrate/calibrate" "$DIR" $KINDS
