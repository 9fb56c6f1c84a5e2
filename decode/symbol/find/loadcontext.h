/* Data shared by the loaders of all kinds of dso. */
#ifndef READPERF_DECODE_SYMBOL_FIND_LOADCONTEXT_H
#define READPERF_DECODE_SYMBOL_FIND_LOADCONTEXT_H

#include "decode/symbol/symbolsettings.h"
#include "util/helpers.h"

#include <pthread.h>
#include <stdint.h>

struct kernel;
struct servers;

struct load_context {
	struct symbol_settings settings;
	struct kernel *kernel;	 /* the recorded kernel; has its own lock */
	struct servers *servers; /* debuginfod servers; have their own lock */
	int64_t recording_end;	 /* latest possible end in ns since 1970; INT64_MAX: unknown */
	pthread_mutex_t talk;	 /* held while a callback of the user runs */
	struct helpers helpers;	 /* threads that wait for a binary */
};

#endif
