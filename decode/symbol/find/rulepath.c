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

void rulepath_set_id(struct rulepath_id *id, const uint8_t *bytes, size_t len)
{
	char *at = id->path;

	if (len < 2 || len > DSO_BUILD_ID_MAX)
		return;
	memcpy(id->bytes, bytes, len);
	id->len = len;
	for (size_t i = 0; i < len; i++)
		at += sprintf(at, i == 1 ? "/%02x" : "%02x", bytes[i]);
}

void rulepath_set_cache(char path[PATH_MAX], const char *given)
{
	const char *home = getenv("HOME");

	snprintf(path, PATH_MAX, "%s%s", given ? given : home ? home : "", given ? "" : "/.debug");
}
