#include "decode/symbol/find/runningfile.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The kernel writes " (deleted)" there as it does in the recording. */
static bool leads_to(const char *path, const char *target)
{
	char is[PATH_MAX];
	const ssize_t len = readlink(path, is, sizeof(is));

	return len > 0 && (size_t)len == strlen(target) && memcmp(is, target, (size_t)len) == 0;
}

bool runningfile_path(const struct dso *dso, enum runningfile_link link,
		      char path[RUNNINGFILE_PATH])
{
	if (!dso->pid)
		return false;
	if (link == RUNNINGFILE_MAPPED)
		snprintf(path, RUNNINGFILE_PATH, "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64,
			 dso->pid, dso->start, dso->end);
	else
		snprintf(path, RUNNINGFILE_PATH, "/proc/%" PRIu32 "/exe", dso->pid);
	return leads_to(path, dso->path);
}
