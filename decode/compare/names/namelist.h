/*
 * Names of the runs of two sides, gathered and paired: which of them are one. Strings are numbers
 * of a table.
 */
#ifndef READPERF_DECODE_COMPARE_NAMES_NAMELIST_H
#define READPERF_DECODE_COMPARE_NAMES_NAMELIST_H

#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum name_sides { SIDE_OLD = 1, SIDE_NEW = 2, SIDE_BOTH = 3 };

/** A name that some run has; strings are numbers. */
struct paired_name {
	uint32_t exact;	 /* the name itself, different for each element */
	uint32_t common; /* its common form (decode/compare/names/name.h) */
	unsigned sides;	 /* bits: which sides have it */
	uint32_t class;	 /* out: the same for names that are one; the exact name of one of them */
};

/** All zero is an empty list. */
struct namelist {
	struct paired_name *names; /* each once */
	size_t nr, room;
	uint32_t *places; /* of the names in the list + 1, by number of the exact name; 0: none */
	size_t nr_places, places_room;
};

/** The number of what @name_of (of decode/compare/names/name.h) makes of @name; INTERN_NOMEM. */
uint32_t namelist_intern(struct intern *strings, const char *name,
			 void (*name_of)(char *to, const char *name));

/** Whether the @exact name is in the list; if so, @sides are added to those that have it. */
bool namelist_has(struct namelist *list, uint32_t exact, unsigned sides);

/**
 * Adds the name @exact, which is not in the list yet and which @sides have; @common is its common
 * form. False: no memory.
 */
bool namelist_add(struct namelist *list, uint32_t exact, uint32_t common, unsigned sides);

/**
 * Sets the classes of the names. A name that both sides have is a class of its own. Of the others,
 * those with the same common form are one. With @join, all that is left on both sides then is one
 * class, too.
 */
void namelist_pair(struct namelist *list, bool join);

/** The class of the @exact name, which is in the list and has been paired. */
static inline uint32_t namelist_class(const struct namelist *list, uint32_t exact)
{
	return list->names[list->places[exact] - 1].class;
}

/** Takes all names from the list. */
void namelist_clear(struct namelist *list);

void namelist_free(struct namelist *list);

#endif
