#include "util/cores.h"

#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the number of cores in the affinity of this thread; at least 1. */
static size_t count_allowed(void)
{
	cpu_set_t set;
	long online;

	/* It fails where there are more than 1024 processors. */
	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		return (size_t)CPU_COUNT(&set);
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (size_t)online : 1;
}

/* Returns the cores that DIR/cpu.max allows, rounded up; SIZE_MAX if it has no limit. */
static size_t read_limit(const char *dir)
{
	size_t limit = SIZE_MAX;
	char path[PATH_MAX], line[64], *behind, *end;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.max", dir);
	file = fopen(path, "re");
	if (!file)
		return SIZE_MAX;
	if (fgets(line, sizeof(line), file)) {
		const unsigned long long quota = strtoull(line, &behind, 10);
		const unsigned long long period = strtoull(behind, &end, 10);

		/* "max 100000" has no number in front */
		if (behind != line && end != behind && period > 0)
			limit = (size_t)(quota / period + (quota % period > 0));
	}
	fclose(file);
	return limit > 0 ? limit : 1;
}

/* Sets @dir to the control group of this process, seen from /sys/fs/cgroup; "" if unknown. */
static void find_group(char dir[PATH_MAX])
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[PATH_MAX + 16];

	dir[0] = '\0';
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "0::/", 4) == 0)
			snprintf(dir, PATH_MAX, "%.*s", PATH_MAX - 1, line + 3);
	}
	if (file)
		fclose(file);
}

/* The least of the limits of the control group and those above it. */
static size_t count_granted(void)
{
	char dir[PATH_MAX], *slash;
	size_t least;

	find_group(dir);
	least = read_limit(dir);
	while ((slash = strrchr(dir, '/'))) {
		size_t limit;

		*slash = '\0';
		limit = read_limit(dir);
		least = limit < least ? limit : least;
	}
	return least;
}

size_t cores_choose(size_t threads)
{
	const size_t allowed = threads ? threads : count_allowed();
	const size_t granted = threads ? threads : count_granted();

	return allowed < granted ? allowed : granted;
}
