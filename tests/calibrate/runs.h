/* The runs of one program, side by side: what each function took in each of them. */
#ifndef READPERF_TESTS_CALIBRATE_RUNS_H
#define READPERF_TESTS_CALIBRATE_RUNS_H

#include "decode/compare/judge/verdict.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>

enum { RUNS_MAX = 32 };

/** A function in all runs. */
struct runs_function {
	struct run_share shares[RUNS_MAX];
	bool kernel;
};

/** All zero is empty. */
struct runs {
	struct intern names; /* "FUNCTION<tab>BINARY", by number of the function */
	struct runs_function *functions;
	size_t nr_functions, room;
	struct run_total totals[RUNS_MAX];
	size_t nr;
};

/** Adds a run: what the recording at @path has of its first event. Ends the program with a line if
 * it cannot be read. */
void runs_add(struct runs *runs, const char *path);

void runs_free(struct runs *runs);

#endif
