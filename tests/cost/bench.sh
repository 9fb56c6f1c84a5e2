#!/bin/sh
# tests/cost/bench.sh: time and memory of readperf against perf, `make bench` calls it.
#
#   READPERF, TOOLS   the program; the folder of the helpers `repeat` and `measure`
#   FLAT=FILE         a recording without call chains, instead of one of a parallel build made here
#   BUILD=FOLDER      record `make -j` in that folder (after `make clean`) instead of a generated tree
#   CALLGRAPH=FILE    a recording with call chains of a program with debug information
#   SAMPLES=8000000   how long to make the flat recording, by repeating it in time
#   PAIRS=5           how often to run readperf and perf, in turn; what perf does in minutes runs once
#   KEEP=FOLDER       keep the recordings there, and take them from there the next time
#   PERF=perf         the perf to compare with, words with blanks between them
#
# Prints the medians of wall-clock time and of peak resident memory, the file in the page cache, and
# perf's divided by readperf's beside what the design asks for. Nothing here fails for being slow.
set -eu

: "${READPERF:?}" "${TOOLS:?}"
SAMPLES=${SAMPLES:-8000000}
PAIRS=${PAIRS:-5}
jobs=$(getconf _NPROCESSORS_ONLN)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
files=${KEEP:-$scratch}
mkdir -p "$files"
files=$(cd "$files" && pwd)
export HOME="$scratch" LC_ALL=C
unset DEBUGINFOD_URLS

say() {
	printf '%s\n' "$*" >&2
}

PERF=${PERF:-perf}
ours="$READPERF --quiet -o $scratch/out"
compiler=$(command -v clang || command -v "${CC:-cc}" || true)

have_perf=true
$PERF --version >/dev/null 2>&1 || have_perf=false

# ---- recordings ----------------------------------------------------------------------------------

# generate FOLDER: a program of 120 files, 40 functions each, that calls them all
generate() {
	mkdir -p "$1"
	awk -v folder="$1" 'BEGIN {
		for (f = 0; f < 120; f++) {
			file = folder "/part" f ".c"
			print "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>" >file
			print "#include <string.h>\n#include <unistd.h>" >file
			for (n = 0; n < 40; n++) {
				callee = n ? "return x + part" f "_" n - 1 "(n / 2, x + 1);" : "return x;"
				printf "static double part%d_%d(int n, double x)\n{\n", f, n >file
				printf "\tfor (int i = 0; i < n; i++)\n\t\tx = x * 0.5 + %d;\n", n >file
				printf "\tif (n < 2)\n\t\treturn x;\n\t%s\n}\n\n", callee >file
			}
			printf "double part%d(int n)\n{\n\treturn part%d_39(n, n);\n}\n", f, f >file
			close(file)
		}
		file = folder "/main.c"
		print "#include <stdlib.h>" >file
		for (f = 0; f < 120; f++)
			printf "double part%d(int);\n", f >file
		print "int main(int argc, char **argv)\n{\n\tdouble sum = argc;" >file
		print "\tfor (int i = 0; i < atoi(argv[1]); i++) {" >file
		for (f = 0; f < 120; f++)
			printf "\t\tsum += part%d(%d + i %% 100);\n", f, 200 + 3 * f >file
		print "\t}\n\treturn sum == 0;\n}" >file
		file = folder "/Makefile"
		print "SRC := $(wildcard *.c)\nprogram: $(SRC:.c=.o)\n\t$(CC) -o $@ $^" >file
		print "%.o: %.c\n\t$(CC) -g -O1 -fno-inline -fno-omit-frame-pointer -c -o $@ $<" >file
		print "clean:\n\trm -f *.o program" >file
	}'
}

# record FILE ARGS...: perf record, its messages shown only if it fails
record() {
	file=$1
	shift
	$have_perf || return 1
	perf record -q -e cpu-clock -o "$file" "$@" >"$scratch/record.log" 2>&1 ||
		{ cat "$scratch/record.log" >&2 && return 1; }
}

flat_recording() {
	[ -n "${FLAT:-}" ] || {
		FLAT=$files/build.data
		tree=${BUILD:-$scratch/tree}
		[ -e "$FLAT" ] || {
			say "recording a parallel build of $tree"
			[ -n "${BUILD:-}" ] || generate "$tree"
			make -C "$tree" clean >/dev/null 2>&1 || true
			record "$FLAT" -F 4000 -- make -C "$tree" -j"$jobs"
		}
	}
	[ -e "$FLAT" ]
}

