#include "decode/symbol/locate.h"

#include "decode/symbol/file.h"

#include <elf.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The search for one dso. */
struct search {
	const struct dso *dso;
	const char *cache, *debug_dir;
	char id_dir[3], id_rest[2 * DSO_BUILD_ID_MAX]; /* "ab", "cdef...": "" if there is none */
	enum reason reason; /* what is wrong with the first file that exists but cannot be used */
	bool nomem;
};

static void set_build_id(struct search *search, const uint8_t *build_id, size_t len)
{
	if (len < 2 || len > DSO_BUILD_ID_MAX)
		return;
	snprintf(search->id_dir, sizeof(search->id_dir), "%02x", build_id[0]);
	for (size_t i = 1; i < len; i++)
		snprintf(search->id_rest + 2 * (i - 1), 3, "%02x", build_id[i]);
}

static void note_reason(struct search *search, enum reason reason)
{
	if (search->reason == REASON_FILE_MISSING)
		search->reason = reason;
}

/* Opens the ELF file at the formatted path, whatever its build id; NULL if there is none. */
static struct elf_file *try_file(struct search *search, const char *fmt, va_list args)
{
	char path[PATH_MAX];
	struct elf_file *file;
	int len = vsnprintf(path, sizeof(path), fmt, args);
	int fd;

	if (len < 0 || (size_t)len >= sizeof(path) || search->nomem)
		return NULL;
	switch (file_open(path, &fd)) {
	case FILE_OPEN:
		break;
	case FILE_MISSING:
		return NULL;
	case FILE_UNREADABLE:
		note_reason(search, REASON_FILE_UNREADABLE);
		return NULL;
	}
	file = elf_file_open(fd, &search->nomem);
	if (!file)
		note_reason(search, REASON_FILE_UNREADABLE);
	return file;
}

/* Opens the ELF file at the formatted path if it has @build_id; any if @len is 0. */
__attribute__((format(printf, 4, 5))) static struct elf_file *
try_build(struct search *search, const uint8_t *build_id, size_t len, const char *fmt, ...)
{
	struct elf_file *file;
	va_list args;

	va_start(args, fmt);
	file = try_file(search, fmt, args);
	va_end(args);
	if (file && len && !elf_has_build_id(file, build_id, len)) {
		note_reason(search, REASON_BUILD_ID_MISMATCH);
		elf_file_close(file);
		return NULL;
	}
	return file;
}

/* ---- the file that ran ----------------------------------------------------------------------- */

/* A removed file is recorded with this behind its name; another of that name may be there now. */
static size_t len_without_deleted(const char *path)
{
	static const char suffix[] = " (deleted)";
	size_t len = strlen(path), suffix_len = sizeof(suffix) - 1;

	if (len <= suffix_len || strcmp(path + len - suffix_len, suffix) != 0)
		return 0;
	return len - suffix_len;
}

static struct elf_file *find_runtime(struct search *search)
{
	const struct dso *dso = search->dso;
	const uint8_t *id = dso->build_id;
	size_t len = dso->build_id_len, stem = len_without_deleted(dso->path);
	struct elf_file *file = try_build(search, id, len, "%s", dso->path);

	if (!file && len && stem && stem < PATH_MAX)
		file = try_build(search, id, len, "%.*s", (int)stem, dso->path);
	if (!file && search->id_dir[0])
		file = try_build(search, id, len, "%s/.build-id/%s/%s/elf", search->cache,
				 search->id_dir, search->id_rest);
	return file;
}

/* The layout of perf before 4.13: the entry is the file itself, and today a directory. */
static struct elf_file *find_runtime_in_old_cache(struct search *search)
{
	enum reason reason = search->reason;
	struct elf_file *file = NULL;

	if (search->id_dir[0])
		file = try_build(search, search->dso->build_id, search->dso->build_id_len,
				 "%s/.build-id/%s/%s", search->cache, search->id_dir,
				 search->id_rest);
	search->reason = reason;
	return file;
}

/* ---- its debug file -------------------------------------------------------------------------- */

static struct elf_file *find_debug_by_build_id(struct search *search, const uint8_t *id, size_t len)
{
	struct elf_file *file = NULL;

