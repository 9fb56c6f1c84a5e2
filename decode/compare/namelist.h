/* Names of the runs of two sides, gathered and paired; the strings are numbers of a table. */
#ifndef READPERF_DECODE_COMPARE_NAMELIST_H
#define READPERF_DECODE_COMPARE_NAMELIST_H

#include "decode/compare/pairing.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero is an empty list. */
struct namelist {
	struct paired_name *names;
	size_t nr, room;
};

/** The number of what @name_of makes of @name (decode/compare/name.h); INTERN_NOMEM. */
uint32_t namelist_intern(struct intern *strings, const char *name,
			 void (*name_of)(char *to, const char *name));

/** Adds a name, numbers of its exact and its common form, that @sides have. False: no memory. */
bool namelist_add(struct namelist *list, uint32_t exact, uint32_t common, unsigned sides);

/**
 * Pairs the names as pairing_make() does and sets @class_of at the number of each exact name to its
 * class.
 */
void namelist_pair(struct namelist *list, bool join, uint32_t *class_of);

void namelist_free(struct namelist *list);

#endif
