/*
 * The path of the callers in a recorded chain.
 *
 * Most chains differ only in the sample's own address. So the path of the callers is cached by the
 * words of the chain without that address, as long as the maps stay the same.
 */
#ifndef READPERF_DECODE_STACK_CALLERS_H
#define READPERF_DECODE_STACK_CALLERS_H

#include "decode/count/address.h"
#include "decode/process/addrspace.h"
#include "decode/process/process.h"
#include "decode/stack/callpath.h"
#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct caller_frame;
struct caller_memo;

/** All zero is an empty cache. */
struct caller_cache {
	struct caller_memo *memos;   /* by hash of the words */
	struct caller_frame *frames; /* scratch: the chain being resolved */
	size_t frames_room;
};

/** The words of callers, innermost first, and the path of the caller of the outermost one. */
struct raw_chain {
	struct span ips;
	enum cpumode cpumode; /* of the first words, until a marker changes it */
	uint64_t leaf; /* the sampled address: if it is the first one in @ips, it is not a caller */
	uint32_t outer;	 /* path number */
	bool user_calls; /* user addresses are those of calls, not where they return to */
};

/** What paths are made with; all is borrowed. */
struct path_maker {
	struct caller_cache *cache;
	struct callpath_table *paths;
	struct address_table *addresses; /* those of callers are added */
	const struct addrspaces *spaces;
	struct map_memo *memo; /* for addrspaces_find() */
	const struct process *process;
	uint32_t event; /* event number */
};

/**
 * Returns the path to @addr from the path @caller, both in in->paths; CALLPATH_NONE if memory is
 * out.
 */
uint32_t callers_step(const struct path_maker *in, uint32_t caller, enum cpumode cpumode,
		      uint64_t addr);

/** Returns the path of the callers in @chain; CALLPATH_NONE if memory is out. */
uint32_t callers_walk(const struct path_maker *in, const struct raw_chain *chain);

/** As callers_walk(), but uses the cache, whose paths are all of in->paths. */
uint32_t callers_find(const struct path_maker *in, const struct raw_chain *chain);

/** Empties the cache: the paths were replaced. */
void callers_forget(struct caller_cache *cache);

void callers_free(struct caller_cache *cache);

#endif
