#!/bin/bash
# Whether verdicts are right as often as they say, by experiment: `make calibrate`. No part of `make
# check`: it takes about an hour, needs perf, and its figures differ from run to run.
#
#   PAIRS=5      pairs of recordings of each program
#   TRIALS=200   recordings of the program with a knob, for each setting of the knob
#   RUNS=5       runs a side, beside one
#   DIR=...      keeps the recordings there, and uses those that are there
#
# 1. Nothing has changed: of the functions with 50 samples a run or more, how many are called a change?
#    Pairs of runs, three runs against three, and recordings split into halves. At most 5 % should be.
# 2. A change is known: how often is it found, and how often does its interval hold it? The truth is
#    the mean of all trials. The interval should hold it in 95 % of them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
judge=$TOOLS/calibrate/judge
slowable=$TOOLS/calibrate/slowable
PAIRS=${PAIRS:-5} TRIALS=${TRIALS:-200} RUNS=${RUNS:-5}
if [ -z "${DIR:-}" ]; then
	DIR=$(mktemp -d) || exit 1
	trap 'rm -rf "$DIR"' EXIT
	trap 'exit 130' INT TERM
fi
mkdir -p "$DIR" || exit 1
export INPUT=$DIR/input SOURCES=${here%/tests/calibrate}
# shellcheck source=tests/calibrate/programs.sh
. "$here/programs.sh"

if ! record "$DIR/try.data" 1000 true; then
	echo "perf cannot record here"
	exit 1
fi

# run NAME FREQUENCY COMMAND...: a recording NAME.data, unless it is there
run() {
	[ -e "$DIR/$1.data" ] || record "$DIR/$1.data" "$2" "${@:3}"
}

# files NAME NUMBER...: the recordings' paths
files() {
	for number in "${@:2}"; do
		echo "$DIR/$1.$number.data"
	done
}

record_programs() {
	[ -e "$INPUT" ] || make_input
	for kind in $KINDS; do
		export -f "run_$kind"
		"run_$kind" >/dev/null 2>&1 # what is read is in memory from here on
		for i in $(seq 1 $((2 * PAIRS))); do
			run "$kind.$i" 2500 bash -c "run_$kind"
		done
	done
}

# count_called TITLE RUNS: of lines of judge on standard input
count_called() {
	awk -F '\t' -v title="$1" -v runs="$2" '
		$1 + $2 >= 100 * runs {
			all++
			low += $8 < 0.05
			called += $10 != "same"
		}
		END {
			printf "%-28s %5d functions, called a change %4.1f %%, p below 0.05 %4.1f %%\n",
				title, all, all ? 100 * called / all : 0, all ? 100 * low / all : 0
		}'
}

judge_pairs() {
	for kind in $KINDS; do
		for i in $(seq 1 "$PAIRS"); do
			"$judge" "$DIR/$kind.$((2 * i - 1)).data" -- "$DIR/$kind.$((2 * i)).data"
		done
	done
}

judge_threes() {
	for kind in $KINDS; do
		for i in $(seq 1 6 $((2 * PAIRS - 5))); do
			# shellcheck disable=SC2046 # no path has a space in it
			"$judge" $(files "$kind" "$i" $((i + 2)) $((i + 4))) -- \
				$(files "$kind" $((i + 1)) $((i + 3)) $((i + 5)))
		done
	done
}

judge_halves() {
	for kind in $KINDS; do
		for i in $(seq 1 $((2 * PAIRS))); do
			"$judge" --split "$DIR/$kind.$i.data"
		done
	done
}

# record_knob PERCENT: $TRIALS recordings knob.PERCENT.N
record_knob() {
	for i in $(seq 1 "$TRIALS"); do
		run "knob.$1.$i" 5000 "$slowable" 40000 2 "$1"
	done
}

# judge_knob PERCENT RUNS: each RUNS recordings of the plain program against as many slowed ones; if
# these are several, every second set of neighbours, as sets without a run in common are few
judge_knob() {
	for i in $(seq 1 $(($2 > 1 ? 2 : 1)) $((TRIALS - $2 + 1))); do
		# shellcheck disable=SC2046
		"$judge" $(files knob.0 $(seq "$i" $((i + $2 - 1)))) -- \
			$(files "knob.$1" $(seq "$i" $((i + $2 - 1))))
	done
}

# How often the slowed function was found, and how often the intervals of it and of all functions of
# the program hold the true change. Of lines of judge, read twice.
summarize_knob() {
	awk -F '\t' -v title="$2" '
		$12 != "slowable" || $1 + $2 < 50 { next }
		NR == FNR { old[$11] += $3; new[$11] += $4; nr[$11]++; next }
		{
			truth = (new[$11] - old[$11]) / nr[$11]
			held = $6 <= truth && truth <= $7
			all++
			all_held += held
		}
		$11 == "tenth" {
			trials++
			found += $10 == "slower"
			one_held += held
			change = truth
			before = old[$11] / nr[$11]
		}
		END {
			printf "%-22s %5.2f %% -> %+5.2f points: found %5.1f %%, held %5.1f %% of %d; " \
				"all functions held %5.1f %% of %d\n", title, before, change,
				100 * found / trials, 100 * one_held / trials, trials,
				100 * all_held / all, all
		}' "$1" "$1"
}

echo "1. nothing has changed: $PAIRS pairs each of $KINDS"
record_programs
judge_pairs | count_called "one run a side" 1
judge_threes | count_called "three runs a side" 3
judge_halves | count_called "halves of one recording" 1

echo "2. a known change: one function does more work, $TRIALS recordings each"
record_knob 0
for percent in 5 10 20 50; do
	record_knob "$percent"
	for runs in 1 "$RUNS"; do
		judge_knob "$percent" "$runs" >"$DIR/judged"
		summarize_knob "$DIR/judged" "$percent % more, $runs a side"
	done
done
