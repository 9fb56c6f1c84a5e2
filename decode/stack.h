/*
 * From a sample's raw call chain to its call path.
 *
 * Most chains differ only in the sample's own address, so the callers' path is remembered by the
 * raw words of the chain without it, as long as the maps are those it was worked out with.
 */
#ifndef READPERF_DECODE_STACK_H
#define READPERF_DECODE_STACK_H

#include "decode/address.h"
#include "decode/addrspace.h"
#include "decode/pathstore.h"
#include "decode/process.h"
#include "perffile/record.h"

#include <stddef.h>
#include <stdint.h>

struct frame;
struct stack_memo;
struct tail_path;

struct stacks {
	struct pathstore paths;
	struct stack_memo *memos; /* the callers' paths last seen, by hash of the raw words */
	struct frame *frames;	  /* scratch: the chain being worked out */
	size_t frames_room;
	struct span tail;	 /* the outer part of the chains being counted, or empty */
	uint64_t tail_number;	 /* of all there were */
	struct tail_path *tails; /* by the number of the event, what was worked out of it */
	size_t tails_room;
};

/** An empty one. @paths_max: as for pathstore_init(). */
void stacks_init(struct stacks *stacks, size_t paths_max);

/** Makes room for more if need be, by way of a file. To be called before each sample. 0, or -1. */
int stacks_make_room(struct stacks *stacks, struct error *err);

/**
 * Counts the sample @rec with @period for @event, for which its own address has the number @leaf,
 * on its call path; the callers' addresses are entered in @addresses.
 *
 * The chain is callee first; a word of -4095 or above, unsigned, is a marker that says in which
 * mode the following ones ran. The first address behind a marker is where execution stood; any
 * other is a return address, and the call is the instruction before it.
 *
 * Returns the number of the path in stacks->paths.now; CALLPATH_NONE if memory is out.
 */
uint32_t stacks_count(struct stacks *stacks, struct address_table *addresses,
		      const struct addrspaces *spaces, const struct process *process,
		      const struct record *rec, const struct event *event, uint64_t period,
		      uint32_t leaf);

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
uint32_t stacks_count_waiting(struct stacks *stacks, struct address_table *addresses,
			      const struct addrspaces *spaces, const struct process *process,
			      const struct record *rec, const struct event *event, uint64_t period,
			      uint32_t leaf);

void stacks_forget_waiting(struct stacks *stacks);

void stacks_free(struct stacks *stacks);

#endif
