/* Work that the caller of a recording's functions leaves to threads that wait. */
#ifndef READPERF_PERFFILE_WORK_H
#define READPERF_PERFFILE_WORK_H

#include <stdbool.h>

/** Who does a piece of work. */
enum perffile_worker {
	PERFFILE_CALLER, /* who waits for records */
	PERFFILE_READER, /* the thread that reads ahead, which waits for room */
};

/** Does a piece of work for @arg. Returns false if there is none. */
typedef bool (*perffile_work)(void *arg, enum perffile_worker worker);

#endif