	if (search->id_dir[0])
		file = try_build(search, id, len, "%s/.build-id/%s/%s.debug", search->debug_dir,
				 search->id_dir, search->id_rest);
	if (!file && search->id_dir[0])
		file = try_build(search, id, len, "%s/.build-id/%s/%s/debug", search->cache,
				 search->id_dir, search->id_rest);
	return file;
}

/* The file name in .gnu_debuglink, with the checksum of that file; NULL if there is none. */
static const char *debuglink_of(const struct elf_file *file, uint32_t *crc)
{
	struct span link = elf_section_bytes(file, elf_section_named(file, ".gnu_debuglink"));
	size_t len;
	const char *name = span_cstr(&link, &len);

	if (!name || len == 0 || strchr(name, '/'))
		return NULL;
	span_skip(&link, 3 - len % 4); /* the NUL and padding end at a multiple of 4 */
	*crc = span_u32(&link);
	return link.failed ? NULL : name;
}

/* Without build ids only its checksum tells that @path is the debug file of @runtime. */
static bool is_debug_file(const struct elf_file *runtime, const char *path, uint32_t crc)
{
	uint32_t actual;

	return runtime->build_id_len || (file_crc32(path, &actual) && actual == crc);
}

static struct elf_file *find_debug_by_link(struct search *search, const struct elf_file *runtime)
{
	const char *slash = strrchr(search->dso->path, '/');
	int dir_len = slash ? (int)(slash - search->dso->path) : 0;
	const char *dir = slash ? search->dso->path : "";
	const char *const formats[][2] = {{"", ""}, {"", "/.debug"}, {search->debug_dir, ""}};
	uint32_t crc;
	const char *name = debuglink_of(runtime, &crc);

	for (size_t i = 0; name && slash && i < sizeof(formats) / sizeof(formats[0]); i++) {
		char path[PATH_MAX];
		int len = snprintf(path, sizeof(path), "%s%.*s%s/%s", formats[i][0], dir_len, dir,
				   formats[i][1], name);
		struct elf_file *file;

		if (len < 0 || (size_t)len >= sizeof(path) || !is_debug_file(runtime, path, crc))
			continue;
		file = try_build(search, runtime->build_id, runtime->build_id_len, "%s", path);
		if (file)
			return file;
	}
	return NULL;
}

static bool is_complete(const struct elf_file *file)
{
	bool has_symtab = false;

	for (size_t i = 1; i < file->nr_sections; i++)
		has_symtab |= file->sections[i].type == SHT_SYMTAB;
	return has_symtab &&
	       (elf_section_named(file, ".debug_info") || elf_section_named(file, ".zdebug_info"));
}

static const char *build_id_cache(const struct symbol_settings *settings, char *buf, size_t size)
{
	const char *home = getenv("HOME");

	if (settings->build_id_cache)
		return settings->build_id_cache;
	snprintf(buf, size, "%s/.debug", home ? home : "");
	return buf;
}

enum reason locate_files(const struct dso *dso, const struct symbol_settings *settings,
			 struct elf_file **runtime, struct elf_file **debug, bool *nomem)
{
	struct search search = {.dso = dso, .reason = REASON_FILE_MISSING};
	char cache[PATH_MAX];

	search.cache = build_id_cache(settings, cache, sizeof(cache));
	search.debug_dir = settings->debug_dir ? settings->debug_dir : "/usr/lib/debug";
	set_build_id(&search, dso->build_id, dso->build_id_len);
	*debug = NULL;
	*runtime = find_runtime(&search);
	if (!*runtime)
		*runtime = find_runtime_in_old_cache(&search);
	if (!*runtime) {
		*runtime = find_debug_by_build_id(&search, dso->build_id, dso->build_id_len);
		if (*runtime && !elf_has_code(*runtime)) {
			elf_file_close(*runtime);
			*runtime = NULL;
		}
	} else if (!is_complete(*runtime)) {
		set_build_id(&search, (*runtime)->build_id, (*runtime)->build_id_len);
		*debug = find_debug_by_build_id(&search, (*runtime)->build_id,
						(*runtime)->build_id_len);
		if (!*debug)
			*debug = find_debug_by_link(&search, *runtime);
	}
	*nomem = search.nomem;
	return *runtime ? REASON_NONE : search.reason;
}
