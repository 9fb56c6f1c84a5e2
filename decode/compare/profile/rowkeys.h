/*
 * What tells the rows of profiles apart: event, function and its place, as texts that are stored
 * once and numbered. Runs of one program have the same functions, so many profiles share a table.
 */
#ifndef READPERF_DECODE_COMPARE_PROFILE_ROWKEYS_H
#define READPERF_DECODE_COMPARE_PROFILE_ROWKEYS_H

#include "util/index.h"
#include "util/intern.h"

#include <stddef.h>
#include <stdint.h>

/** A function of a binary and source file, or the reason for having no name, under one event. */
struct row_key {
	const char *event;
	const char *function; /* "[unknown]" if @reason is not "" */
	const char *filename, *binary, *build_id, *reason;
	uint32_t line; /* of its definition in the source file; 0: not known */
	uint64_t size; /* bytes of its code; 0: not known */
};

struct rowkeys {
	size_t users;	      /* profiles that share it */
	struct row_key *keys; /* by number */
	size_t nr, room;
	struct index index; /* of the keys */
	struct intern strings;
};

#define ROWKEYS_NOMEM UINT32_MAX

/** An empty table with one user, or NULL if memory is out. */
struct rowkeys *rowkeys_make(void);

/** The number of @key, whose texts are copied if it is new; ROWKEYS_NOMEM. */
uint32_t rowkeys_number(struct rowkeys *keys, const struct row_key *key);

/** Takes one user away; the last one frees it. NULL is fine. */
void rowkeys_drop(struct rowkeys *keys);

#endif
