/* Names of files that were deleted or replaced while they were mapped. */
#ifndef READPERF_UTIL_REMOVED_H
#define READPERF_UTIL_REMOVED_H

#include <stddef.h>
#include <string.h>

/**
 * Returns the length of @name without the suffix " (deleted)", which the kernel appends to the name
 * of a mapped file that is no longer at its path (proc(5), /proc/PID/maps; perf records that name).
 * Returns the whole length if there is no suffix, or nothing before it.
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
