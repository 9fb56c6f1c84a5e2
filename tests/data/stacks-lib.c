/* The shared library: what it is built with leaves it .debug_frame alone. */
#include "stacks.h"

__attribute__((noinline)) unsigned long tick(unsigned long value)
{
	return value * 3 + 1;
}

/* Calls back into the program. */
__attribute__((noinline)) unsigned long apply(unsigned long (*function)(unsigned long),
					      unsigned long value)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < 4; i++)
		sum += function(value + i);
	return sum;
}
