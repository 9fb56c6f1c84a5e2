/*
 * Symbols with a version: "pow@@GLIBC_2.29". Debug files have them so, and the libraries they
 * belong to have the version apart, so which name a function has depends on which of the two was
 * read.
 */
#ifndef READPERF_UTIL_VERSIONED_H
#define READPERF_UTIL_VERSIONED_H

#include <stddef.h>
#include <string.h>

/**
 * The length of the first @len bytes of the symbol @name without the version: what follows "@@", or
 * an "@" and begins with a capital letter, as that of "foo@plt" does not.
 */
static inline size_t versioned_stem(const char *name, size_t len)
{
	const char *at = len ? memchr(name, '@', len) : NULL;

	if (!at || at == name || at + 1 == name + len)
		return len;
	return at[1] == '@' || (at[1] >= 'A' && at[1] <= 'Z') ? (size_t)(at - name) : len;
}

#endif
