#!/bin/sh
# tests/hostile/allocations.sh: lets one allocation after the other fail, `make allocations` calls it.
#
#   READPERF, TOOLS  the program; the folder of the helpers `failalloc.so` and `attempts`
#   DATA             the folder of recordings: tests/data by default
#   ONLY='*'         a pattern of names: some commands only
#   EVERY=1          only each so-manyth allocation
#   CALLER=program   `all`: those that libraries ask for fail, too
#
# Each command is run undisturbed first, which also counts its allocations; then once for each of
# them with that one failing, and once with that one and all behind it. Such a run must either
# answer as the undisturbed one, byte for byte (but for the names of the files it wrote), or end
# with status 1 and one line that says "out of memory", without any table or, when it can no longer
# show the overview, with all of them. It must not die, or leave memory behind. Prints for each
# command how many runs there were, how many answered all the same and how many said why they did
# not. What else happened has a line of its own, and makes the exit status 1.

# shellcheck disable=SC2086,SC2012 # arguments are kept as words; names of tables are plain
set -efu

: "${READPERF:?}" "${TOOLS:?}"
DATA=${DATA:-$(cd "$(dirname "$0")/.." && pwd)/data}
ONLY=${ONLY:-*}
EVERY=${EVERY:-1}
CALLER=${CALLER:-program}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
export HOME="$scratch" LC_ALL=C COLUMNS=100 FAILALLOC_CALLER="$CALLER" FAILALLOC_LOG=log
unset DEBUGINFOD_URLS
cd "$scratch"
findings=0

# There are thousands of runs: each starts only the programs that it needs.

# run SETTING: the command in $args with $input, its tables in "out", which may be missing
run() {
	[ ! -d out ] || rm -rf out
	status=0
	: >log
	(
		export "${1?}" "LD_PRELOAD=$TOOLS/failalloc.so"
		exec "$READPERF" $args >stdout 2>stderr <"$input"
	) || status=$?
}

# is_same: it answered as if nothing had failed
is_same() {
	[ $status -eq "$whole_status" ] && cmp -s stdout whole.stdout && has_all &&
		{ cmp -s stderr whole.stderr || is_wrote_line; }
}

# is_wrote_line: only the names of the files are missing
is_wrote_line() {
	[ "$(sed '$d' stderr)" = "$(sed '$d' whole.stderr)" ] &&
		[ "$(tail -n 1 stderr)" = "readperf: wrote the tables into out" ]
}

has_all() {
	if [ -d out ]; then
		diff -r out whole >/dev/null 2>&1
	else
		[ ! -d whole ]
	fi
}

has_none() {
	[ ! -d out ] || [ -z "$(ls out)" ]
}

# is_told: it said why it does not answer, and did not
is_told() {
	[ $status -eq 1 ] && { read -r why && ! read -r _; } <stderr || return 1
	case $why in
	"readperf: "*"out of memory"*"while showing the overview") has_none || has_all ;;
	"readperf: "*"out of memory"*) has_none ;;
	*) return 1 ;;
	esac
}

# judge SETTING
judge() {
	nr=$((nr + 1))
	if [ ! -s log ]; then
		what=died
	elif ! read -r _ left <log || [ "$left" -gt "$whole_live" ]; then
		what="left $left blocks, not $whole_live"
	elif is_same; then
		same=$((same + 1))
		return
	elif is_told; then
		told=$((told + 1))
		return
	else
		what="tables: $(ls out 2>/dev/null | tr '\n' ' ')"
	fi
	findings=$((findings + 1))
	echo "$1: status $status, $what: $(head -n 1 stderr)"
}

