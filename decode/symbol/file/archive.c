#include "decode/symbol/file/archive.h"

#include "decode/symbol/file/rootpath.h"
#include "util/array.h"
#include "util/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bounds on the list; an archive of all binaries of a large system has some 10,000 entries. */
enum { MAX_ENTRIES = 1 << 20, MAX_NAME_BYTES = 1 << 28 };

static struct archive_entry *find_entry(const struct archive *archive, const char *path)
{
	const uint64_t hash = hash_bytes(path, strlen(path));
	size_t at = index_first(&archive->by_path, hash);
	uint32_t number;

	while (index_next(&archive->by_path, hash, &at, &number))
		if (strcmp(archive->entries[number].path, path) == 0)
			return &archive->entries[number];
	return NULL;
}

/* ---- listing --------------------------------------------------------------------------------- */

static ssize_t no_link(const void *arg, const char *path, char *target, size_t size)
{
	(void)arg, (void)path, (void)target, (void)size;
	errno = EINVAL;
	return -1;
}

/*
 * Stores a copy of @from as @path, which is resolved, in place of an earlier entry with that path.
 * Returns false if memory is out.
 */
static bool keep_entry(struct archive *archive, const char *path, const struct archive_entry *from)
{
	struct archive_entry *known = find_entry(archive, path), entry = *from;
	const uint64_t hash = hash_bytes(path, strlen(path));
	size_t nr = archive->by_path.nr;

	entry.path = intern_keep(&archive->strings, path);
	entry.link = intern_keep(&archive->strings, from->link);
	if (!entry.path || !entry.link)
		return false;
	if (known) {
		*known = entry;
		return true;
	}
	if (!array_grow(archive->entries, archive->room, nr + 1))
		return false;
	archive->entries[nr] = entry;
	return index_add(&archive->by_path, hash);
}

/*
 * Adds @entry, unless its path is unusable or the root, or it is a hard link without a target.
 * Returns false if memory is out.
 */
static bool add_entry(struct archive *archive, const struct tar_entry *entry)
{
	const struct archive_entry *target;
	struct archive_entry kept = {
		.kind = entry->kind,
		.is_cut = entry->is_cut,
		.link = entry->kind == TAR_SYMLINK ? entry->link : "",
		.offset = entry->offset,
		.size = entry->size,
	};
	char path[PATH_MAX], link[PATH_MAX];

	if (rootpath_resolve(entry->path, true, no_link, NULL, path) < 0 || !path[0])
		return true;
	if (entry->kind == TAR_HARDLINK) {
		if (rootpath_resolve(entry->link, true, no_link, NULL, link) < 0)
			return true;
		target = find_entry(archive, link);
		if (!target)
			return true;
		kept = *target;
	}
	return keep_entry(archive, path, &kept);
}

/* Returns false if there are too many names, or with *@nomem set if memory is out. */
static bool list_entries(struct archive *archive, struct tar *tar, bool *nomem)
{
	struct tar_entry entry = {0};
	size_t nr_entries = 0, name_bytes = 0;

	while (tar_next(tar, &entry)) {
		name_bytes += strlen(entry.path) + strlen(entry.link);
		if (++nr_entries > MAX_ENTRIES || name_bytes > MAX_NAME_BYTES)
			return false;
		*nomem = !add_entry(archive, &entry);
		if (*nomem)
			return false;
	}
	archive->end = tar->state;
	archive->end_offset = tar->at;
	return true;
}

struct archive *archive_create(const char *name, const struct file_bytes *bytes, bool *nomem)
{
	struct archive *archive = calloc(1, sizeof(*archive));
	struct tar *tar = malloc(sizeof(*tar));
	bool ok = archive && tar;

	*nomem = !ok;
	if (ok) {
		tar_start(tar, bytes->bytes, bytes->size);
		ok = list_entries(archive, tar, nomem);
	}
	free(tar);
	if (!ok) {
		archive_free(archive);
		return NULL;
	}
	archive->name = name;
	archive->bytes = *bytes;
	return archive;
}

size_t archive_nr_files(const struct archive *archive)
{
	size_t nr = 0;

	for (size_t i = 0; i < archive->by_path.nr; i++)
		nr += archive->entries[i].kind == TAR_FILE && !archive->entries[i].is_cut;
	return nr;
}

bool archive_has(const struct archive *archive, const char *prefix)
{
	for (size_t i = 0; i < archive->by_path.nr; i++)
		if (strncmp(archive->entries[i].path, prefix, strlen(prefix)) == 0)
			return true;
	return false;
}

/* ---- finding --------------------------------------------------------------------------------- */

bool archive_leads_into(const struct archive *archive, const char *path, const char **inner)
{
	size_t len = archive ? strlen(archive->name) : 0;

	if (!archive || strncmp(path, archive->name, len) != 0 || path[len] != '/')
		return false;
	*inner = path + len + 1;
	return true;
}

/* As readlink(2). A path without an entry is not a link: directories need no entries. */
static ssize_t read_link(const void *arg, const char *path, char *target, size_t size)
{
	const struct archive_entry *entry = find_entry(arg, path);
	size_t len;

	if (!entry || entry->kind != TAR_SYMLINK) {
		errno = EINVAL;
		return -1;
	}
	len = strlen(entry->link);
	len = len < size ? len : size;
	memcpy(target, entry->link, len);
	return (ssize_t)len;
}

enum archive_status archive_find(const struct archive *archive, const char *inner,
				 struct span *bytes)
{
	const struct archive_entry *entry;
	char path[PATH_MAX];

	if (rootpath_resolve(inner, true, read_link, archive, path) < 0)
		return ARCHIVE_OTHER;
	entry = find_entry(archive, path);
	if (!entry)
		return ARCHIVE_MISSING;
	switch (entry->kind) {
	case TAR_FILE:
		if (entry->is_cut)
			return ARCHIVE_CUT;
		*bytes = span_make((const char *)archive->bytes.bytes + entry->offset,
				   (size_t)entry->size, false);
		return ARCHIVE_FILE;
	case TAR_DIRECTORY:
		return ARCHIVE_DIRECTORY;
	case TAR_SPARSE:
		return ARCHIVE_SPARSE;
	default:
		return ARCHIVE_OTHER;
	}
}

void archive_free(struct archive *archive)
{
	if (!archive)
		return;
	file_unmap(&archive->bytes);
	free(archive->entries);
	index_free(&archive->by_path);
	intern_free(&archive->strings);
	free(archive);
}