callgraph_recording() {
	[ -n "${CALLGRAPH:-}" ] || {
		CALLGRAPH=$files/callgraph.data
		[ -e "$CALLGRAPH" ] || {
			say "recording a program with call chains"
			generate "$files/program"
			make -C "$files/program" -j"$jobs" >/dev/null
			rm -f "$CALLGRAPH"
			record "$CALLGRAPH" -g -F 10000 -- "$files/program/program" 30000
		}
	}
	[ -e "$CALLGRAPH" ]
}

# samples FILE: the number of its SAMPLE records
samples() {
	"$READPERF" --quiet --tables=stat -o "$scratch/stat" "$1"
	sed -n 's/^SAMPLE,//p' "$scratch/stat/stat.csv"
}

# longer FILE SAMPLES OUT: FILE repeated until it has about that many
longer() {
	times=$(($2 / $(samples "$1")))
	[ $times -gt 0 ] || times=1
	"$TOOLS/repeat" "$1" "$3" $times
}

# ---- measuring -----------------------------------------------------------------------------------

# median COLUMN LOG
median() {
	awk -v column="$1" '{ print $column }' "$2" | sort -n |
		awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# pairs COUNT COMMAND OTHER_COMMAND: runs them in turn, which fills $scratch/ours and $scratch/theirs;
# no other command: the first alone
pairs() {
	rm -f "$scratch/ours" "$scratch/theirs"
	i=0
	while [ $i -lt "$1" ]; do
		# shellcheck disable=SC2086 # lists of words
		"$TOOLS/measure" "$scratch/ours" $2 >/dev/null
		# shellcheck disable=SC2086
		[ -z "$3" ] || "$TOOLS/measure" "$scratch/theirs" $3 >/dev/null 2>&1
		i=$((i + 1))
	done
}

line() {
	printf '    %-10s %9.3f s %9.1f MB\n' "$1" "$2" "$(awk -v kb="$3" 'BEGIN { print kb / 1024 }')"
}

# row TITLE COUNT ASKED_FOR READPERF_ARGUMENTS PERF_ARGUMENTS; none of perf's: readperf alone
row() {
	printf '%s\n' "$1"
	theirs=${5:+$PERF $5}
	$have_perf || theirs=
	pairs "$2" "$ours $4" "$theirs"
	lines readperf perf "$3"
}

# cores TITLE READPERF_ARGUMENTS: what a second core is good for
cores() {
	printf '%s\n' "$1"
	[ "$jobs" -gt 1 ] || { printf '    there is one core here\n' && return; }
	pairs "$PAIRS" "$ours --threads=2 $2" "$ours --threads=1 $2"
	lines '2 threads' '1 thread' "1.7 x"
}

# lines OUR_NAME THEIR_NAME ASKED_FOR: what pairs() has measured
lines() {
	line "$1" "$(median 1 "$scratch/ours")" "$(median 3 "$scratch/ours")"
	[ -e "$scratch/theirs" ] || return 0
	line "$2" "$(median 1 "$scratch/theirs")" "$(median 3 "$scratch/theirs")"
	ratios "$(median 1 "$scratch/theirs")" "$(median 1 "$scratch/ours")" \
		"$(median 3 "$scratch/theirs")" "$(median 3 "$scratch/ours")" "$3"
}

# ratios TIME TIME MEMORY MEMORY WHAT_IS_ASKED_FOR
ratios() {
	awk -v t1="$1" -v t2="$2" -v m1="$3" -v m2="$4" -v asked="$5" 'BEGIN {
		printf "    %-10s %9.2f x %9.2f x    asked for: %s\n", "ratio", t1 / t2, m1 / m2, asked
	}'
}

