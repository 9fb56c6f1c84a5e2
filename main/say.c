#include "main/say.h"

#include "util/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void say(const char *input, const char *fmt, ...)
{
	struct error line = {0};
	va_list args;
	char text[1024];

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* error_set() makes the file's name safe for a terminal. */
	error_set(&line, ERROR_FORMAT, "%s: %s", strcmp(input, "-") == 0 ? "standard input" : input,
		  text);
	fprintf(stderr, "readperf: %s\n", line.text);
}

const char *say_plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}
