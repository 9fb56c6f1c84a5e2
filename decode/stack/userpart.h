/*
 * The user part of a sample's call chain: unwound, of the processor's last branch records (LBR), or
 * as recorded, whichever the sample has and the user wants.
 */
#ifndef READPERF_DECODE_STACK_USERPART_H
#define READPERF_DECODE_STACK_USERPART_H

#include "decode/stack/chainend.h"
#include "decode/stack/stacksettings.h"
#include "decode/stack/unwind/unwind.h"
#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct user_part {
	bool is_recorded;	   /* it is part of the recorded chain; only `end` is set */
	const uint32_t *addresses; /* numbers, innermost first; valid until the next call */
	size_t nr;
	struct span kernel_ips; /* the words of the chain before the user part */
	enum chain_end end;
};

/**
 * Finds the user part of the chain of @rec, a sample of @process that counts for the event number
 * @event. Returns false if memory is out.
 */
bool user_part_find(struct unwinder *unwinder, enum user_part_mode mode,
		    const struct process *process, uint32_t event, const struct record *rec,
		    struct user_part *part);

/**
 * True if the recorder itself has unwound the user part of the chain of @rec, as simpleperf does:
 * the registers and the stack are gone, and what is in their place are the addresses of calls.
 */
bool user_part_has_calls(const struct record *rec);

/** Why the recorded chain @ips of @event ends, as far as that can be seen; @cpumode: the sample's.
 */
enum chain_end user_part_recorded_end(const struct event *event, enum cpumode cpumode,
				      struct span ips);

/**
 * True if user_part_find() of @rec in @mode reads last branch records: it needs the unwinder's
 * branches_kept.
 */
bool user_part_is_lbr(enum user_part_mode mode, const struct record *rec);

/** True if user_part_find() of @rec in @mode needs unwinding information. */
bool user_part_needs_info(enum user_part_mode mode, const struct record *rec);

#endif
