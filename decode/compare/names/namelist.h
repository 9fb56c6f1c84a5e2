/*
 * The list of names of the runs of two sides; pairs the names that mean the same. Strings are
 * numbers in an intern table.
 */
#ifndef READPERF_DECODE_COMPARE_NAMES_NAMELIST_H
#define READPERF_DECODE_COMPARE_NAMES_NAMELIST_H

#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum name_sides { SIDE_OLD = 1, SIDE_NEW = 2, SIDE_BOTH = 3 };

/** A name that at least one run has; strings are numbers. */
struct paired_name {
	uint32_t exact;	 /* the name itself, unique in the list */
	uint32_t common; /* its common form (decode/compare/names/name.h) */
	unsigned sides;	 /* sides that have it: bits */
	/* output: equal for names that mean the same; the exact name of one of them */
	uint32_t class;
};

/** All zero is an empty list. */
struct namelist {
	struct paired_name *names; /* each name once */
	size_t nr, room;
	uint32_t *places; /* index in names + 1, by number of the exact name; 0: none */
	size_t nr_places, places_room;
};

/**
 * Returns the string number of what @name_of (from decode/compare/names/name.h) makes of @name;
 * INTERN_NOMEM if memory is out.
 */
uint32_t namelist_intern(struct intern *strings, const char *name,
			 void (*name_of)(char *to, const char *name));

/** Whether the @exact name is in the list; if so, adds @sides to the sides that have it. */
bool namelist_has(struct namelist *list, uint32_t exact, unsigned sides);

/**
 * Adds the name @exact, which must not be in the list yet, with the @sides that have it; @common is
 * its common form. Returns false if memory is out.
 */
bool namelist_add(struct namelist *list, uint32_t exact, uint32_t common, unsigned sides);

/**
 * Sets the classes of the names. A name that both sides have is a class of its own. Other names
 * with the same common form are one class. With @join, the names that then remain on both sides are
 * one class, too.
 */
void namelist_pair(struct namelist *list, bool join);

/** The class of the @exact name, which must be in the list and paired. */
static inline uint32_t namelist_class(const struct namelist *list, uint32_t exact)
{
	return list->names[list->places[exact] - 1].class;
}

/** Removes all names from the list. */
void namelist_clear(struct namelist *list);

void namelist_free(struct namelist *list);

#endif
