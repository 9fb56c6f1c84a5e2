/*
 * The user's renamings of functions and binaries: OLD=NEW, or for functions /REGEX/=NEW with \1 to
 * \9 for the groups of the regular expression (POSIX extended).
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
 * Adds the rule in @text; \/ is a slash inside a regular expression. Returns 0, or -1 with @err
 * filled: ERROR_USAGE if it is not a valid rule.
 */
int rename_add(struct renames *renames, const char *text, struct error *err);

/** Prints the rule that renames @old_name, in the form of name_of_function(), to @new_name. */
void rename_print(FILE *out, const char *old_name, const char *new_name);

/** The text of rule @i as it was given. */
const char *rename_text(const struct renames *renames, size_t i);

/** The name that rule @i replaces; NULL if it has a regular expression. */
const char *rename_name(const struct renames *renames, size_t i);

/** The name that rule @i renames to; references to groups are not replaced. */
const char *rename_to(const struct renames *renames, size_t i);

/** Sets @named[i] for each rule whose NEW is @binary, by path or base name. */
void rename_find_binary(const struct renames *renames, const char *binary, bool *named);

/**
 * Renames @binary by the first rule whose OLD is @binary, by path or base name, and whose NEW is a
 * binary (@named, set by rename_find_binary()). Returns a name owned by @renames, or NULL if no
 * rule applies; @fitted as for rename_apply().
 */
const char *rename_binary(const struct renames *renames, const char *binary, const bool *named,
			  bool *fitted);

/**
 * Renames @name, which must be in the form of name_of_function(), by the first rule that applies. A
 * plain rule replaces the whole name, a regular expression only the first part that matches. Sets
 * @fitted[i] for every rule that applies.
 *
 * @return 1 with *@renamed set, which the caller frees; 0 if no rule applies; -1 with @err filled
 * if memory is out.
 */
int rename_apply(const struct renames *renames, const char *name, bool *fitted, char **renamed,
		 struct error *err);

void renames_free(struct renames *renames);

#endif
