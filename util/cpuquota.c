#include "util/cpuquota.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough for the numbers in a file. */
enum { MAX_TEXT = 64 };

/* Returns the cores that @quota in each @period is worth; SIZE_MAX without a period. */
static size_t cores_of(unsigned long long quota, unsigned long long period)
{
	size_t cores;

	if (period == 0)
		return SIZE_MAX;
	cores = (size_t)(quota / period + (quota % period > 0));
	return cores > 0 ? cores : 1;
}

/* Reads the first line of DIR/NAME; false if there is none. */
static bool read_line(const char *dir, const char *name, char line[MAX_TEXT])
{
	char path[PATH_MAX + 32];
	bool any;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "re");
	if (!file)
		return false;
	any = fgets(line, MAX_TEXT, file);
	fclose(file);
	return any;
}

/* Returns the cores that DIR/cpu.max allows; SIZE_MAX if it has no limit: "max 100000". */
static size_t read_v2(const char *dir)
{
	char line[MAX_TEXT], *behind, *end;
	unsigned long long quota, period;

	if (!read_line(dir, "cpu.max", line))
		return SIZE_MAX;
	quota = strtoull(line, &behind, 10);
	period = strtoull(behind, &end, 10);
	return behind != line && end != behind ? cores_of(quota, period) : SIZE_MAX;
}

/* The same of version 1, where a quota of -1 is no limit. */
static size_t read_v1(const char *dir)
{
	char line[MAX_TEXT], *end;
	long long quota;

	if (!read_line(dir, "cpu.cfs_quota_us", line))
		return SIZE_MAX;
	quota = strtoll(line, &end, 10);
	if (end == line || quota < 0 || !read_line(dir, "cpu.cfs_period_us", line))
		return SIZE_MAX;
	return cores_of((unsigned long long)quota, strtoull(line, NULL, 10));
}

/* A control group: whose files tell how much processor time it has. */
struct control_group {
	size_t (*read)(const char *dir); /* the limit of one group */
	const char *mount;		 /* where the groups are */
	char path[PATH_MAX];		 /* seen from there; "" if unknown */
};

/* Whether "cpu" is among the @len bytes of @controllers, between commas. */
static bool has_cpu(const char *controllers, size_t len)
{
	const char *end = controllers + len;

	while (controllers < end) {
		const size_t word = strcspn(controllers, ",:");

		if (word == 3 && strncmp(controllers, "cpu", word) == 0)
			return true;
		controllers += word + 1;
	}
	return false;
}

/* Takes @line of /proc/self/cgroup, "NUMBER:CONTROLLERS:PATH", if it tells the group. */
static void take_line(struct control_group *group, char *line)
{
	const char *controllers = strchr(line, ':');
	const char *path = controllers ? strchr(++controllers, ':') : NULL;
	bool is_v1;

	if (!path++)
		return;
	line[strcspn(line, "\n")] = '\0';
	is_v1 = has_cpu(controllers, (size_t)(path - 1 - controllers));
	/* Where version 1 has the controller, version 2, "0::", does not. */
	if (!is_v1 && (strncmp(line, "0::", 3) != 0 || group->read == read_v1))
		return;
	if (is_v1) {
		group->read = read_v1;
		group->mount = "/sys/fs/cgroup/cpu"; /* or a link, if it has other controllers */
	}
	snprintf(group->path, sizeof(group->path), "%.*s", PATH_MAX - 1,
		 strcmp(path, "/") == 0 ? "" : path);
}

/* Finds the control group of this process. */
static void find_group(const char *root, struct control_group *group)
{
	char line[PATH_MAX + 64];
	FILE *file;

	*group = (struct control_group){.read = read_v2, .mount = "/sys/fs/cgroup"};
	snprintf(line, sizeof(line), "%s/proc/self/cgroup", root);
	file = fopen(line, "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		take_line(group, line);
	fclose(file);
}

/*
 * In a container, the path may be that of the whole system, while only the part below the
 * container's own group is mounted: folders that are not there have no limit.
 */
size_t cpuquota_cores(const char *root)
{
	size_t least = SIZE_MAX, nr_mount;
	char dir[PATH_MAX + 64];
	struct control_group group;

	find_group(root, &group);
	nr_mount = (size_t)snprintf(dir, sizeof(dir), "%s%s", root, group.mount);
	if (nr_mount >= sizeof(dir))
		return SIZE_MAX;
	snprintf(dir + nr_mount, sizeof(dir) - nr_mount, "%s", group.path);
	for (;;) {
		const size_t limit = group.read(dir);
		char *slash = strrchr(dir + nr_mount, '/');

		least = limit < least ? limit : least;
		if (!slash)
			return least;
		*slash = '\0';
	}
}
