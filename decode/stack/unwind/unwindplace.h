/*
 * Where the frames of unwound stacks are: an address of a process becomes a number in the address
 * table and the rule that leads to its caller.
 *
 * Most frames occurred in earlier samples, so their places are cached by PC and the version of what
 * is mapped: of code alone for those in code.
 */
#ifndef READPERF_DECODE_STACK_UNWIND_UNWINDPLACE_H
#define READPERF_DECODE_STACK_UNWIND_UNWINDPLACE_H

#include "decode/count/address.h"
#include "decode/process/addrspace.h"
#include "decode/process/process.h"
#include "decode/symbol/unwindinfo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	UNWIND_PLACE_START = 1 << 0, /* of a function that is returned to, but has called nothing */
	UNWIND_PLACE_TRAMPOLINE = 1 << 1, /* vdso code without CFI, to which handlers return */
	UNWIND_PLACE_CODE = 1 << 2,	  /* it may be executed */
};

/** What is known of a frame's place. */
struct unwind_place {
	const struct cfi_rule *rule; /* NULL: nothing is mapped there */
	uint32_t address;	     /* number in the address table */
	uint32_t dso;		     /* its number */
	unsigned what;		     /* UNWIND_PLACE_ bits */
};

struct unwind_known;

/** All zero but for what is borrowed. */
struct unwind_places {
	struct unwindinfo *info;	 /* borrowed */
	struct address_table *addresses; /* borrowed */
	const struct addrspaces *spaces; /* borrowed */
	struct map_memo *memo;		 /* borrowed; for addrspaces_find() */
	struct unwind_known *known;	 /* NULL until something is asked for */
};

/** Whose frame it is. */
struct unwind_owner {
	const struct process *process;
	uint32_t event; /* its number */
};

/**
 * Finds the place of @pc, where execution stood (@exact), or to which a call returns: then it is
 * that of the call, before it, unless a function begins at @pc and no call is before that, as for
 * makecontext(3). Returns false if memory is out.
 */
bool unwind_places_find(struct unwind_places *places, const struct unwind_owner *owner, uint64_t pc,
			bool exact, struct unwind_place *place);

/** Where @pc is, as unwind_places_find() has it: the place that its rule is for. */
struct location unwind_places_locate(const struct unwind_places *places,
				     const struct unwind_owner *owner, uint64_t pc, bool exact);

void unwind_places_free(struct unwind_places *places);

#endif