# try NAME INPUT ARGS...: lets all allocations of the command fail in turn
try() {
	# shellcheck disable=SC2254 # a pattern
	case $1 in
	$ONLY) ;;
	*) return 0 ;;
	esac
	name=$1 input=$2 nr=0 same=0 told=0
	shift 2
	args=$*
	run FAILALLOC_AT=0
	read -r nr_allocations whole_live <log
	whole_status=$status
	mv stdout whole.stdout
	mv stderr whole.stderr
	rm -rf whole
	[ ! -d out ] || mv out whole
	number=$((1 + nr_started % EVERY))
	while [ $number -le "$nr_allocations" ]; do
		for how in AT FROM; do
			run FAILALLOC_$how=$number
			judge "$name, $how $number"
		done
		number=$((number + EVERY))
	done
	nr_started=$((nr_started + 1))
	printf '%-10s %5d allocations, %5d runs: %5d the same, %5d told, %d bad\n' "$name" \
		"$nr_allocations" $nr $same $told $((nr - same - told))
}

nr_started=0
ids=--buildid-dir=$DATA/buildid
tables="-q -o out $ids --tables=all"
gzip -c "$DATA/demo.data" >demo.gz
head -c 30000 "$DATA/demo.data" >cut.data
mkdir packed
(cd packed && "$TOOLS/attempts" packed 500 >/dev/null)
printf 'ffffffff81000000 T f\nffffffffc0000000 t g\t[m]\n' >kallsyms
try plain /dev/null -o out $ids "$DATA/demo.data"
try all /dev/null $tables "$DATA/demo.data"
try chains /dev/null $tables --inline "$DATA/demo-callgraph.data"
try filter /dev/null $tables --symbol=count_* --comm=demo --time=,999999999999999 "$DATA/demo.data"
try pipe "$DATA/demo-pipe.data" $tables -
try stdin "$DATA/demo.data" $tables -
try gzip /dev/null $tables demo.gz
try packed /dev/null $tables packed/perf.data
try cut /dev/null $tables cut.data
try waits /dev/null $tables --per=comm,cpu,slice:10ms "$DATA/waits.data"
try counters /dev/null $tables --metric=a=page-faults/task-clock "$DATA/counters.data"
try branches /dev/null $tables --export=bolt "$DATA/branches.data"
try memory /dev/null $tables "$DATA/memory.data"
try trace /dev/null -q -o out $ids --threads=1 --tables=trace,traceloss,paths,calls "$DATA/trace-cyc.data"
try ahead /dev/null -q -o out $ids --threads=2 --tables=trace --export=folded,html "$DATA/trace-snapshot.data"
try pokes /dev/null -q -o out $ids --threads=1 --tables=trace,traceloss "$DATA/trace-pokes.data"
try programs /dev/null -q -o out $ids --export=html,json,folded,pprof,speedscope,firefox,callgrind "$DATA/demo-callgraph.data"
try parquet /dev/null -q -o out $ids --tables=all --export=parquet "$DATA/demo-callgraph.data"
[ -z "$("$READPERF" --version -v | grep "^databases: sqlite")" ] ||
	try database /dev/null -q -o out $ids --tables=all --export=sqlite "$DATA/demo-callgraph.data"
try page /dev/null diff -q -o out $ids --export=html "$DATA/demo-callgraph.data" "$DATA/demo-callgraph.data"
try kernel /dev/null $tables --kallsyms=kallsyms packed/perf.data
try diff /dev/null diff -q -o out $ids "$DATA/change-1.0.data" "$DATA/change-2.0.data"
try runs /dev/null diff -q -o out --rename=compare=order "$DATA/change-1.0.data" \
	"$DATA/change-1.0.data" vs "$DATA/change-2.0.data" "$DATA/change-2.0.data"
try exports /dev/null diff -q -o out $ids --export=markdown,junit,json,sarif,codequality,benchmark,github \
	--strip-prefix=/usr/src "$DATA/change-1.0.data" "$DATA/change-2.0.data"
for name in demo demo-callgraph; do
	"$READPERF" -q -o $name $ids --tables=results "$DATA/$name.data"
done
try tables /dev/null diff -q -o out demo/results.csv vs demo-callgraph/results.csv \
	demo-callgraph/results.csv
try help /dev/null --help
[ $findings -eq 0 ]
