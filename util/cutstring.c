#include "util/cutstring.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_BYTES = 3 + 16 };

/* 64-bit FNV-1a. util/hash.h differs between runs; these digits are compared between runs. */
static uint64_t number_of(const char *str, size_t len)
{
	uint64_t number = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		number = (number ^ (unsigned char)str[i]) * 0x100000001b3u;
	return number;
}

/* Whether @byte is not the first one of a character in UTF-8. */
static bool is_inside(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static const char *keep_cut(struct intern *strings, const char *str, size_t len)
{
	const size_t most = CUTSTRING_MAX - MARK_BYTES;
	char *cut = malloc(CUTSTRING_MAX + 1);
	const char *kept;
	size_t end = most;

	if (!cut)
		return NULL;
	while (end > most - 3 && is_inside(str[end]))
		end--;
	memcpy(cut, str, end);
	snprintf(cut + end, MARK_BYTES + 1, "...%016" PRIx64, number_of(str, len));
	kept = intern_keep(strings, cut);
	free(cut);
	return kept;
}

const char *cutstring_keep(struct intern *strings, const char *str)
{
	const size_t len = strlen(str);

	return len > CUTSTRING_MAX ? keep_cut(strings, str, len) : intern_keep(strings, str);
}
