#include "decode/symbol/jitpath.h"

#include "decode/symbol/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The pid that the running process @pid has for itself; 0 if it is gone or has but the one. */
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

bool jitpath_of_perf_map(const char *recorded, char *path, size_t size)
{
	uint64_t pid;
	uint32_t inner;

	if (sscanf(recorded, "/tmp/perf-%10" SCNu64 ".map", &pid) != 1 || pid > UINT32_MAX)
		return false;
	inner = ask_inner_pid((uint32_t)pid);
	snprintf(path, size, "/proc/%" PRIu64 "/root/tmp/perf-%" PRIu32 ".map", pid, inner);
	return inner != 0;
}

bool jitpath_of_process(uint32_t pid, const char *recorded, char *path, size_t size)
{
	int len;

	if (recorded[0] != '/' || ask_inner_pid(pid) == 0)
		return false;
	len = snprintf(path, size, "/proc/%" PRIu32 "/root%s", pid, recorded);
	return len > 0 && (size_t)len < size;
}
