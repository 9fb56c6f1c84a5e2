#!/bin/bash
# What readperf diff says of five real gains and two renamings: `make gains`. Records each program
# several times, in turn with the plain one; needs perf.
#
#   RUNS=10    recordings of each
#   DIR=...    keeps the recordings there, and uses those that are there
set -u
here=$(cd "$(dirname "$0")" && pwd)
RUNS=${RUNS:-10}
if [ -z "${DIR:-}" ]; then
	DIR=$(mktemp -d) || exit 1
	trap 'rm -rf "$DIR"' EXIT
	trap 'exit 130' INT TERM
fi
mkdir -p "$DIR" || exit 1
gains='dedup checksum sort format compiler'
others='functions binary'

# build NAME FLAGS...: the program, and a copy of it by which its recordings find it
build() {
	"${CC:-cc}" -std=c11 -D_GNU_SOURCE -g -o "$DIR/$1" "$here/gains.c" "${@:2}" || exit 1
}

for name in plain $gains $others; do
	mkdir -p "$DIR/$name"
done
build plain/gains -O1
build dedup/gains -O1 -DFAST_DEDUP
build checksum/gains -O1 -DFAST_CHECKSUM
build sort/gains -O1 -DFAST_SORT
build format/gains -O1 -DFAST_FORMAT
build compiler/gains -O3
build functions/gains -O1 -DRENAMED
build binary/faster-gains -O1

for i in $(seq 1 "$RUNS"); do
	for name in plain $gains $others; do
		[ -e "$DIR/$name.$i.data" ] || perf record -q -e cpu-clock -F 2500 \
			-o "$DIR/$name.$i.data" -- "$DIR/$name"/*gains 60 >/dev/null 2>&1
	done
done

# files NAME NUMBER...: the recordings' paths
files() {
	for number in "${@:2}"; do
		echo "$DIR/$1.$number.data"
	done
}

# compare NAME TITLE NUMBERS [OPTION...]
compare() {
	printf '\n== %s, %s\n' "$1" "$2"
	# shellcheck disable=SC2046,SC2086 # no path has a space in it
	"$READPERF" diff --tables=none "${@:4}" $(files plain $3) vs $(files "$1" $3) 2>&1 | cut -c1-110
}

for name in $gains $others; do
	compare "$name" "one run a side" 1
	compare "$name" "five runs a side" '1 2 3 4 5'
done

fired=0 all=0
for name in $gains; do
	for first in $(seq 1 "$RUNS"); do
		numbers="$first $((first % RUNS + 1)) $(((first + 1) % RUNS + 1))"
		# shellcheck disable=SC2046,SC2086
		"$READPERF" diff -q --tables=none --fail-on=slower:0.5:1.1,total:5 \
			$(files plain $numbers) vs $(files "$name" $numbers)
		status=$?
		all=$((all + 1)) fired=$((fired + (status == 4)))
	done
done
printf '\n%d of %d comparisons of a gain, three runs a side, fired --fail-on=slower:0.5:1.1,total:5\n' \
	"$fired" "$all"
