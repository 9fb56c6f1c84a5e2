#include "decode/symbol/jit/mapsymbols.h"

#include "decode/symbol/file/file.h"
#include "decode/symbol/find/candidate.h"
#include "decode/symbol/find/fileadvice.h"
#include "decode/symbol/jit/jitdump.h"
#include "decode/symbol/jit/jitpath.h"
#include "decode/symbol/jit/overlay.h"
#include "decode/symbol/jit/perfmap.h"
#include "util/hash.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Limit; the map of a large program has about 100 MB. */
enum { MAX_PERF_MAP = 1 << 30 };

/* The search for the perf map of a process. */
struct map_search {
	char *text; /* the map, or NULL if not found yet */
	size_t size;
	bool nomem;
	bool lost_dump;		 /* the recording names a dump that does not have the code */
	bool refused;		 /* a map exists, but must not be used */
	bool is_glance;		 /* read no map, only compute `state` */
	struct candidates tried; /* maps, and dumps that were lost */
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

/* Of an open file, what could be read was not enough. */
static enum fate fate_of(enum file_status status)
{
	return status == FILE_OPEN ? FATE_TRUNCATED : candidate_fate(status);
}

/* Lists a file that is not used. @root is copied: it may be made up. False if memory is out. */
static bool add_tried(struct map_search *search, const char *rule, const char *root,
		      const char *path, enum fate fate)
{
	const char *kept = root ? intern_keep(search->tried.strings, root) : NULL;

	return (kept || !root) && candidates_add(&search->tried, rule, kept, path, fate) == 0;
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
	search->nomem =
		status == FILE_OPEN || !add_tried(search, "perf-map", root, path, fate_of(status));
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

/* Lists the dump at @path below @root, which was not found or ends too early. */
static void try_dump(struct map_search *search, const char *root, const char *path)
{
	const struct file_stamp stamp = file_stamp_in(root, path);
	const bool is_empty = stamp.inode && stamp.size == 0;
	struct file_bytes file;
	enum fate fate = fate_of(file_map_own(root, path, &file));

	file_unmap(&file);
	search->nomem |= !add_tried(search, "jitdump", root, path, is_empty ? FATE_EMPTY : fate);
}

/* What the user can do about code without names; NULL: what reason_advice() says. */
static const char *advise(const struct map_search *search, const struct dso *dso)
{
	if (dso->is_lost)
		return "its process was in a container that is gone: name the directory of that "
		       "with --root=PID=DIR";
	for (size_t i = 0; i < search->tried.nr; i++) {
		const struct candidate *file = &search->tried.list[i];
		const bool is_dump = strcmp(file->rule, "jitdump") == 0;
		const char *failure = fileadvice_on_failure(file->fate);

		if (failure)
			return failure;
		if (file->fate == FATE_UNREADABLE && geteuid() == 0)
			return is_dump ? "its jitdump is a symbolic link, or no regular file"
				       : "its perf map is a symbolic link, or no regular file";
		if (!is_dump)
			continue;
		if (file->fate == FATE_UNREADABLE)
			return "its jitdump cannot be read: run as its owner, or as root";
		if (file->fate == FATE_TRUNCATED || file->fate == FATE_EMPTY)
			return "its jitdump is truncated: copy all of it, or let the program end "
			       "by itself";
	}
	return search->lost_dump ? "its jitdump is missing: put it back, or below --symfs=DIR"
				 : NULL;
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
static const char *map_path(const struct dso *dso, char path[DSO_PERF_MAP_MAX])
{
	return strncmp(dso->path, "/memfd:", 7) == 0 ? dso_perf_map(path, dso->instance)
						     : dso->path;
}

static void search_map(struct map_search *search, const struct dso *dso,
		       const struct load_context *context)
{
	const char *root = dso->root ? dso->root : context->settings.symfs;
	char path[DSO_PERF_MAP_MAX];

	find_map(search, dso, map_path(dso, path), root);
	search->lost_dump = dso->lost_dump != NULL;
	if (search->is_glance || search->text || search->nomem || !dso->lost_dump)
		return;
	if (root)
		try_dump(search, root, dso->lost_dump);
	try_dump(search, NULL, dso->lost_dump);
}

uint64_t mapsymbols_state(const struct dso *dso, const struct load_context *context)
{
	struct map_search search = {.is_glance = true};

	search_map(&search, dso, context);
	if (dso->dump)
		add_state(&search, dso->dump->root, dso->dump->path);
	return search.state;
}

/* Uses what was found of @dso. -1 if memory is out. */
static int use_found(struct binary *binary, const struct dso *dso, const struct map_search *search)
{
	binary->text = search->text;
	if (search->nomem)
		return -1;
	binary->origin.refused = candidates_refused(&search->tried);
	binary->origin.file_advice = advise(search, dso);
	if (!binary->origin.refused)
		return -1;
	if (binary->text) {
		binary_set_reason(binary, REASON_NONE);
		binary->as_written = true;
		return perfmap_read(&binary->symbols.table, binary->text, search->size);
	}
	if (dso->dump)
		return read_rest_of_dump(binary, dso);
	binary_set_reason(binary,
			  search->refused ? REASON_JIT_MAP_REFUSED : REASON_JIT_MAP_MISSING);
	return 0;
}

int mapsymbols_load(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	struct map_search search = {.tried.strings = &binary->strings};
	int rc;

	/* First, so that what is written meanwhile counts as a change. */
	if (context->settings.growing)
		binary->jit_state = mapsymbols_state(dso, context);
	search_map(&search, dso, context);
	rc = use_found(binary, dso, &search);
	candidates_free(&search.tried);
	return rc;
}
