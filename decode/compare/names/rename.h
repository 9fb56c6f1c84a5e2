/*
 * Renamings of functions and binaries that no rule can know: OLD=NEW; or of functions, /REGEX/=NEW
 * with \1 to \9 in it for what the regular expression (POSIX, extended) has in parentheses.
 */
#ifndef READPERF_DECODE_COMPARE_NAMES_RENAME_H
#define READPERF_DECODE_COMPARE_NAMES_RENAME_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct rename_rule;

/** All zero is an empty list. */
struct renames {
	struct rename_rule *rules;
	size_t nr, room;
};

/**
 * Adds the rule that @text says; a slash inside of the regular expression is written \/. Returns 0,
 * or -1 with @err filled: ERROR_USAGE if it is no rule.
 */
int rename_add(struct renames *renames, const char *text, struct error *err);

/** Prints the rule that gives the function @old_name, as name_of_function() has it, @new_name. */
void rename_print(FILE *out, const char *old_name, const char *new_name);

/** The rule with number @i as it was given. */
const char *rename_text(const struct renames *renames, size_t i);

/** What the rule with number @i renames; NULL if a regular expression says it. */
const char *rename_name(const struct renames *renames, size_t i);

/** What it is renamed to; groups of a regular expression are not put in. */
const char *rename_to(const struct renames *renames, size_t i);

/** The element of @named with the number of each rule whose NEW is @binary, by its path or its base
 * name, becomes true. */
void rename_find_binary(const struct renames *renames, const char *binary, bool *named);

/**
 * What the first rule makes of @binary whose OLD is that, by path or base name, and whose NEW
 * @named says to be a binary. A name in @renames, or NULL; @fitted as for rename_apply().
 */
const char *rename_binary(const struct renames *renames, const char *binary, const bool *named,
			  bool *fitted);

/**
 * What the first rule that fits the whole of @name, which name_of_function() has made, or the
 * regular expression a part of it, makes of it: to be freed. A regular expression replaces the part
 * that fits, the first one. For each rule that fits, the first or not, the element of @fitted with
 * its number becomes true.
 *
 * @return 1 with *@renamed set, 0 if no rule fits, -1 with @err filled if memory is out.
 */
int rename_apply(const struct renames *renames, const char *name, bool *fitted, char **renamed,
		 struct error *err);

void renames_free(struct renames *renames);

#endif
