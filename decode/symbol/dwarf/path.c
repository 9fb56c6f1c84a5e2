#include "decode/symbol/dwarf/path.h"

#include "util/cutstring.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True if the @len bytes at @path end in a directory that a following ".." removes. */
static bool ends_in_directory(const char *path, size_t len)
{
	if (len == 0 || (len == 1 && path[0] == '/'))
		return false;
	return !(len >= 2 && path[len - 1] == '.' && path[len - 2] == '.' &&
		 (len == 2 || path[len - 3] == '/'));
}

/* Returns the length of the @len bytes at @path without their last part. */
static size_t drop_last(const char *path, size_t len)
{
	while (len && path[len - 1] != '/')
		len--;
	return len > 1 ? len - 1 : len;
}

/* Simplifies @path in place: the write position never passes the read position. */
static void simplify(char *path)
{
	bool absolute = path[0] == '/';
	const char *in = path + absolute;
	size_t len = absolute;

	while (*in) {
		size_t part = strcspn(in, "/");
		bool up = part == 2 && in[0] == '.' && in[1] == '.';

		if (up && ends_in_directory(path, len)) {
			len = drop_last(path, len);
		} else if (part && !(part == 1 && in[0] == '.') && !(up && absolute && len == 1)) {
			if (len && path[len - 1] != '/')
				path[len++] = '/';
			memmove(path + len, in, part);
			len += part;
		}
		in += part;
		in += *in == '/';
	}
	path[len] = '\0';
}

char *path_join(const char *base, const char *dir, const char *file)
{
	char *path;
	int rc;

	dir = dir && file[0] != '/' ? dir : "";
	base = base && file[0] != '/' && dir[0] != '/' ? base : "";
	rc = asprintf(&path, "%s%s%s%s%s", base, *base ? "/" : "", dir, *dir ? "/" : "", file);
	if (rc < 0)
		return NULL;
	simplify(path);
	return path;
}

const char *path_keep(struct intern *strings, char *path)
{
	const char *kept = path ? cutstring_keep(strings, path) : NULL;

	free(path);
	return kept;
}
