/*
 * A hand: what one thread of a crew has counted, and what it needs to count more: samples whose
 * threads and maps are known, at their addresses and on their call paths.
 */
#ifndef READPERF_DECODE_REPLAY_HAND_H
#define READPERF_DECODE_REPLAY_HAND_H

#include "decode/count/address.h"
#include "decode/process/addrspace.h"
#include "decode/process/dsoset.h"
#include "decode/process/process.h"
#include "decode/stack/stack.h"
#include "perffile/record.h"
#include "util/apart.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hand {
	struct apart before;
	struct address_table addresses;
	uint32_t *numbers; /* by the number of an address here: that in the whole's table */
	size_t nr_numbers, numbers_room;
	struct stacks stacks;
	struct map_memo memo;
	struct addrspaces spaces; /* as they are for the samples; all is borrowed */
	struct process process;	  /* the same: only its maps are set */
	/* plain samples that wait to be counted, and their processes */
	struct stack_plain plain[STACKS_PLAIN_MAX];
	struct process processes[STACKS_PLAIN_MAX];
	size_t nr_plain;
	/* unless ERROR_NONE, why it counts no more: what waits is not there any more */
	struct error err;
	struct dso_set met;	   /* dsos with samples */
	const struct dso **untold; /* the same, not told yet */
	size_t nr_untold, untold_room;
	struct apart behind;
};

/** Makes @hand, all zero, ready. @spaces is not changed, and borrowed. */
void hand_init(struct hand *hand, const struct addrspaces *spaces,
	       const struct stack_settings *settings);

/** Sets the kernel's maps for the samples that are counted next; borrowed. */
void hand_set_kernel(struct hand *hand, const struct kernel_space *kernel);

/** Counts the @nr @samples of a process that has @maps; some may wait for hand_flush(). Returns
 * false, with hand->err filled, if memory is out. */
bool hand_count_plain(struct hand *hand, struct map_set *maps, const struct plain_sample *samples,
		      size_t nr, bool swap);

/** Counts what waits. As hand_count_plain(). */
bool hand_flush(struct hand *hand, bool swap);

/** Counts @sample, of whatever process, but with @maps. As hand_count_plain(). */
bool hand_count(struct hand *hand, struct map_set *maps, const struct stack_sample *sample);

/** Takes dsos that samples are in, each once, @room at most. Returns how many. */
size_t hand_take_met(struct hand *hand, const struct dso **met, size_t room);

/** Adds what was counted at addresses to @addresses. @helpers: as for address_take_others().
 * Returns false if memory is out. */
bool hand_move_addresses(struct hand *hand, struct address_table *addresses,
			 struct helpers *helpers);

/** Adds what was counted on paths to @stacks, after hand_move_addresses(). Returns 0, or -1 with
 * @err filled. */
int hand_move_paths(struct hand *hand, struct stacks *stacks, struct error *err);

/** Puts paths aside if there are many. Returns false, with hand->err filled, if it failed. */
bool hand_make_room(struct hand *hand);

/** Frees the tables of what was counted, which has been added up: it counts no more. */
void hand_empty(struct hand *hand);

void hand_free(struct hand *hand);

#endif
