/* Names of files that were removed, or replaced by another, while they were in use. */
#ifndef READPERF_UTIL_REMOVED_H
#define READPERF_UTIL_REMOVED_H

#include <stddef.h>
#include <string.h>

/**
 * The bytes of @name without the " (deleted)" that the kernel puts behind the name of a mapped file
 * that is not at its path any more (proc(5), /proc/PID/maps; perf records that name); all of them
 * if there is none, or nothing before it.
 */
static inline size_t removed_name_len(const char *name)
{
	static const char suffix[] = " (deleted)";
	const size_t len = strlen(name), suffix_len = sizeof(suffix) - 1;

	if (len <= suffix_len || memcmp(name + len - suffix_len, suffix, suffix_len) != 0)
		return len;
	return len - suffix_len;
}

#endif
