/* Counts samples on their call paths: the recorded chain, or what else the recording has. */
#ifndef READPERF_DECODE_STACK_STACK_H
#define READPERF_DECODE_STACK_STACK_H

#include "decode/count/address.h"
#include "decode/process/addrspace.h"
#include "decode/process/process.h"
#include "decode/stack/callers.h"
#include "decode/stack/namedpaths.h"
#include "decode/stack/pathstore.h"
#include "decode/stack/userpart.h"
#include "decode/stack/walkedpath.h"
#include "perffile/record.h"
#include "util/apart.h"

#include <stddef.h>
#include <stdint.h>

struct tail_path;

/** A sample to be counted on its call path. */
struct stack_sample {
	const struct process *process;
	const struct record *rec;  /* has the call chain */
	const struct event *event; /* the event that it counts for, with @period */
	uint64_t period;
	uint32_t leaf;	 /* address number of its own address */
	uint64_t thread; /* ordinal number of the life of its thread */
	uint32_t tuple;	 /* of the keys that it is counted for, too, if there are any */
};

struct stacks {
	struct address_table *addresses; /* addresses of callers are added to it */
	const struct addrspaces *spaces;
	struct map_memo *memo;	   /* for addrspaces_find(); set both by stacks_use_memo() */
	struct apart before_paths; /* another thread may count them: stacks_name() */
	struct pathstore paths;
	struct walked_path walked; /* the path before */
	bool is_renewed;	   /* the table of paths was replaced, which callers do not know */
	struct apart behind_paths;
	struct unwinder unwinder;
	enum user_part_mode mode;
	struct caller_cache callers;
	struct span tail;	 /* shared outer part of the chains being counted, or empty */
	bool lacks_tail;	 /* it was to come later in the recording, and did not */
	uint64_t tail_number;	 /* counts all tails so far */
	struct tail_path *tails; /* by event number: the paths of the tail */
	size_t tails_room;
};

/**
 * Initializes @stacks. The addresses of callers are looked up in @spaces and added to @addresses,
 * both borrowed.
 */
void stacks_init(struct stacks *stacks, struct address_table *addresses,
		 const struct addrspaces *spaces, const struct stack_settings *settings);

/** Has addresses looked up with @memo, borrowed, for a thread beside others: addrspaces_find(). */
void stacks_use_memo(struct stacks *stacks, struct map_memo *memo);

/** True if stacks_prepare() must be called before @rec is counted. */
bool stacks_need_info(const struct stacks *stacks, const struct record *rec);

/** Sets where unwinding information comes from, and the recording's @machine, as in uname(2), NULL
 * if that is not known; both borrowed. */
void stacks_prepare(struct stacks *stacks, struct unwindinfo *info, const char *machine);

/**
 * Moves paths to a file if there are too many. Call it before each sample, or those counted at
 * once. Returns 0, or -1 with @err filled.
 */
int stacks_make_room(struct stacks *stacks, struct error *err);

/**
 * Adds all that @from has counted, and forgets its paths. @addresses: by the number of each of the
 * @nr addresses in from->addresses, its number in stacks->addresses; it is copied. Returns 0, or -1
 * with @err filled.
 */
int stacks_add_all(struct stacks *stacks, struct stacks *from, const uint32_t *addresses, size_t nr,
		   struct error *err);

/**
 * Counts @sample on its call path: the recorded chain, or its kernel part with the user part that
 * user_part_find() has.
 *
 * The recorded chain is callee first. A word of -4095 or above, unsigned, is a marker with the
 * cpumode of the words after it. The first address after a marker is an exact instruction address;
 * any other is a return address, and the call is the instruction before it.
 *
 * Returns the number of the path in stacks->paths.now; CALLPATH_NONE if memory is out.
 */
uint32_t stacks_count(struct stacks *stacks, const struct stack_sample *sample);

/**
 * Finds the path of @sample, with no shared tail, and adds it to @to, for stacks_count_named().
 * Returns false if memory is out. Another thread may call that function meanwhile, and only that
 * one: it uses nothing but the members that stand apart.
 */
bool stacks_name(struct stacks *stacks, const struct stack_sample *sample, struct named_paths *to);

/** Counts @named, with stacks_make_room() when it is needed. Returns 0, or -1 with @err filled. */
int stacks_count_named(struct stacks *stacks, const struct named_paths *named, struct error *err);

/** Whether chains are taken as they are recorded, where there is nothing else. */
static inline bool stacks_take_recorded(const struct stacks *stacks)
{
	return stacks->mode == USER_PART_AUTO || stacks->mode == USER_PART_RECORDED;
}

enum { STACKS_PLAIN_MAX = 16 };

/** A plain sample with a call chain, of @process, and where it is. */
struct stack_plain {
	const struct plain_sample *sample;
	const struct process *process;
	struct location at;
};

/**
 * Counts the @nr @samples, STACKS_PLAIN_MAX at most, at their addresses and on the paths of their
 * chains: as stacks_count() each, but what all of them read is prefetched. Call it only if
 * stacks_take_recorded(). @swap: the words of chains have the other byte order. Returns false if
 * memory is out.
 */
bool stacks_count_plain(struct stacks *stacks, const struct stack_plain *samples, size_t nr,
			bool swap);

/**
 * Sets the user part that the chains of all samples counted from now on share: @tail follows their
 * own words and is resolved once for all of them. If it is empty, they lack it. The words are not
 * copied.
 */
void stacks_share_tail(struct stacks *stacks, struct span tail);

/** Ends what stacks_share_tail() began. */
void stacks_end_tail(struct stacks *stacks);

/**
 * As stacks_count() for a sample that waits for the rest of its chain and will be counted again:
 * counts it with the chain that it has, on a path of stacks->paths.waiting, until
 * stacks_forget_waiting().
 */
uint32_t stacks_count_waiting(struct stacks *stacks, const struct stack_sample *sample);

void stacks_forget_waiting(struct stacks *stacks);

void stacks_free(struct stacks *stacks);

#endif
