#include "decode/symbol/demangle.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

/* libiberty bounds its recursion, but its work grows faster than the name does. */
enum { MAX_NAME = 64 * 1024 };

/* True if a demangler could know @name: spares C programs a copy of every name. */
static bool looks_mangled(const char *name)
{
	name += strspn(name, "_");
	return *name == 'Z' || *name == 'R' || *name == 'D' || strncmp(name, "GLOBAL_", 7) == 0;
}

/* Cuts "f!(int).g(int)" to "f!(int).g": libiberty has no option for this in D. */
static void cut_parameters(char *name)
{
	size_t len = strlen(name), depth = 0, at = len;

	if (len == 0 || name[len - 1] != ')')
		return;
	do {
		at--;
		if (name[at] == ')')
			depth++;
		else if (name[at] == '(')
			depth--;
	} while (at > 0 && depth > 0);
	if (depth == 0 && at > 0 && name[at - 1] != '!')
		name[at] = '\0';
}

static char *demangle_plain(const char *name, enum demangle style)
{
	int options = style == DEMANGLE_FULL ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
	char *plain;

	if (strncmp(name, "_D", 2) != 0)
		return cplus_demangle(name, options | DMGL_AUTO);
	plain = cplus_demangle(name, options | DMGL_DLANG);
	if (plain && style == DEMANGLE_SHORT)
		cut_parameters(plain);
	return plain;
}

char *demangle(const char *name, enum demangle style)
{
	size_t len = strlen(name), base_len = strcspn(name, "@");
	char *base, *plain, *whole;

	if (style == DEMANGLE_NONE || len > MAX_NAME || !looks_mangled(name))
		return NULL;
	if (base_len == len)
		return demangle_plain(name, style);
	base = strndup(name, base_len);
	plain = base ? demangle_plain(base, style) : NULL;
	free(base);
	if (!plain)
		return NULL;
	base_len = strlen(plain);
	whole = realloc(plain, base_len + len - strcspn(name, "@") + 1);
	if (!whole) {
		free(plain);
		return NULL;
	}
	strcpy(whole + base_len, name + strcspn(name, "@"));
	return whole;
}
