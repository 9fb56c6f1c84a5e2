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

bool jitpath_of_perf_map(const char *recorded, char *path, size_t size)
{
	char status_path[64], *status;
	enum file_status status_of_file;
	uint32_t pid, inner;
	size_t len;

	if (sscanf(recorded, "/tmp/perf-%" SCNu32 ".map", &pid) != 1)
		return false;
	snprintf(status_path, sizeof(status_path), "/proc/%" PRIu32 "/status", pid);
	status = file_read(status_path, MAX_STATUS, &len, &status_of_file);
	if (!status)
		return false;
	inner = jitpath_inner_pid(status);
	free(status);
	if (inner == 0)
		return false;
	snprintf(path, size, "/proc/%" PRIu32 "/root/tmp/perf-%" PRIu32 ".map", pid, inner);
	return true;
}
