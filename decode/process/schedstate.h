/* What the recorded kernel calls the states of threads, which differ between kernels. */
#ifndef READPERF_DECODE_PROCESS_SCHEDSTATE_H
#define READPERF_DECODE_PROCESS_SCHEDSTATE_H

#include "perffile/perffile.h"
#include "perffile/tracefield.h"
#include "perffile/tracewords.h"

#include <stdbool.h>
#include <stdint.h>

/** The words for the states of threads; all zero has none. */
struct schedstates {
	struct tracewords words;
};

enum { SCHEDSTATE_BYTES = 64 };

/**
 * Reads the words for states from the format of the tracepoint sched_switch with number @id
 * (attr.config). Returns false if memory is out. The caller frees them with schedstates_free().
 */
bool schedstates_read(struct schedstates *states, const struct perffile *file, uint64_t id);

/** Writes what the kernel calls @state to @text: "S", "R+", "D|K". */
void schedstate_write(const struct schedstates *states, uint64_t state,
		      char text[SCHEDSTATE_BYTES]);

void schedstates_free(struct schedstates *states);

#endif
