/* SAMPLE -> ACCESS TO A CACHE LINE: what a sample with an address and data_src counts as. */
#ifndef READPERF_DECODE_ANSWER_CACHELINESAMPLE_H
#define READPERF_DECODE_ANSWER_CACHELINESAMPLE_H

#include "decode/count/cacheline.h"
#include "decode/process/addrspace.h"
#include "decode/results.h"
#include "perffile/record.h"

#include <stdbool.h>

/** Where accesses are counted, and what was left out. */
struct cacheline_sink {
	struct cacheline_count count;
	struct cacheline_totals totals;
};

/** Counts the access of the sample @rec of @process. Returns false if memory is out. */
bool cacheline_sample_count(struct cacheline_sink *sink, const struct addrspaces *spaces,
			    const struct process *process, const struct record *rec);

#endif
