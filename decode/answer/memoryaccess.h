/* A sample's data_src (union perf_mem_data_src): what an access to memory met, in words. */
#ifndef READPERF_DECODE_ANSWER_MEMORYACCESS_H
#define READPERF_DECODE_ANSWER_MEMORYACCESS_H

#include <stdbool.h>
#include <stdint.h>

/** Where the data was; the order is that of the words. */
enum memory_level {
	MEMORY_UNKNOWN,
	MEMORY_L0,
	MEMORY_L1,
	MEMORY_LFB,
	MEMORY_L2,
	MEMORY_L2_MHB,
	MEMORY_L3,
	MEMORY_L4,
	MEMORY_SIDE_CACHE,
	MEMORY_CACHE, /* some cache, of another core or node */
	MEMORY_RAM,
	MEMORY_PMEM,
	MEMORY_CXL,
	MEMORY_IO,
	MEMORY_UNCACHED,
	NR_MEMORY_LEVELS,
};

/** An access to memory. */
struct memory_access {
	bool load, store;
	enum memory_level level;
	bool missed;	 /* at @level: where it was found is not known */
	bool remote;	 /* of another node or socket */
	bool other_core; /* of another core of the same node */
	bool hitm;	 /* the line was modified in another cache */
	bool peer;	 /* it came from a cache at the same distance */
	unsigned hops;	 /* a number that this version does not know; 0: none */
};

struct memory_access memory_access_of(uint64_t data_src);

enum { MEMORY_WORD_MAX = 48 };

/** The words of a data_src for the columns of memory.csv. */
struct memory_words {
	char op[MEMORY_WORD_MAX], source[MEMORY_WORD_MAX], snoop[MEMORY_WORD_MAX],
		tlb[MEMORY_WORD_MAX];
	const char *locked; /* static */
};

void memory_access_words(uint64_t data_src, struct memory_words *words);

#endif
