#!/bin/sh
# Two events with call chains: each sample must be counted for its own event.
. "$(dirname "$0")/live.sh"
need_perf

compile touch <<'C'
#include <stdlib.h>
#include <string.h>

static unsigned long fill(size_t size)
{
	char *block = malloc(size);
	unsigned long sum = 0;

	memset(block, 1, size);
	for (size_t i = 0; i < size; i++)
		sum += (unsigned long)block[i];
	free(block);
	return sum;
}

static unsigned long deeper(int depth)
{
	return depth ? deeper(depth - 1) + 1 : fill(4 << 20);
}

int main(void)
{
	unsigned long sum = 0;

	for (int i = 0; i < 400; i++)
		sum += deeper(i % 20);
	return sum == 0;
}
C
record -g -e cpu-clock,page-faults -F 4000 -- ./touch
compare_with_perf report script
