/* A thread that has nothing else to do but to help others. */
#ifndef READPERF_TESTS_SUPPORT_IDLER_H
#define READPERF_TESTS_SUPPORT_IDLER_H

#include "util/helpers.h"

#include <stdbool.h>

struct idler {
	struct helpers helpers; /* where it waits */
	pthread_t thread;
	bool over;
};

/** Starts the thread; the test fails if it cannot be. */
void idler_start(struct idler *idler);

void idler_end(struct idler *idler);

#endif
