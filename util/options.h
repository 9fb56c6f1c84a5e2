/*
 * Command-line options, described by one table. It is used to parse the command line and to make
 * --help, the man page's list of options and the shell completions (util/completion.h).
 *
 *	static const struct option_spec specs[] = {
 *		{.help = "Output"},                                       a heading
 *		{'o', "output", "DIR", "Write the tables into DIR."},
 *		{OPTION_LONG_ONLY, "csv", "raw|safe", "..."},             choices are completed
 *		{OPTION_LONG_ONLY + 1, "top", "N", "..."},
 *	};
 *	first = options_parse(specs, nr, argc, argv, apply, &settings, &err);
 *
 * getopt_long(3) does the parsing. No common library makes the completions of three shells, with
 * the values of options, and a manual page from the table that it parses with.
 */
#ifndef READPERF_UTIL_OPTIONS_H
#define READPERF_UTIL_OPTIONS_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
	OPTION_UNKNOWN = '?',	/* key of what is no option of the table; no option has it */
	OPTION_LONG_ONLY = 256, /* keys from this one on are options without a letter */
};

/** One option. If @name is NULL, a heading: @key is a mask of commands, @help its text. */
struct option_spec {
	int key;	  /* its letter, or a unique number from OPTION_LONG_ONLY on */
	const char *name; /* long name without the dashes */
	const char *arg;  /* name of the argument, NULL if it takes none; "DIR", "FILE" and
			     "DIR|FILE" are completed with paths, "a|b|c" with these words;
			     "LIST:a|b|c" is printed as LIST, and each word of the list is completed;
			     of a word such as "low[:HIGH]" only "low" is completed */
	const char *help; /* sentences without line breaks, wrapped when printed; NULL: the option
			     is accepted but not listed */
};

/**
 * Copies the options and headings of @command from @specs to @to, which has room for @nr. @command
 * is a bit: a heading and the options after it are for the commands whose bits are in the heading's
 * key, or for all commands if that is 0. Returns how many were copied.
 */
size_t options_select(const struct option_spec *specs, size_t nr, unsigned command,
		      struct option_spec *to);

/**
 * Called for each option in the order of the command line; @arg is NULL if it takes no argument.
 * For an unknown one, the last then, @key is OPTION_UNKNOWN and @arg is "-X", "--NAME" or
 * "--NAME=VALUE"; if 0 is returned, the message is a general one.
 * @return 0, or -1 with @err set to stop.
 */
typedef int (*option_apply)(void *settings, int key, const char *arg, struct error *err);

/**
 * Applies the options in @argv up to "--"; they may come after operands. Reorders @argv so that the
 * operands come last. Long names may be abbreviated as long as they are unique.
 *
 * @return the index of the first operand (@argc if there is none), or -1 with @err set: ERROR_USAGE
 * for an invalid command line, or the error of @apply.
 */
int options_parse(const struct option_spec *specs, size_t nr, int argc, char **argv,
		  option_apply apply, void *settings, struct error *err);

/** Prints the list of options for --help, with lines of at most @columns columns (at least 40). */
void options_print_help(FILE *out, const struct option_spec *specs, size_t nr, size_t columns);

/** Prints the list of options as roff (man macros). */
void options_print_roff(FILE *out, const struct option_spec *specs, size_t nr);

/**
 * Parses all of @arg as a decimal number from @min to @max, digits only. @name is the option's, for
 * the message.
 *
 * @return 0 with *@value set, or -1 with @err set (ERROR_USAGE).
 */
int option_number(const char *name, const char *arg, uint64_t min, uint64_t max, uint64_t *value,
		  struct error *err);

/**
 * Parses all of @arg as a number of bytes from @min to @max, such as "500", "64K" or "8M": K, M and
 * G stand for 2^10, 2^20 and 2^30. @name is the option's, for the message.
 *
 * @return 0 with *@bytes set, or -1 with @err set (ERROR_USAGE).
 */
int option_bytes(const char *name, const char *arg, uint64_t min, uint64_t max, uint64_t *bytes,
		 struct error *err);

/**
 * Parses all of @arg as seconds, such as "2" or "0.5", into *@ns, in ns: at least @min ns, at most
 * 10^9 seconds. Digits after the ninth decimal are dropped. @name is the option's, for the message.
 *
 * @return 0 with *@ns set, or -1 with @err set (ERROR_USAGE).
 */
int option_seconds(const char *name, const char *arg, uint64_t min, uint64_t *ns,
		   struct error *err);

/**
 * Parses the @len bytes at @text as a length of time above 0: digits and a unit, such as "100ms":
 * ns, us, ms or s. Returns false if they are none; *@ns is undefined then.
 */
bool option_parse_length(const char *text, size_t len, uint64_t *ns);

/**
 * As option_parse_length() for all of @arg. @name is the option's, for the message.
 *
 * @return 0 with *@ns set, or -1 with @err set (ERROR_USAGE).
 */
int option_length(const char *name, const char *arg, uint64_t *ns, struct error *err);

/**
 * Finds @arg among the words of @choices ("raw|safe"). @name is the option's, for the message.
 *
 * @return its index from 0, or -1 with @err set (ERROR_USAGE).
 */
int option_choice(const char *name, const char *arg, const char *choices, struct error *err);

/**
 * Returns the next word of the comma-separated *@list, not NUL-terminated, with its length in
 * *@len, and moves *@list past it; NULL at the end. Empty words are returned, too. *@list starts at
 * the argument and becomes NULL after the last word.
 */
const char *option_list_next(const char **list, size_t *len);

#endif
