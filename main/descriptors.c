#include "main/descriptors.h"

#include <inttypes.h>
#include <sys/resource.h>

/* The recording, tables, temporary files, a binary with what belongs to it, connections; and room.
 * None of them grows with the recording. */
enum { NEEDED = 64 };

int descriptors_ensure(struct error *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= NEEDED)
		return 0;
	limit.rlim_cur = limit.rlim_max < NEEDED ? limit.rlim_max : NEEDED;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= NEEDED)
		return 0;
	return error_set(err, ERROR_IO,
			 "at most %" PRIu64 " files may be open at a time, %d are needed: see "
			 "'ulimit -n'",
			 (uint64_t)limit.rlim_max, NEEDED);
}
