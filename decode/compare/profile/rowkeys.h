/*
 * The keys of the rows of profiles: event, function and its place, as texts that are stored once
 * and numbered. Runs of one program have the same functions, so many profiles share a table.
 */
#ifndef READPERF_DECODE_COMPARE_PROFILE_ROWKEYS_H
#define READPERF_DECODE_COMPARE_PROFILE_ROWKEYS_H

#include "util/index.h"
#include "util/intern.h"

#include <stddef.h>
#include <stdint.h>

/** A function in a binary and source file, or a reason for having no name, under one event. */
struct row_key {
	const char *event;
	const char *function; /* "[unknown]" if @reason is not "" */
	const char *filename, *binary, *build_id, *reason;
	const char *keys; /* "tid=7, cpu=0": values of the keys of --per; NULL or "": none */
	uint32_t line;	  /* line of its definition in the source file; 0: unknown */
	uint64_t size;	  /* size of its code in bytes; 0: unknown */
};

struct rowkeys {
	size_t users;	      /* number of profiles that share the table */
	struct row_key *keys; /* by number */
	size_t nr, room;
	struct index index; /* of keys */
	struct intern strings;
};

#define ROWKEYS_NOMEM UINT32_MAX

/**
 * Makes the text for row_key.keys of the @nr keys @names with the values that @value(@arg, number)
 * returns. The caller frees it. NULL if memory is out.
 */
char *rowkeys_text(const char *const *names, size_t nr,
		   const char *(*value)(const void *arg, size_t number), const void *arg);

/** Makes an empty table with one user. Returns NULL if memory is out. */
struct rowkeys *rowkeys_make(void);

/**
 * Returns the number of @key, whose texts are copied if it is new; ROWKEYS_NOMEM if memory is out.
 * Bytes of names that are not UTF-8 become U+FFFD, as in tables: so names of both are the same.
 */
uint32_t rowkeys_number(struct rowkeys *keys, const struct row_key *key);

/** Returns a copy of @name as keys have it, which lives as long as @keys; NULL if memory is out. */
const char *rowkeys_name(struct rowkeys *keys, const char *name);

/** Removes one user; the last one frees the table. NULL is accepted. */
void rowkeys_drop(struct rowkeys *keys);

#endif
