#include "report/export/sourcepath.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of @path below @dir; NULL if it is not below it. */
static const char *below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	while (len && dir[len - 1] == '/')
		len--;
	if (strncmp(path, dir, len) != 0 || path[len] != '/')
		return NULL;
	path += len;
	path += strspn(path, "/");
	return *path ? path : NULL;
}

const char *sourcepath_strip(const struct export_settings *settings, const char *path)
{
	for (size_t i = 0; i < settings->nr_prefixes; i++) {
		const char *rest = below(path, settings->prefixes[i]);

		if (rest)
			return rest;
	}
	return path;
}

static int is_plain(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       strchr("-._~/", c);
}

char *sourcepath_uri(const char *path)
{
	static const char scheme[] = "file://";
	char *uri = malloc(sizeof(scheme) + 3 * strlen(path)), *to = uri;

	if (!uri)
		return NULL;
	if (*path == '/') {
		memcpy(to, scheme, sizeof(scheme) - 1);
		to += sizeof(scheme) - 1;
	}
	for (; *path; path++) {
		if (is_plain(*path))
			*to++ = *path;
		else
			to += sprintf(to, "%%%02X", (unsigned)(unsigned char)*path);
	}
	*to = '\0';
	return uri;
}
