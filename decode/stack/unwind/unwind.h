/*
 * Unwinding: the registers and the copy of the stack that a sample has become its user call chain.
 *
 * Each step from a frame to its caller follows the call frame information of the code (see
 * decode/symbol/unwindinfo.h) or, where there is none, the frame pointer. Nothing is guessed: no
 * looking through the stack for what may be a return address. Where the chain ends, a reason says
 * why (enum chain_end).
 */
#ifndef READPERF_DECODE_STACK_UNWIND_UNWIND_H
#define READPERF_DECODE_STACK_UNWIND_UNWIND_H

#include "decode/stack/chainend.h"
#include "decode/stack/unwind/unwindarch.h"
#include "decode/stack/unwind/unwindplace.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How frames of a binary were unwound. */
enum unwind_way {
	UNWIND_BY_NOTHING, /* the chain ends there */
	UNWIND_BY_EH_FRAME,
	UNWIND_BY_DEBUG_FRAME,
	UNWIND_BY_GO_TABLE,
	UNWIND_BY_FRAME_POINTER,
	UNWIND_BY_SIGNAL_FRAME, /* what the kernel puts on the stack for a signal handler */
	UNWIND_NR_WAYS
};

struct unwind_count {
	uint64_t frames[UNWIND_NR_WAYS];
};

enum { UNWIND_TRAIL_MAX = 64 };

/** Where frames of a stack end: the SPs of their callers, innermost first. */
struct unwind_trail {
	uint64_t sps[UNWIND_TRAIL_MAX];
	size_t nr;
};

/** All zero but for what unwinder_init() sets. */
struct unwinder {
	struct unwind_places places;
	size_t max_frames;
	const char *machine;		    /* that recorded, as in uname(2); NULL: not known */
	const struct unwind_arch *archs[2]; /* for ABI 1, 2; NULL: not looked for, or not known */
	size_t asked[2];		    /* so many dsos were asked for them */
	uint32_t *frames;		    /* numbers in the address table, innermost first */
	size_t nr_frames, frames_room;
	struct unwind_count *counts; /* by number of the dso */
	size_t nr_counts, counts_room;
	struct unwind_trail trail; /* of the sample before */
	uint64_t branches_kept;	   /* by the recorded processor, of calls that have not returned */
	uint64_t maps_version;	   /* that `pointer_mask` is of */
	uint64_t pointer_mask;	   /* bits of an address that are no signature of it */
};

/** Most frames of a chain if not said otherwise. */
enum { UNWIND_MAX_FRAMES = 1024 };

/** The addresses of frames are looked up in @spaces and entered in @addresses, both borrowed. */
void unwinder_init(struct unwinder *unwinder, struct address_table *addresses,
		   const struct addrspaces *spaces, size_t max_frames);

/** True if @rec has what it takes: registers and a copy of the stack. */
bool unwind_is_possible(const struct record *rec);

/**
 * Unwinds the user part of the sample @rec of @process, for the event with number @event, to
 * unwinder->frames; unwinder->places.info must be set. *@end says why it ends. Returns false if
 * memory is out.
 */
bool unwind_sample(struct unwinder *unwinder, const struct process *process, uint32_t event,
		   const struct record *rec, enum chain_end *end);

/** The address @pc of @process without the signature that arm64 may put into its upper bits. */
uint64_t unwind_strip_pointer(struct unwinder *unwinder, const struct process *process,
			      uint64_t pc);

/**
 * How most frames in the dso with number @dso were unwound: "eh_frame", "debug_frame",
 * "gopclntab", "frame-pointer", "signal-frame", or "none" if nothing led to their callers; "" if
 * there were none. A constant.
 */
const char *unwinder_word(const struct unwinder *unwinder, uint32_t dso);

/** Whether call frame information of its file led from a frame in the dso with number @dso. */
bool unwinder_read_file(const struct unwinder *unwinder, uint32_t dso);

/** Moves to @to how @from has unwound frames. Returns false if memory is out. */
bool unwinder_move_counts(struct unwinder *to, struct unwinder *from);

void unwinder_free(struct unwinder *unwinder);

#endif
