#!/bin/sh
# One program whose functions take known shares of the time, sampled by frequency.
. "$(dirname "$0")/live.sh"
need_perf

compile shares <<'C'
static volatile unsigned long sink;

static void spin(unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds; i++)
		sink += i;
}

void third(void)
{
	spin(1000);
	for (unsigned long i = 0; i < 2000; i++)
		sink ^= i;
}

void whole(void)
{
	for (int i = 0; i < 400000; i++)
		third();
}

int main(void)
{
	whole();
	return 0;
}
C
record -e cpu-clock -F 4000 -- ./shares
compare_with_perf report script
