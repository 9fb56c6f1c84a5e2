/* Results made by hand, with all that is awkward to print; more than one test prints them. */
#ifndef READPERF_TESTS_SUPPORT_HANDMADE_H
#define READPERF_TESTS_SUPPORT_HANDMADE_H

#include "decode/results/functionrows.h"

/** "cycles:u", "cpu/mem-loads,ldlat=30/P", and one that has no samples. */
extern const struct event handmade_cycles, handmade_loads, handmade_nothing;

/** Three functions of cycles, with 7 samples of period 3000, and one of loads, with one of 0. */
enum { HANDMADE_OF_CYCLES = 3, HANDMADE_FUNCTIONS = 4 };
extern const struct function_stat handmade_functions[HANDMADE_FUNCTIONS];

#endif
