#include "decode/symbol/find/rulepath.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rulepath_make(char path[PATH_MAX], const char *rule,
		   const char *(*part_of)(const void *arg, char letter), const void *arg)
{
	size_t len = 0;

	for (const char *at = rule; *at; at++) {
		const char letter[] = {*at, '\0'};
		const char *part = *at == '%' ? part_of(arg, *++at) : letter;

		if (!part || strlen(part) >= PATH_MAX - len)
			return false;
		len += strlen(strcpy(path + len, part));
	}
	return true;
}

void rulepath_set_build_id(char text[RULEPATH_ID], const uint8_t *id, size_t len)
{
	for (size_t i = 0; i < len; i++)
		text += sprintf(text, i == 1 ? "/%02x" : "%02x", id[i]);
}

void rulepath_set_cache(char path[PATH_MAX], const char *given)
{
	const char *home = getenv("HOME");

	snprintf(path, PATH_MAX, "%s%s", given ? given : home ? home : "", given ? "" : "/.debug");
}
