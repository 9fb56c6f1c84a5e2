/* The symbols of code that was generated at run time: of /tmp/perf-PID.map, or of a jitdump. */
#include "decode/symbol/source.h"

#include "decode/symbol/file.h"
#include "decode/symbol/jitdump.h"
#include "decode/symbol/jitpath.h"
#include "decode/symbol/overlay.h"
#include "decode/symbol/perfmap.h"
#include "util/array.h"

#include <elf.h>
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

/*
 * Where a recording comes through a pipe, the compiler was still at work when its dump was found.
 * What it wrote later came too late to be put in its place at its time: the last at an address
 * counts.
 */
static int read_rest_of_dump(struct binary *binary, const struct dso *dso)
{
	struct overlay overlay = {0};
	struct jitdump_code code;
	struct jitdump dump;
	int rc = 0;

	if (file_map_own(dso->dump, &binary->file) != FILE_OPEN ||
	    !jitdump_resume(&dump, binary->file.bytes, binary->file.size, dso->dump_read)) {
		binary_set_reason(binary, REASON_JIT_MAP_MISSING);
		return 0;
	}
	binary_set_reason(binary, REASON_NONE);
	while (rc == 0 && jitdump_next(&dump, &code))
		if (!code.moved)
			rc = overlay_add(&overlay, code.start, code.size, code.name);
	if (rc == 0)
		rc = overlay_build(&overlay, &binary->symbols.table);
	overlay_free(&overlay);
	return rc;
}

/* Code that is mapped twice, as a file in memory, is in the same map as all other. */
static const char *map_path(const struct dso *dso, char *path, size_t size)
{
	if (strncmp(dso->path, "/memfd:", 7) != 0)
		return dso->path;
	snprintf(path, size, "/tmp/perf-%" PRIu32 ".map", dso->instance);
	return path;
}

int source_load_jit(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	enum file_status status;
	char path[64];
	size_t size;

	(void)context;
	binary->text = read_map(map_path(dso, path, sizeof(path)), &size, &status);
	if (binary->text) {
		binary_set_reason(binary, REASON_NONE);
		binary->as_written = true;
		return perfmap_read(&binary->symbols.table, binary->text, size);
	}
	if (status == FILE_OPEN)
		return -1;
	if (dso->dump)
		return read_rest_of_dump(binary, dso);
	binary_set_reason(binary,
			  status == FILE_MISSING ? REASON_JIT_MAP_MISSING : REASON_JIT_MAP_REFUSED);
	return 0;
}

/* ---- a jitdump ------------------------------------------------------------------------------- */

/* Adds @code with its source. *@room: of binary->sources. -1 if memory is out. */
static int add_code(struct binary *binary, const struct jitdump_code *code, size_t *room)
{
	struct symtab *table = &binary->symbols.table;
	const struct symtab_entry entry = {
		.start = code->offset,
		.end = code->offset + code->size,
		.name = code->name,
		.type = STT_FUNC,
		.binding = STB_GLOBAL,
	};
	struct jit_source source = {0};

	source.filename = jitdump_source(code, &source.line);
	if (!array_grow(binary->sources, *room, table->nr + 1))
		return -1;
	binary->sources[table->nr] = source;
	return symtab_add(table, &entry);
}

int source_load_jitdump(struct binary *binary, const struct dso *dso,
			struct source_context *context)
{
	enum file_status status = file_map_own(dso->path, &binary->file);
	struct jitdump_code code;
	struct jitdump dump;
	size_t room = 0;

	(void)context;
	if (status != FILE_OPEN || !jitdump_init(&dump, binary->file.bytes, binary->file.size)) {
		binary_set_reason(binary, status == FILE_MISSING ? REASON_JIT_MAP_MISSING
								 : REASON_JIT_MAP_REFUSED);
		return 0;
	}
	binary_set_reason(binary, REASON_NONE);
	while (jitdump_next(&dump, &code))
		if (!code.moved && add_code(binary, &code, &room) < 0)
			return -1;
	return symtab_build(&binary->symbols.table);
}
