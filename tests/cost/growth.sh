#!/bin/sh
# tests/cost/growth.sh: what a recording costs that is longer and longer, `make growth` calls it.
#
#   READPERF, TOOLS   the program; the folder of the helpers `bigsystem`, `repeat` and `measure`
#   BASE=FILE         a recording to repeat, instead of one by bigsystem: 500,000 records of 64 CPUs
#   TIMES='2 20 200'  how often it is repeated in time: the same samples, so many times the lives
#   RUNS=3            how often each is read; the medians count
#   TABLES=results    what is made of it
#   KEEP=FOLDER       where the recordings are made, one after the other (200 times: 5.7 GB)
#
# Prints for each length, read as a file and through a pipe, wall-clock and processor time, the latter
# per record too, and the peak of the program's own memory (not the pages of the file); these two also
# divided by those of the shortest. Nothing here fails for being slow.
set -eu

: "${READPERF:?}" "${TOOLS:?}"
TIMES=${TIMES:-2 20 200}
RUNS=${RUNS:-3}
TABLES=${TABLES:-results}
scratch=$(mktemp -d)
files=${KEEP:-$scratch}
mkdir -p "$files"
long=$files/growth-$$.data
trap 'rm -rf "$scratch" "$long"' EXIT
trap 'exit 130' INT TERM
export HOME="$scratch" LC_ALL=C
unset DEBUGINFOD_URLS

# records FILE: how many there are
records() {
	"$READPERF" --quiet --tables=stat -o "$scratch/out" "$1"
	awk -F , 'NR > 1 && $1 !~ /^\[/ { nr += $2 } END { printf "%.0f\n", nr }' "$scratch/out/stat.csv"
}

# median COLUMN: of what was measured
median() {
	awk -v column="$1" '{ print $column }' "$scratch/log" | sort -n |
		awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

read_file() {
	"$TOOLS/measure" "$scratch/log" "$READPERF" --quiet "--tables=$TABLES" -o "$scratch/out" "$long"
}

read_pipe() {
	# shellcheck disable=SC2002 # through a pipe is the point
	cat "$long" |
		"$TOOLS/measure" "$scratch/log" "$READPERF" --quiet "--tables=$TABLES" -o "$scratch/out" -
}

# row WAY TIMES RECORDS: a line of the table; the first of each way is kept to divide by
row() {
	rm -f "$scratch/log"
	run=0
	while [ $run -lt "$RUNS" ]; do
		"read_$1"
		run=$((run + 1))
	done
	now="$(median 1) $(median 2) $(median 4)"
	[ -e "$scratch/first_$1" ] || echo "$3 $now" >"$scratch/first_$1"
	echo "$now $(cat "$scratch/first_$1")" | awk -v way="$1" -v times="$2" -v nr="$3" '{
		printf "%5d %-4s %12d %9.2f %9.2f %9.1f %7.2f %9.1f %7.2f\n", times, way, nr, $1, $2,
			$2 / nr * 1e9, $2 / nr / ($6 / $4), $3 / 1024, $3 / $7
	}'
}

base=${BASE:-$scratch/base.data}
[ -e "$base" ] ||
	"$TOOLS/bigsystem" "$base" --cpus 64 --processes 2000 --records 500000 >/dev/null
printf '%5s %-4s %12s %9s %9s %9s %7s %9s %7s\n' \
	times as records 'wall s' 'cpu s' ns/record ratio 'heap MB' ratio
for times in $TIMES; do
	"$TOOLS/repeat" "$base" "$long" "$times"
	nr=$(records "$long")
	row file "$times" "$nr"
	row pipe "$times" "$nr"
done
