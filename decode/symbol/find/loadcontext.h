/* What all share that load the symbols of a dso, whatever kind it is of. */
#ifndef READPERF_DECODE_SYMBOL_FIND_LOADCONTEXT_H
#define READPERF_DECODE_SYMBOL_FIND_LOADCONTEXT_H

#include "decode/symbol/symbolsettings.h"

#include <pthread.h>
#include <stdint.h>

struct kernel;
struct servers;

struct load_context {
	struct symbol_settings settings;
	struct kernel *kernel;	 /* what is known of the recorded one; has a lock of its own */
	struct servers *servers; /* of debuginfod; have a lock of their own */
	int64_t recording_end;	 /* ns since 1970; INT64_MAX: not known */
	pthread_mutex_t talk;	 /* held while the user's functions are called */
};

#endif
