#include "decode/symbol/shownname.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_BYTES = 3 + 16 };

/* 64-bit FNV-1a. util/hash.h differs between runs; these digits are compared between runs. */
static uint64_t number_of(const char *name, size_t len)
{
	uint64_t number = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		number = (number ^ (unsigned char)name[i]) * 0x100000001b3u;
	return number;
}

/* Whether @byte is not the first one of a character in UTF-8. */
static bool is_inside(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static const char *keep_cut(struct intern *strings, const char *name, size_t len)
{
	const size_t most = SHOWN_NAME_MAX - MARK_BYTES;
	char *cut = malloc(SHOWN_NAME_MAX + 1);
	const char *kept;
	size_t end = most;

	if (!cut)
		return NULL;
	while (end > most - 3 && is_inside(name[end]))
		end--;
	memcpy(cut, name, end);
	snprintf(cut + end, MARK_BYTES + 1, "...%016" PRIx64, number_of(name, len));
	kept = intern_keep(strings, cut);
	free(cut);
	return kept;
}

const char *shown_name_keep(struct intern *strings, const char *name, enum demangle style)
{
	char *plain = demangle(name, style);
	const char *shown = plain ? plain : name, *kept;
	const size_t len = strlen(shown);

	kept = len > SHOWN_NAME_MAX ? keep_cut(strings, shown, len) : intern_keep(strings, shown);
	free(plain);
	return kept;
}
