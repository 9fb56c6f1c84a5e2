/*
 * measure LOG COMMAND [ARG...]: runs the command and appends to LOG one line of three numbers,
 * "WALL CPU PEAK": wall-clock and processor time in seconds, peak resident memory in KiB (of the
 * largest process if the command starts others). Exits with the command's status.
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static int append_line(const char *path, double wall, const struct rusage *usage)
{
	FILE *log = fopen(path, "a");
	int failed;

	if (!log)
		return -1;
	failed = fprintf(log, "%.4f %.4f %ld\n", wall,
			 seconds_of(usage->ru_utime) + seconds_of(usage->ru_stime),
			 usage->ru_maxrss) < 0;
	return fclose(log) != 0 || failed ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start;
	int errnum, status;
	pid_t pid;

	if (argc < 3) {
		fputs("usage: measure LOG COMMAND [ARG...]\n", stderr);
		return 2;
	}
	start = seconds_now();
	errnum = posix_spawnp(&pid, argv[2], NULL, NULL, argv + 2, environ);
	if (errnum) {
		fprintf(stderr, "measure: %s: %s\n", argv[2], strerror(errnum));
		return 127;
	}
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return 127;
	if (append_line(argv[1], seconds_now() - start, &usage) < 0) {
		fprintf(stderr, "measure: %s: %s\n", argv[1], strerror(errno));
		return 127;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
