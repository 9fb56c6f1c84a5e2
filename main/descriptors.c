#include "main/descriptors.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/resource.h>

void descriptors_fill_standard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
	}
}

int descriptors_ensure(size_t nr, struct error *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= nr)
		return 0;
	limit.rlim_cur = limit.rlim_max < nr ? limit.rlim_max : nr;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= nr)
		return 0;
	return error_set(err, ERROR_IO,
			 "at most %" PRIu64 " files may be open at a time, %zu are needed: see "
			 "'ulimit -n'",
			 (uint64_t)limit.rlim_max, nr);
}
