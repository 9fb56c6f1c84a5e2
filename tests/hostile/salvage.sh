#!/bin/sh
# tests/hostile/salvage.sh: how much of damaged recordings is still counted, `make salvage` calls it.
#
#   READPERF, TOOLS   the program; the folder of the helper `mutate`
#   BASE='FILE...'    the recordings to damage, instead of those of tests/data/; file format, this
#                     machine's byte order
#   MUTANTS=1000      damaged copies, shared by the recordings: bits flipped, words, sizes and types
#                     replaced, bytes cut out or repeated, the end cut off, the header's words replaced
#   CUTS=1000         copies of the first recording that are cut off at random places
#   FIRST=1           the first seed: the same seeds make the same copies
#   PERF=perf         beside it, what `perf report` counts of the same copies; PERF= for none
#   KEEP=FOLDER       where copies are kept that readperf died on, or counted less than 95 % of
#
# Prints for each kind of damage the share of the samples that are still counted, of those before the
# place where a copy ends if it is cut off: the median, the worst, and how many copies gave none at
# all; the same of perf. Fails if readperf died by a signal or a cut loses a whole record.
set -eu

: "${READPERF:?}" "${TOOLS:?}"
root=$(cd "$(dirname "$0")/../.." && pwd)
data=$root/tests/data
BASE=${BASE:-$data/demo.data $data/demo-callgraph.data $data/change-1.0.data}
MUTANTS=${MUTANTS:-1000} CUTS=${CUTS:-1000} FIRST=${FIRST:-1} PERF=${PERF-perf}
command -v "$PERF" >/dev/null 2>&1 || PERF=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
export HOME="$scratch" LC_ALL=C
unset DEBUGINFOD_URLS
cd "$scratch"

# count_readperf FILE: its samples to $samples, its exit status to $status
count_readperf() {
	rm -f stat.csv
	status=0
	"$READPERF" --quiet --tables=stat "$1" 2>messages || status=$?
	samples=$(sed -n 's/^SAMPLE,//p' stat.csv 2>/dev/null || true)
	samples=${samples:-0}
}

# count_perf FILE: the samples in the rows of its report
count_perf() {
	timeout 60 "$PERF" report --stdio -q -n -g none --no-children --sort comm -i "$1" 2>/dev/null |
		awk '/%/ { nr += $2 } END { print nr + 0 }'
}

keep() {
	[ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp copy.data "$KEEP/$1"; }
}

# examine NAME: a line of the log about copy.data, of which "kind place" and $whole are known
examine() {
	count_readperf copy.data
	perf=-
	[ -z "$PERF" ] || perf=$(count_perf copy.data)
	echo "$kind $whole $samples $status $perf $1 $place" >>log
	[ "$status" -lt 128 ] || echo "$1: died, status $status"
	[ "$status" -lt 128 ] || keep "$1"
	[ "$((samples * 100))" -ge "$((whole * 95))" ] || keep "$1"
}

# table LOG: a line for each kind of damage
table() {
	sort -k1,1 "$1" | awk -v perf="$PERF" '
	function median(v, n) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && v[j - 1] > v[j]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
		return n ? (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2 : 0
	}
	function line(name, n, a, b,    k, none, least, bad) {
		none = least = bad = 0
		for (k = 1; k <= n; k++) { least += a[k] < 95; none += b[k] == 0 }
		printf "%-10s %7d %8.1f %8.1f %8d", name, n, median(a, n), a[1], least
		if (perf != "")
			printf " %8.1f %8.1f %8d", median(b, n), b[1], none
		print ""
	}
	function flush() { if (n) line(kind, n, share, other); n = 0 }
	BEGIN {
		printf "%-10s %7s %8s %8s %8s", "damage", "copies", "median", "worst", "< 95 %"
		if (perf != "") printf " %8s %8s %8s", "perf", "worst", "nothing"
		print ""
	}
	{
		if ($1 != kind) flush()
		kind = $1
		of = $2 ? $2 : 1
		share[++n] = $2 ? 100 * $3 / of : 100
		other[n] = $2 ? 100 * $5 / of : 100
		all_share[NR] = share[n]
		all_other[NR] = other[n]
	}
	END { flush(); line("all", NR, all_share, all_other) }'
}

: >log
nr_bases=0
for base in $BASE; do nr_bases=$((nr_bases + 1)); done
for base in $BASE; do
	seed=$FIRST
	end=$((FIRST + MUTANTS / nr_bases))
	while [ "$seed" -lt "$end" ]; do
		"$TOOLS/mutate" "$base" copy.data "$seed" >made.txt
		read -r kind place whole <made.txt
		examine "$(basename "$base")-$seed"
		seed=$((seed + 1))
	done
done
echo "Samples still counted, in percent, of $MUTANTS damaged copies:"
table log
mv log mutants

: >log
# shellcheck disable=SC2086 # a list
set -- $BASE
seed=$FIRST
while [ "$seed" -lt $((FIRST + CUTS)) ]; do
	"$TOOLS/mutate" --cut "$1" copy.data "$seed" >made.txt
	read -r kind place whole <made.txt
	examine "$(basename "$1")-cut-$seed"
	seed=$((seed + 1))
done
awk -v cuts="$CUTS" '$2 == $3 { same++ } $2 != $3 { print "cut at byte " $7 ": " $3 " samples, expected " $2 }
	END { print same + 0 " of " cuts " cut copies give every whole record before the cut" }' log
table log
if awk '$4 >= 128' mutants log | grep .; then exit 1; fi
awk '$2 != $3 { exit 1 }' log
