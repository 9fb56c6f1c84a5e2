/*
 * Interned strings: equal strings are stored once and have the same number and pointer.
 *
 * An interned string is valid until intern_free(). Number 0 is always "".
 */
#ifndef READPERF_UTIL_INTERN_H
#define READPERF_UTIL_INTERN_H

#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTERN_NOMEM UINT32_MAX

struct intern_block;

/** All zero is an empty table without a limit. */
struct intern {
	struct intern_block *blocks; /* the bytes of the strings */
	const char **strings;	     /* by number; [1] is number 1; "" is not stored */
	size_t nr_strings, room;
	struct index index; /* index of the strings, by number - 1 */
	/* Maximum bytes of strings passed to intern() (0: no limit) and those so far, counted
	 * with repeats. A string beyond the limit is refused and sets is_full. */
	uint64_t limit, taken;
	bool is_full;
};

/**
 * Returns the number of the @len bytes at @str (NULs are allowed only at the end), which are
 * copied; INTERN_NOMEM if memory is out or the limit is exceeded.
 */
uint32_t intern(struct intern *table, const char *str, size_t len);

/** Returns the number of the C string @str; INTERN_NOMEM as intern(). */
uint32_t intern_string(struct intern *table, const char *str);

/** Returns the string with @number, which must come from this table. */
const char *intern_get(const struct intern *table, uint32_t number);

/** Returns the interned copy of the C string @str; NULL if intern() returns INTERN_NOMEM. */
const char *intern_keep(struct intern *table, const char *str);

/** Frees the table and its strings; it is all zero then. */
void intern_free(struct intern *table);

#endif
