/* Makes shell completion scripts from a command's table of options. */
#ifndef READPERF_UTIL_COMPLETION_H
#define READPERF_UTIL_COMPLETION_H

#include "util/options.h"

#include <stddef.h>
#include <stdio.h>

enum completion_shell { COMPLETION_BASH, COMPLETION_ZSH, COMPLETION_FISH };

/** One of a program's commands. */
struct option_command {
	const char *word; /* its first argument; NULL: the command without one */
	const struct option_spec *specs;
	size_t nr;
};

/**
 * Prints the script of @shell for @program with its @nr @commands, of which the first has no word.
 * Options are completed, and their arguments as far as the table describes them; operands are
 * completed as files.
 */
void completion_print(FILE *out, enum completion_shell shell, const char *program,
		      const struct option_command *commands, size_t nr);

#endif
