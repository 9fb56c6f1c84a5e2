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
#include "decode/callpath.h"
#include "decode/process.h"
#include "perffile/record.h"

#include <stddef.h>
#include <stdint.h>

struct frame;
struct stack_memo;

/** All zero is an empty one. */
struct stacks {
	struct callpath_table paths;
	struct stack_memo *memos; /* the callers' paths last seen, by hash of the raw words */
	struct frame *frames;	  /* scratch: the chain being worked out */
	size_t frames_room;
};

/**
 * Counts the sample @rec with @period for @event, for which its own address has the number @leaf,
 * on its call path; the callers' addresses are entered in @addresses.
 *
 * The chain is callee first; a word of -4095 or above, unsigned, is a marker that says in which
 * mode the following ones ran. The first address behind a marker is where execution stood; any
 * other is a return address, and the call is the instruction before it.
 *
 * Returns false if memory is out.
 */
bool stacks_count(struct stacks *stacks, struct address_table *addresses,
		  const struct addrspaces *spaces, const struct process *process,
		  const struct record *rec, const struct event *event, uint64_t period,
		  uint32_t leaf);

void stacks_free(struct stacks *stacks);

#endif
