#include "decode/symbol/kernel/modname.h"

#include "decode/symbol/file/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LIST = 64 * 1024 * 1024, NAME_BYTES = 256 };

void modname_of(const char *path, char *name, size_t size)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *end = strstr(base, ".ko");
	size_t len;

	if (!slash && strncmp(path, "bpf_", 4) == 0)
		base = "bpf", end = NULL;
	if (!slash && base[0] == '[')
		base++, end = strchr(base, ']');
	len = end ? (size_t)(end - base) : strlen(base);
	snprintf(name, size, "%.*s", (int)(len < size ? len : size - 1), base);
}

static int letter(char c)
{
	return c == '-' ? '_' : (unsigned char)c;
}

int modname_compare(const char *a, const char *b)
{
	while (*a && letter(*a) == letter(*b))
		a++, b++;
	return letter(*a) - letter(*b);
}

/* Cuts @line, "FILE: FILES IT NEEDS", at the colon. Returns FILE if it is the wanted module. */
static const char *match_line(char *line, const char *wanted)
{
	char name[NAME_BYTES];
	char *colon = strchr(line, ':');

	if (!colon)
		return NULL;
	*colon = '\0';
	/* FILE may have no slash, so modname_of() could take it for another kind of name. */
	if (!strstr(line, ".ko"))
		return NULL;
	modname_of(line, name, sizeof(name));
	return modname_compare(name, wanted) == 0 ? line : NULL;
}

int modname_find_path(const char *root, const char *release, const char *recorded,
		      char path[PATH_MAX])
{
	char list[PATH_MAX], wanted[NAME_BYTES];
	const char *found = NULL;
	enum file_status status;
	size_t size;
	char *text;

	path[0] = '\0';
	if (strchr(release, '/'))
		return 0;
	modname_of(recorded, wanted, sizeof(wanted));
	snprintf(list, sizeof(list), "/lib/modules/%s/modules.dep", release);
	text = file_read_in(root, list, MAX_LIST, &size, &status);
	if (!text)
		return status == FILE_OPEN ? -1 : 0;
	for (char *line = text, *next; line && !found; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		found = match_line(line, wanted);
	}
	if (found && found[0] == '/') /* old lists have absolute paths */
		snprintf(path, PATH_MAX, "%s", found);
	else if (found)
		snprintf(path, PATH_MAX, "/lib/modules/%.*s/%s", NAME_BYTES, release, found);
	free(text);
	return 0;
}
