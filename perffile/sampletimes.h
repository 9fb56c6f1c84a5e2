/* When the first and the last sample of a recording were taken. */
#ifndef READPERF_PERFFILE_SAMPLETIMES_H
#define READPERF_PERFFILE_SAMPLETIMES_H

#include <stdbool.h>
#include <stdint.h>

/** ns of the recording's clock, @first <= @last. */
struct sample_times {
	uint64_t first, last;
};

/** What is to be found. */
struct times_search {
	bool last; /* the last sample, too: that may take reading all of the recording */
	/* Called about every 16 MiB while it is read, for progress, in bytes; NULL: not */
	void (*show)(void *arg, uint64_t done, uint64_t total);
	void *arg;
};

#endif
