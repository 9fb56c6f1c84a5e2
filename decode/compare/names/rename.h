/*
 * Renamings of functions and binaries that no rule can know: OLD=NEW, or for functions /REGEX/=NEW
 * with \1 to \9 for the groups of the regular expression (POSIX, extended).
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
 * Adds the rule in @text; a slash inside a regular expression is written \/. Returns 0, or -1 with
 * @err filled: ERROR_USAGE if it is not a rule.
 */
int rename_add(struct renames *renames, const char *text, struct error *err);

/** Prints the rule that renames the function @old_name, as name_of_function() has it, to @new_name.
 */
void rename_print(FILE *out, const char *old_name, const char *new_name);

/** Rule @i as it was given. */
const char *rename_text(const struct renames *renames, size_t i);

/** The name that rule @i renames; NULL if it has a regular expression. */
const char *rename_name(const struct renames *renames, size_t i);

/** The name that rule @i renames to; groups of a regular expression are not filled in. */
const char *rename_to(const struct renames *renames, size_t i);

/** Sets the elements of @named, by rule, of those whose NEW is @binary, by path or base name. */
void rename_find_binary(const struct renames *renames, const char *binary, bool *named);

/**
 * Renames @binary by the first rule whose OLD it is, by path or base name, and whose NEW is a
 * binary, as @named says. Returns a name in @renames, or NULL; @fitted as for rename_apply().
 */
const char *rename_binary(const struct renames *renames, const char *binary, const bool *named,
			  bool *fitted);

/**
 * Renames @name, which name_of_function() has made, by the first rule that fits: a plain rule all
 * of it, a regular expression the first part that matches, which alone is replaced. Sets the
 * elements of @fitted, by rule, of all rules that fit.
 *
 * @return 1 with *@renamed set, to be freed; 0 if no rule fits; -1 with @err filled if memory is
 * out.
 */
int rename_apply(const struct renames *renames, const char *name, bool *fitted, char **renamed,
		 struct error *err);

void renames_free(struct renames *renames);

#endif
