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

/** What the path of the callers in a chain depends on, beside the words of the chain. */
struct caller_key {
	/* versions of the maps that the path was resolved with */
	uint64_t user_version, kernel_version;
	uint32_t event;
	uint32_t outer; /* number of the path */
	uint16_t nr_words;
	uint16_t leaf;	  /* number of the leaf's word; UINT16_MAX: it is not in the chain */
	uint16_t cpumode; /* of the first words, until a marker changes it */
	bool user_calls;  /* see struct raw_chain */
	bool swap;	  /* the words have the other byte order */
};

struct caller_memo;

/** All zero is an empty cache. */
struct caller_cache {
	struct caller_memo *memos; /* by hash of the words */
	/* scratch, of the chain being resolved: the callers, innermost first, their addresses and
	 * the paths to them, outermost first */
	struct caller_frame *frames;
	uint32_t *addresses;
	struct callpath_ref *paths;
	size_t frames_room, addresses_room, paths_room;
};

/** The words of callers, innermost first, and the path of the caller of the outermost one. */
struct raw_chain {
	struct span ips;
	enum cpumode cpumode; /* of the first words, until a marker changes it */
	uint64_t leaf; /* the sampled address: if it is the first one in @ips, it is not a caller */
	struct callpath_ref outer;
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
 * Returns the path to @addr from the path @caller, both in in->paths; its number is CALLPATH_NONE
 * if memory is out.
 */
struct callpath_ref callers_step(const struct path_maker *in, struct callpath_ref caller,
				 enum cpumode cpumode, uint64_t addr);

/** Finds the addresses of the callers in @chain: *@nr of them in in->cache->addresses, outermost
 * first, until the next chain. Returns false if memory is out. */
bool callers_locate(const struct path_maker *in, const struct raw_chain *chain, size_t *nr);

/** Returns the path of the callers in @chain; its number is CALLPATH_NONE if memory is out. */
struct callpath_ref callers_walk(const struct path_maker *in, const struct raw_chain *chain);

/** As callers_walk(), but uses the cache, whose paths are all of in->paths. */
struct callpath_ref callers_find(const struct path_maker *in, const struct raw_chain *chain);

/** A search in the cache. */
struct caller_search {
	struct raw_chain chain;
	struct caller_key key;
	struct caller_memo *memo; /* where it may be found; NULL: nowhere */
};

/**
 * callers_find() in three steps. The first two prefetch what the next one reads, so take each step
 * of several searches before the next step of the first. The caller sets search->chain. Searches
 * do not disturb each other.
 */
void callers_begin(const struct path_maker *in, struct caller_search *search);
void callers_look(const struct caller_search *search);
struct callpath_ref callers_end(const struct path_maker *in, const struct caller_search *search);

/** Empties the cache: the paths were replaced. */
void callers_forget(struct caller_cache *cache);

void callers_free(struct caller_cache *cache);

#endif
