#include "decode/symbol/jit/jitpath.h"

#include "decode/symbol/dso.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/file/rootpath.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_STATUS = 64 * 1024 };

uint32_t jitpath_inner_pid(const char *status)
{
	static const char label[] = "\nNSpid:";
	const char *pos = strstr(status, label);
	unsigned long pid = 0;
	unsigned nr = 0;

	for (pos = pos ? pos + sizeof(label) - 1 : ""; *pos == '\t' || *pos == ' '; nr++) {
		char *end;

		pid = strtoul(pos + 1, &end, 10);
		pos = end;
	}
	return nr >= 2 && pid <= UINT32_MAX ? (uint32_t)pid : 0;
}

/* Returns the pid of process @pid in its own namespace; 0 if it has ended or has only one pid. */
static uint32_t ask_inner_pid(uint32_t pid)
{
	enum file_status status;
	char path[64], *text;
	uint32_t inner;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/status", pid);
	text = file_read(path, MAX_STATUS, &len, &status);
	inner = text ? jitpath_inner_pid(text) : 0;
	free(text);
	return inner;
}

bool jitpath_root_of_process(uint32_t pid, char *root, size_t size)
{
	snprintf(root, size, "/proc/%" PRIu32 "/root", pid);
	return ask_inner_pid(pid) != 0;
}

bool jitpath_of_perf_map(const char *recorded, struct jitpath *place)
{
	uint64_t pid;
	uint32_t inner;

	/* NOLINTNEXTLINE(cert-err34-c): ten digits fit */
	if (sscanf(recorded, "/tmp/perf-%10" SCNu64 ".map", &pid) != 1 || pid > UINT32_MAX)
		return false;
	inner = ask_inner_pid((uint32_t)pid);
	snprintf(place->root, sizeof(place->root), "/proc/%" PRIu64 "/root", pid);
	dso_perf_map(place->path, inner);
	return inner != 0;
}

/* True if @name is "perf-NUMBER.map". */
static bool is_perf_map(const char *name)
{
	static const char before[] = "perf-";
	const size_t len = sizeof(before) - 1;
	const size_t digits =
		strncmp(name, before, len) == 0 ? strspn(name + len, "0123456789") : 0;

	return digits > 0 && digits <= 10 && strcmp(name + len + digits, ".map") == 0;
}

bool jitpath_only_perf_map(const char *root, char *path, size_t size)
{
	int fd = rootpath_open(root, "/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	unsigned nr = 0;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	for (struct dirent *entry; nr < 2 && (entry = readdir(dir)) != NULL;) {
		if (!is_perf_map(entry->d_name))
			continue;
		snprintf(path, size, "/tmp/%s", entry->d_name);
		nr++;
	}
	closedir(dir);
	return nr == 1;
}
