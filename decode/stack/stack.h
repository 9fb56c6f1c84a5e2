/*
 * A sample's recorded call chain becomes a call path.
 *
 * Most chains differ only in the sample's own address. So the path of the callers is remembered by
 * the words of the chain without that address, as long as the maps stay the same.
 */
#ifndef READPERF_DECODE_STACK_STACK_H
#define READPERF_DECODE_STACK_STACK_H

#include "decode/count/address.h"
#include "decode/process/addrspace.h"
#include "decode/process/process.h"
#include "decode/stack/pathstore.h"
#include "perffile/record.h"

#include <stddef.h>
#include <stdint.h>

struct stack_frame;
struct stack_memo;
struct tail_path;

/** A sample to be counted on its call path. */
struct stack_sample {
	const struct process *process;
	const struct record *rec;  /* which has the chain */
	const struct event *event; /* what it counts for, with @period */
	uint64_t period;
	uint32_t leaf; /* number of its own address */
};

struct stacks {
	struct address_table *addresses; /* which gets those of the callers */
	const struct addrspaces *spaces;
	struct pathstore paths;
	struct stack_memo *memos;   /* the callers' paths last seen, by hash of the raw words */
	struct stack_frame *frames; /* scratch: the chain being worked out */
	size_t frames_room;
	struct span tail;	 /* the outer part of the chains being counted, or empty */
	uint64_t tail_number;	 /* of all there were */
	struct tail_path *tails; /* by the number of the event, what was worked out of it */
	size_t tails_room;
};

/**
 * An empty one. The addresses of callers are looked up in @spaces and entered in @addresses, both
 * borrowed. @paths_max: as for pathstore_init().
 */
void stacks_init(struct stacks *stacks, struct address_table *addresses,
		 const struct addrspaces *spaces, size_t paths_max);

/** Makes room for more if need be, by way of a file. To be called before each sample. 0, or -1. */
int stacks_make_room(struct stacks *stacks, struct error *err);

/**
 * Counts @sample on its call path.
 *
 * The chain is callee first; a word of -4095 or above, unsigned, is a marker that says in which
 * mode the following ones ran. The first address behind a marker is where execution stood; any
 * other is a return address, and the call is the instruction before it.
 *
 * Returns the number of the path in stacks->paths.now; CALLPATH_NONE if memory is out.
 */
uint32_t stacks_count(struct stacks *stacks, const struct stack_sample *sample);

/**
 * The samples counted from now on share the words in @tail, the user part of their chains: it comes
 * behind their own words and is worked out once for all. An empty one: no longer. The words are
 * not copied.
 */
void stacks_share_tail(struct stacks *stacks, struct span tail);

/**
 * As stacks_count() of a sample that waits for the rest of its chain and is to be counted again
 * then: it counts as it is, on a path of stacks->paths.waiting, until stacks_forget_waiting().
 */
uint32_t stacks_count_waiting(struct stacks *stacks, const struct stack_sample *sample);

void stacks_forget_waiting(struct stacks *stacks);

void stacks_free(struct stacks *stacks);

#endif
