#!/bin/sh
# User call chains that are unwound from copies of the stack, each against perf script's: a plain
# program, a signal handler, and a stripped one whose debug file has .debug_frame alone.
. "$(dirname "$0")/live.sh"
need_perf
command -v userchains >/dev/null || skip "TOOLS is not set: userchains is missing"
command -v objcopy >/dev/null || skip "objcopy is not installed"

cat >calls.c <<'C'
#include <signal.h>
#include <stdlib.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void spin(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}

__attribute__((noinline)) static int less(const void *a, const void *b)
{
	spin(20);
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

__attribute__((noinline)) static unsigned long recurse(int depth)
{
	volatile unsigned long here = (unsigned long)depth;

	if (depth > 0)
		return recurse(depth - 1) + here;
	spin(2000);
	return here;
}

static void handler(int number)
{
	(void)number;
	recurse(3);
}

int main(int argc, char **argv)
{
	static int numbers[2000];

	(void)argv;
	signal(SIGUSR1, handler);
	for (int i = 0; i < 300; i++) {
		for (int k = 0; k < 2000; k++)
			numbers[k] = k * 7919 % 2003;
		qsort(numbers, 2000, sizeof(*numbers), less);
		recurse(i % 30);
		if (argc > 1)
			raise(SIGUSR1);
	}
	return 0;
}
C
flags="-O2 -g -fomit-frame-pointer"

# perf script's chains as our_chains() has ours: TID TIME PLACE..., times in us, of each place the
# lowest 12 bits: perf 6.1 prints byte offsets, newer ones what is mapped there. Where the copy of the
# stack ends some add a frame ffff...
perfs_chains() {
	perf script --no-inline --max-stack=1024 -F tid,time,ip -i perf.data 2>/dev/null | awk '
		/^ *[0-9]+ +[0-9]+\.[0-9]+:/ {
			if (line)
				print line
			split($2, at, /[.:]/)
			line = $1 " " (at[1] + 0) substr(at[2] "000000", 1, 6)
			if (NF > 2) # where it has no callers
				line = line " " substr("00" $3, length($3))
			next
		}
		NF && $1 !~ /^ffff/ { line = line " " substr("00" $1, length($1)) }
		END { print line }'
}

our_chains() {
	userchains perf.data | awk '
		{
			line = $1 " " substr($2, 1, length($2) - 3)
			for (i = 4; i <= NF; i++)
				line = line " " substr("00" $i, length($i))
			print line
		}'
}

# compare_chains WHAT TRAMPOLINES LONGER: of 1000 chains 995 are the same; one more may not be, as perf has
# given up one of 124 after its innermost frame. TRAMPOLINES of a chain may be a byte before ours: so perf
# 6.1 has those of signal handlers. LONGER is 1 if chains of which perf has but the innermost frames are as
# good: perf 6.1 has no .debug_frame of debug files.
compare_chains() {
	perfs_chains >perfs.txt
	our_chains >ours.txt
	awk -v what="$1" -v trampolines="$2" -v longer="$3" '
		function number(place) {
			return 256 * digit(place, 1) + 16 * digit(place, 2) + digit(place, 3)
		}
		function digit(place, i) { return index("0123456789abcdef", substr(place, i, 1)) - 1 }
		# How many of the first frames are the same.
		function begin(theirs, nr, i, before) {
			before = trampolines
			for (i = 1; i <= nr && i <= NF; i++)
				if (theirs[i] != $i && (number(theirs[i]) + 1 != number($i) || before-- == 0))
					break
			return i - 1
		}
		NR == FNR { perfs[$1 " " $2] = $0; next }
		{
			all++
			nr = split(perfs[$1 " " $2], theirs)
			first = begin(theirs, nr)
			if (nr > 2 && first == nr && (nr == NF || longer)) {
				same++
				next
			}
		}
		shown++ < 5 { print "perf: " perfs[$1 " " $2]; print "ours: " $0 }
		END {
			print what ": " all " chains, " same + 0 " as perf has them"
			exit !(all >= 50 && (all - same - 1) * 200 <= all)
		}' perfs.txt ours.txt
}

# are_complete WHAT: of 1000 chains 995 reach the outermost function, by way of main; two more may not,
# as samples may come before main and after it
are_complete() {
	userchains perf.data | awk -v what="$1" '
		{ complete += $3 == "complete" && NF > 5 }
		END {
			print what ": " NR " chains, " complete + 0 " complete"
			exit !(NR >= 50 && (NR - complete - 2) * 200 <= NR)
		}'
}

record_stacks() {
	record --call-graph dwarf,16384 -e cpu-clock:u -F 2000 -- "$@"
}

# shellcheck disable=SC2086 # flags are words
${CC:-cc} $flags -o calls calls.c
record_stacks ./calls
compare_chains "a program" 0 0
record_stacks ./calls signals
compare_chains "signal handlers" 1 0

# shellcheck disable=SC2086
${CC:-cc} $flags -fno-asynchronous-unwind-tables -o calls calls.c
objcopy --only-keep-debug calls calls.debug
objcopy --strip-all --add-gnu-debuglink=calls.debug calls
record_stacks ./calls
compare_chains "a debug file" 0 1
are_complete "a debug file"
