/* SAMPLE -> ACCESS TO A CACHE LINE: what a sample with an address and data_src counts as. */
#ifndef READPERF_DECODE_ANSWER_CACHELINESAMPLE_H
#define READPERF_DECODE_ANSWER_CACHELINESAMPLE_H

#include "decode/count/cacheline.h"
#include "decode/process/addrspace.h"
#include "decode/results/memoryrows.h"
#include "perffile/record.h"

#include <stdbool.h>

/** Where accesses are counted, and what was left out. */
struct cacheline_sink {
	struct cacheline_count count;
	struct cacheline_totals totals;
};

/** An access to memory. All borrowed. */
struct cacheline_access {
	const struct process *process;
	struct location code;
	uint64_t addr;	   /* of the data; 0: unknown */
	uint64_t data_src; /* as in samples */
	uint32_t tid, cpu; /* UINT32_MAX: unknown */
};

/** Counts @access. Returns false if memory is out. */
bool cacheline_sample_access(struct cacheline_sink *sink, const struct addrspaces *spaces,
			     const struct cacheline_access *access);

/** Counts the access of the sample @rec of @process. Returns false if memory is out. */
bool cacheline_sample_count(struct cacheline_sink *sink, const struct addrspaces *spaces,
			    const struct process *process, const struct record *rec);

#endif
