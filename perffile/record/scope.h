/* Whose samples depend on a record of another kind. */
#ifndef READPERF_PERFFILE_RECORD_SCOPE_H
#define READPERF_PERFFILE_RECORD_SCOPE_H

#include "perffile/record/raw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCOPE_PIDS_MAX = 3 };

/** Those of the @nr processes @pids, or of all. */
struct record_scope {
	bool all;
	size_t nr;
	uint32_t pids[SCOPE_PIDS_MAX];
};

/** Returns the scope of @raw; of one that is damaged or not known it is all. */
struct record_scope record_scope(const struct raw_record *raw, bool swap);

/** Whether samples depend on @raw also later on: the file that it maps tells at which times. */
bool record_scope_lasts(const struct raw_record *raw, bool swap);

#endif
