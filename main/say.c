#include "main/say.h"

#include "util/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void say(const char *input, const char *fmt, ...)
{
	const bool from_pipe = input && strcmp(input, "-") == 0;
	struct error line = {0};
	va_list args;
	char text[sizeof(line.text)];

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* error_set() makes names safe for a terminal. */
	error_set(&line, ERROR_NONE, "%s%s%s",
		  from_pipe ? "standard input"
		  : input   ? input
			    : "",
		  input ? ": " : "", text);
	fprintf(stderr, "readperf: %s\n", line.text);
}

const char *say_binary(const char *binary)
{
	return binary[0] ? binary : "a mapping without a name";
}

const char *say_plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}
