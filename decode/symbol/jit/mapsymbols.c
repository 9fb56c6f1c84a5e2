#include "decode/symbol/jit/mapsymbols.h"

#include "decode/symbol/file/file.h"
#include "decode/symbol/jit/jitdump.h"
#include "decode/symbol/jit/jitpath.h"
#include "decode/symbol/jit/overlay.h"
#include "decode/symbol/jit/perfmap.h"
#include "util/hash.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Limit; the map of a large program has about 100 MB. */
enum { MAX_PERF_MAP = 1 << 30 };

/* The search for the perf map of a process. */
struct map_search {
	char *text; /* the map, or NULL if not found yet */
	size_t size;
	bool nomem;
	bool refused;	/* a map exists, but must not be used */
	bool is_glance; /* read no map, only compute `state` */
	uint64_t state;
};

static void add_state(struct map_search *search, const char *root, const char *path)
{
	const struct file_stamp stamp = file_stamp_in(root, path);
	const uint64_t parts[] = {stamp.device, stamp.inode, stamp.size, (uint64_t)stamp.seconds,
				  (uint64_t)stamp.ns};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		search->state = hash_add(search->state, parts[i]);
}

/* Reads the map at @path below @root unless one was read already. */
static void try_map(struct map_search *search, const char *root, const char *path)
{
	enum file_status status;

	if (search->is_glance)
		add_state(search, root, path);
	if (search->is_glance || search->text || search->nomem)
		return;
	search->text = file_read_own(root, path, MAX_PERF_MAP, &search->size, &status);
	if (search->text)
		return;
	search->nomem = status == FILE_OPEN;
	search->refused |= status != FILE_MISSING;
}

/*
 * Tries the root that the user named first, then the process's own root, then the recorded path.
 * Once a process has ended, the pid in its own namespace is unknown; if the user named the root for
 * this process, the only map in it must be the right one.
 */
static void find_map(struct map_search *search, const struct dso *dso, const char *recorded,
		     const char *root)
{
	struct jitpath own;
	const bool runs = jitpath_of_perf_map(recorded, &own);
	char only[PATH_MAX];

	if (root && runs)
		try_map(search, root, own.path);
	if (root)
		try_map(search, root, recorded);
	if (root && dso->is_root_given && !runs && jitpath_only_perf_map(root, only, sizeof(only)))
		try_map(search, root, only);
	if (runs)
		try_map(search, own.root, own.path);
	try_map(search, NULL, recorded);
}

/*
 * With a recording from a pipe, the compiler may still have been writing the dump when it was
 * found. Code appended later could not be placed at its time; the last code at an address is used.
 */
static int read_rest_of_dump(struct binary *binary, const struct dso *dso)
{
	struct overlay overlay = {0};
	struct jitdump_code code;
	struct jitdump dump;
	int rc = 0;

	if (file_map_own(dso->dump->root, dso->dump->path, &binary->file) != FILE_OPEN ||
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

/* Code mapped twice, through a memfd, is in the same map as other code. */
static const char *map_path(const struct dso *dso, char *path, size_t size)
{
	if (strncmp(dso->path, "/memfd:", 7) != 0)
		return dso->path;
	snprintf(path, size, "/tmp/perf-%" PRIu32 ".map", dso->instance);
	return path;
}

static void search_map(struct map_search *search, const struct dso *dso,
		       const struct load_context *context)
{
	const char *root = dso->root ? dso->root : context->settings.symfs;
	char path[64];

	find_map(search, dso, map_path(dso, path, sizeof(path)), root);
}

uint64_t mapsymbols_state(const struct dso *dso, const struct load_context *context)
{
	struct map_search search = {.is_glance = true};

	search_map(&search, dso, context);
	if (dso->dump)
		add_state(&search, dso->dump->root, dso->dump->path);
	return search.state;
}

int mapsymbols_load(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	struct map_search search = {0};

	/* First, so that what is written meanwhile counts as a change. */
	if (context->settings.growing)
		binary->jit_state = mapsymbols_state(dso, context);
	search_map(&search, dso, context);
	binary->text = search.text;
	if (binary->text) {
		binary_set_reason(binary, REASON_NONE);
		binary->as_written = true;
		return perfmap_read(&binary->symbols.table, binary->text, search.size);
	}
	if (search.nomem)
		return -1;
	if (dso->dump)
		return read_rest_of_dump(binary, dso);
	binary_set_reason(binary, search.refused ? REASON_JIT_MAP_REFUSED : REASON_JIT_MAP_MISSING);
	return 0;
}