bench_flat() {
	flat_recording || { say "no flat recording: perf cannot record here, give FLAT=FILE" && return; }
	long=$files/long-$SAMPLES.data
	short=$files/short-$SAMPLES.data
	[ -e "$long" ] || longer "$FLAT" "$SAMPLES" "$long"
	[ -e "$short" ] || longer "$FLAT" $((SAMPLES / 10)) "$short"
	nr_long=$(samples "$long")
	nr_short=$(samples "$short")

	row "results.csv of $nr_long samples, flat" "$PAIRS" "10 x faster, 4 x less memory" \
		"--tables=results $long" "report --stdio --no-children --sort dso,sym -i $long"
	t_long=$(median 1 "$scratch/ours")
	m_long=$(median 3 "$scratch/ours")
	row "the same with one thread, beside perf's statistics of record headers" "$PAIRS" "1 x" \
		"--threads=1 --tables=results $long" "report --stats -i $long"
	row "the same with two threads" "$PAIRS" "1.67 x" \
		"--threads=2 --tables=results $long" "report --stats -i $long"
	cores "the same, what a second core is good for" "--tables=results $long"
	row "all four tables of it" "$PAIRS" "8 x faster" \
		"$long" "script -F comm,pid,tid,time,ip,sym,dso,period -i $long"

	printf 'results.csv of %s samples, of %s samples\n' "$nr_short" "$nr_long"
	pairs "$PAIRS" "$ours --tables=results $short" ""
	line short "$(median 1 "$scratch/ours")" "$(median 3 "$scratch/ours")"
	line long "$t_long" "$m_long"
	ratios "$t_long" "$(median 1 "$scratch/ours")" "$m_long" "$(median 3 "$scratch/ours")" \
		"$(awk -v a="$nr_long" -v b="$nr_short" 'BEGIN { printf "%.2f", a / b }') x the time, 1 x the memory, each + 10 %"
}

bench_callgraph() {
	callgraph_recording || { say "no recording with call chains: give CALLGRAPH=FILE" && return; }
	nr=$(samples "$CALLGRAPH")
	row "function and source file of $nr samples with call chains" 1 \
		"100 x faster than perf 6.1, 15 x faster than perf 7.2" "--tables=results $CALLGRAPH" \
		"report --stdio --no-children -g none --sort dso,sym,srcfile -i $CALLGRAPH"
	row "source lines of them" 1 "nothing" "--tables=lines $CALLGRAPH" \
		"report --stdio --no-children -g none --sort srcline -i $CALLGRAPH"
	row "inlined functions and lines of them, of which perf has no report" "$PAIRS" "" \
		"--inline --tables=results,lines $CALLGRAPH" ""
	cores "call chains, what a second core is good for" "--tables=results $CALLGRAPH"
}

# bench_stacks BYTES ASKED_FOR: a compiler's run with so much of the stack in each sample
bench_stacks() {
	stacks=$files/stacks-$1.data
	[ -e "$stacks" ] || {
		say "recording a compiler with $1 bytes of stack a sample"
		[ -e "$files/program/main.c" ] || generate "$files/program"
		record "$stacks" --call-graph "dwarf,$1" -F 4000 -- sh -c \
			"cd '$files/program' && for i in 0 1 2 3; do '$compiler' -O2 -c -o '$scratch/part.o' part\$i.c; done"
	} || return 0
	nr=$(samples "$stacks")
	row "names and callers of $nr samples with $1 bytes of stack" 3 "$2" "--tables=none $stacks" \
		"report --stdio --children -g none --sort dso,sym -i $stacks"
	row "their results.csv, which has source files, too" 3 "nothing" "--tables=results $stacks" \
		"report --stdio --children -g none --sort dso,sym -i $stacks"
	cores "these, what a second core is good for" "--tables=results $stacks"
}

bench_small() {
	small=$files/small.data
	[ -e "$small" ] || record "$small" -F 1000 -- sh -c 'for i in 1 2 3; do ls -R /usr/include; done' ||
		return 0
	row "all four tables of $(samples "$small") samples" "$PAIRS" "1 x" "$small" \
		"report --stdio --no-children --sort dso,sym -i $small"
}

bench_compressed() {
	packed=$files/packed.data
	[ -e "$packed" ] || {
		say "recording a parallel build, compressed"
		[ -e "$files/program/main.c" ] || generate "$files/program"
		make -C "$files/program" clean >/dev/null 2>&1
		record "$packed" -z -F 25000 -- make -C "$files/program" -j"$jobs"
	} || return 0
	cores "$(samples "$packed") compressed samples, what a second core is good for" \
		"--tables=results $packed"
}

printf '%s; %s\n' "$("$READPERF" --version | head -n 1)" \
	"$($have_perf && $PERF --version || echo 'perf is not installed: no comparison')"
bench_flat
bench_compressed
bench_small
bench_callgraph
bench_stacks 16384 "10 x faster than perf 7.2, 4 x than perf 6.1"
bench_stacks 1024 "20 x faster than perf 7.2, 5 x than perf 6.1"
