/* What a recording says of its hardware trace as a whole. */
#ifndef READPERF_PERFFILE_TRACESUMMARY_H
#define READPERF_PERFFILE_TRACESUMMARY_H

#include <stdbool.h>
#include <stdint.h>

/** All zero: there is none. */
struct trace_summary {
	bool has_type;
	uint32_t type;		   /* enum trace_type */
	uint64_t nr_pieces, bytes; /* AUXTRACE records, and the bytes that follow them */
	/* AUX records; those of them that tell of a full buffer, of a snapshot, of gaps, of samples
	 * that collided */
	uint64_t nr_aux, nr_truncated, nr_overwritten, nr_partial, nr_collided;
};

/** Returns the name of an enum trace_type ("Intel PT"), or "of an unknown type". */
const char *perffile_trace_name(uint32_t type);

#endif
