#!/bin/sh
# A stripped program whose symbols and DWARF lie in a file of their own, which its debug link names.
. "$(dirname "$0")/live.sh"
need_perf
command -v objcopy >/dev/null || skip "objcopy is not installed"

compile apart <<'C'
static volatile unsigned long sink;

static void spin(unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds; i++)
		sink += i;
}

static void step(void)
{
	spin(1000);
	for (unsigned long i = 0; i < 2000; i++)
		sink ^= i;
}

int main(void)
{
	for (int i = 0; i < 100000; i++)
		step();
	return 0;
}
C
objcopy --only-keep-debug apart apart.debug
strip apart
objcopy --add-gnu-debuglink=apart.debug apart
record -e cpu-clock:u -F 4000 -- ./apart
compare_with_perf report script
[ "$(awk -F , '$4 == "spin" || $4 == "step" { print $3 }' ours/results.csv | sort -u)" = "$PWD/apart.c" ]
