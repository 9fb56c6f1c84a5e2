#include "main/descriptors.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

void descriptors_fill_standard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
	}
}

/* Opens the pipe or terminal @fd once more: whoever started the program shares its flag. */
static void make_blocking(int fd)
{
	const int flags = fcntl(fd, F_GETFL);
	struct stat st;
	char path[32];
	int again;

	if (flags < 0 || !(flags & O_NONBLOCK) || fstat(fd, &st) < 0 ||
	    !(S_ISFIFO(st.st_mode) || isatty(fd)))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, (flags & (O_ACCMODE | O_NONBLOCK)) | O_NOCTTY | O_CLOEXEC);
	if (again < 0)
		return;
	if (fcntl(again, F_SETFL, flags & ~O_NONBLOCK) == 0)
		(void)dup2(again, fd);
	close(again);
}

void descriptors_block_output(void)
{
	make_blocking(STDOUT_FILENO);
	make_blocking(STDERR_FILENO);
}

/*
 * The limit with which @nr files can be open beside those that were left open. The system compares
 * it with the numbers of descriptors, and gives the lowest ones that are free.
 */
static size_t limit_for(size_t nr)
{
	size_t left_open = 0, found = 0;
	int fd = 0;

	for (; found < nr && fd < INT_MAX; fd++) {
		const bool is_free = fd <= STDERR_FILENO || fcntl(fd, F_GETFD) < 0;

		left_open += !is_free;
		found += is_free || left_open <= DESCRIPTORS_LEFT_OPEN;
	}
	return (size_t)fd;
}

int descriptors_ensure(size_t nr, struct error *err)
{
	const size_t need = limit_for(nr);
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= need)
		return 0;
	limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= need)
		return 0;
	return error_set(err, ERROR_IO,
			 "at most %" PRIu64 " files may be open at a time, %zu are needed: see "
			 "'ulimit -n'",
			 (uint64_t)limit.rlim_max, need);
}
