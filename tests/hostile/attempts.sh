#!/bin/sh
# tests/hostile/attempts.sh: what hostile recordings cost as they grow, `make attempts` calls it.
#
#   READPERF, TOOLS  the program; the folder of the helpers `attempts` and `measure`
#   SIZES='62500 250000 1000000'  about how many records, names or entries
#   ONLY='maps-*'    a pattern of names, to try some only: `attempts --list` tells all
#   LIMIT=300        seconds of processor time after which one is given up
#
# Prints for each attempt and size the bytes that were written for it, processor time, the time
# divided by the size to show how it grows (n^1.0: it doubles with the size), the peak of the
# program's own memory, that memory divided by the bytes, and the exit status where it is not 0.
# Nothing here fails for being slow.
set -efu

: "${READPERF:?}" "${TOOLS:?}"
SIZES=${SIZES:-62500 250000 1000000}
ONLY=${ONLY:-*}
LIMIT=${LIMIT:-300}
scratch=$(mktemp -d)

tidy() {
	[ ! -e "$scratch/run/leftover" ] || xargs rm -f <"$scratch/run/leftover"
	rm -rf "$scratch"
}
trap tidy EXIT
trap 'exit 130' INT TERM
export HOME="$scratch" LC_ALL=C
unset DEBUGINFOD_URLS

# attempt NAME SIZE: writes it, reads it; a line of the table
attempt() {
	rm -rf "$scratch/run" "$scratch/log"
	mkdir "$scratch/run"
	cd "$scratch/run"
	args=$("$TOOLS/attempts" "$1" "$2")
	# shellcheck disable=SC2046 # words
	bytes=$(du -cb -- $(ls) $([ ! -e leftover ] || cat leftover) | tail -n 1 | cut -f 1)
	status=0
	# shellcheck disable=SC2086,SC3045 # words of a command line; dash knows it
	(ulimit -t "$LIMIT" && exec "$TOOLS/measure" "$scratch/log" "$READPERF" $args) \
		>/dev/null 2>err || status=$?
	[ ! -e leftover ] || xargs rm -f <leftover
	echo "$(cat "$scratch/log") $bytes $status" | awk -v name="$1" -v size="$2" -v before="$before" '{
		split(before, b, " ")
		growth = b[1] && $2 > 0 ? sprintf("n^%.2f", log($2 / b[2]) / log(size / b[1])) : ""
		printf "%-20s %9d %8.1f %8.2f %7s %9.1f %7.1f %s\n", name, size, $5 / 1e6, $2, growth,
			$4 / 1024, $4 * 1024 / $5, $6 ? "exit status " $6 : ""
	}'
	before="$2 $(awk '{ print $2 + 0.001 }' "$scratch/log")"
	[ "$status" -eq 0 ] || head -n 2 err
	[ "$status" -lt 128 ]
}

printf '%-20s %9s %8s %8s %7s %9s %7s\n' attempt size MB 'cpu s' growth 'heap MB' /bytes
"$TOOLS/attempts" --list | cut -f 1 | while read -r name; do
	# shellcheck disable=SC2254 # a pattern
	case $name in
	$ONLY) ;;
	*) continue ;;
	esac
	before=
	for size in $SIZES; do
		attempt "$name" "$size" || break
	done
done
