/*
 * A command line described by one table: it is parsed from it, and --help, the man page's option
 * list and the completions of shells (util/completion.h) are made from it.
 *
 *	static const struct option_spec specs[] = {
 *		{.help = "Output"},                                       a heading
 *		{'o', "output", "DIR", "Write the tables into DIR."},
 *		{OPTION_LONG_ONLY, "csv", "raw|safe", "..."},             choices are completed
 *		{OPTION_LONG_ONLY + 1, "top", "N", "..."},
 *	};
 *	first = options_parse(specs, nr, argc, argv, apply, &settings, &err);
 *
 * Parsing is getopt_long(3)'s. The table is our own: no common library makes the completions of
 * three shells, with the values of options, and a manual page from what it parses with.
 */
#ifndef READPERF_UTIL_OPTIONS_H
#define READPERF_UTIL_OPTIONS_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Keys from here on are options without a letter. */
enum { OPTION_LONG_ONLY = 256 };

/** One option, or a heading of the list if @name is NULL: then only @help is used. */
struct option_spec {
	int key;	  /* its letter, or a number of its own from OPTION_LONG_ONLY on */
	const char *name; /* long name without dashes */
	const char *arg;  /* what the argument is called, NULL if it takes none; "DIR", "FILE"
			   * and "DIR|FILE" are completed with paths, "a|b|c" with these words;
			   * "LIST:a|b|c" is shown as LIST, each of its words completed; of a
			   * word as "low[:HIGH]" what is typed as it stands */
	const char *help; /* one line of sentences, wrapped where it is printed; NULL: taken, but
			   * in no list */
};

/**
 * Copies the options of @command, a bit as headings have them, from @specs to @to, which has room
 * for
 * @nr. Returns how many there are, headings included.
 */
size_t options_select(const struct option_spec *specs, size_t nr, unsigned command,
		      struct option_spec *to);

/**
 * Called for each option in the order of the command line; @arg is NULL without an argument.
 * @return 0, or -1 with @err filled to stop.
 */
typedef int (*option_apply)(void *settings, int key, const char *arg, struct error *err);

/**
 * Applies the options in @argv, which may stand behind operands too, up to "--". Reorders @argv so
 * that the operands come last. Long names may be shortened as long as they are unique.
 *
 * @return the index of the first operand (@argc if there is none), or -1 with @err filled: of kind
 * ERROR_USAGE for a wrong command line, or as @apply filled it.
 */
int options_parse(const struct option_spec *specs, size_t nr, int argc, char **argv,
		  option_apply apply, void *settings, struct error *err);

/** Prints the list of options for --help, no line wider than @columns (40 is taken for less). */
void options_print_help(FILE *out, const struct option_spec *specs, size_t nr, size_t columns);

/** Prints the list of options as roff (man macros). */
void options_print_roff(FILE *out, const struct option_spec *specs, size_t nr);

/**
 * The number that the whole of @arg is: decimal digits only, from @min to @max. @name is the
 * option's, for the message.
 *
 * @return 0 with *@value set, or -1 with @err filled (ERROR_USAGE).
 */
int option_number(const char *name, const char *arg, uint64_t min, uint64_t max, uint64_t *value,
		  struct error *err);

/**
 * The time that @arg says in seconds, as "2" or "0.5", in ns: at least @min, at most 10^9 seconds.
 * Digits behind the ninth of a fraction are dropped.
 *
 * @return 0 with *@ns set, or -1 with @err filled (ERROR_USAGE).
 */
int option_seconds(const char *name, const char *arg, uint64_t min, uint64_t *ns,
		   struct error *err);

/**
 * Which of the words of @choices ("raw|safe") @arg is.
 *
 * @return its place from 0 on, or -1 with @err filled (ERROR_USAGE).
 */
int option_choice(const char *name, const char *arg, const char *choices, struct error *err);

/**
 * Steps through a list of words with commas: the next word of *@list, its length in *@len, and
 * *@list moved behind it; NULL at the end. Empty words are given too. *@list starts at the
 * argument and is NULL once all are given.
 */
const char *option_list_next(const char **list, size_t *len);

#endif
