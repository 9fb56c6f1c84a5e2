/*
 * Strings kept once: equal strings get the same small number and the same pointer.
 *
 * An interned string lives, and keeps its pointer, until intern_free(). Number 0 is always "".
 */
#ifndef READPERF_UTIL_INTERN_H
#define READPERF_UTIL_INTERN_H

#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTERN_NOMEM UINT32_MAX

struct intern_block;

/** All zero is an empty table. */
struct intern {
	struct intern_block *blocks; /* the bytes of the strings */
	const char **strings;	     /* by number; [1] is number 1, "" is not in it */
	size_t nr_strings, room;
	struct index index; /* of the strings: number - 1 */
	/* Bytes of strings that may be given to it, and have been; none may if they would be more,
	   and is_full says so. A limit of 0 is none. */
	uint64_t limit, taken;
	bool is_full;
};

/**
 * The number of the @len bytes at @str (which may hold NULs only at their end); INTERN_NOMEM if
 * memory is out or the limit is reached.
 */
uint32_t intern(struct intern *table, const char *str, size_t len);

/** The number of the C string @str, or INTERN_NOMEM. */
uint32_t intern_string(struct intern *table, const char *str);

/** The string with @number, which must come from this table. */
const char *intern_get(const struct intern *table, uint32_t number);

/** The kept copy of the C string @str, or NULL if memory is out. */
const char *intern_keep(struct intern *table, const char *str);

void intern_free(struct intern *table);

#endif
