/* The symbols of code that was generated at run time: /tmp/perf-PID.map. */
#include "decode/symbol/source.h"

#include "decode/symbol/file.h"
#include "decode/symbol/jitpath.h"
#include "decode/symbol/perfmap.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Bounds what is read; a large program's map has some 100 MB. */
enum { MAX_PERF_MAP = 1 << 30 };

/* The map of the JIT compiler's own view of the file system goes before the recorded path. */
static char *read_map(const char *recorded, size_t *size, enum file_status *status)
{
	char inner[PATH_MAX];

	if (jitpath_of_perf_map(recorded, inner, sizeof(inner))) {
		char *text = file_read_own(inner, MAX_PERF_MAP, size, status);

		if (text || *status == FILE_OPEN)
			return text;
	}
	return file_read_own(recorded, MAX_PERF_MAP, size, status);
}

int source_load_jit(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	const char *recorded = dso->path;
	enum file_status status;
	char path[64];
	size_t size;

	(void)context;
	/* Code that is mapped twice, as a file in memory, is in the same map as all other. */
	if (strncmp(recorded, "/memfd:", 7) == 0) {
		snprintf(path, sizeof(path), "/tmp/perf-%" PRIu32 ".map", dso->instance);
		recorded = path;
	}
	binary->text = read_map(recorded, &size, &status);
	if (!binary->text && status == FILE_OPEN)
		return -1;
	if (!binary->text) {
		binary_set_reason(binary, status == FILE_MISSING ? REASON_JIT_MAP_MISSING
								 : REASON_JIT_MAP_REFUSED);
		return 0;
	}
	binary_set_reason(binary, REASON_NONE);
	binary->as_written = true;
	return perfmap_read(&binary->symbols.table, binary->text, size);
}
