/*
 * measure LOG COMMAND [ARG...]: runs the command and appends to LOG one line of four numbers,
 * "WALL CPU PEAK HEAP": wall-clock and processor time in seconds, peak resident memory in KiB (of
 * the largest process if the command starts others), and how much of the command's own was its
 * alone, not pages of a file: the most of what is looked at every few ms. Exits with the command's
 * status.
 */
#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_EVERY_MS = 5 };

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

/* RssAnon of the process in KiB; 0 if it has ended. */
static long heap_of(pid_t pid)
{
	char path[64], line[256];
	long heap = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	status = fopen(path, "r");
	if (!status)
		return 0;
	while (heap == 0 && fgets(line, sizeof(line), status))
		sscanf(line, "RssAnon: %ld", &heap);
	fclose(status);
	return heap;
}

/* Waits for the process to end; returns the most of its heap that was seen on the way. */
static long watch(pid_t pid)
{
	struct pollfd ended = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
	long peak = 0;

	while (ended.fd >= 0 && poll(&ended, 1, LOOK_EVERY_MS) <= 0) {
		long heap = heap_of(pid);

		peak = heap > peak ? heap : peak;
	}
	if (ended.fd >= 0)
		close(ended.fd);
	return peak;
}

static int append_line(const char *path, double wall, const struct rusage *usage, long heap)
{
	FILE *log = fopen(path, "a");
	int failed;

	if (!log)
		return -1;
	failed = fprintf(log, "%.4f %.4f %ld %ld\n", wall,
			 seconds_of(usage->ru_utime) + seconds_of(usage->ru_stime),
			 usage->ru_maxrss, heap) < 0;
	return fclose(log) != 0 || failed ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start;
	long heap;
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
	heap = watch(pid);
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return 127;
	if (append_line(argv[1], seconds_now() - start, &usage, heap) < 0) {
		fprintf(stderr, "measure: %s: %s\n", argv[1], strerror(errno));
		return 127;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
