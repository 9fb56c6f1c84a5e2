/*
 * A tar archive used in place of the directory that was packed into it. Files are found by path,
 * links lead only to entries of the archive, and nothing is unpacked to disk.
 */
#ifndef READPERF_DECODE_SYMBOL_FILE_ARCHIVE_H
#define READPERF_DECODE_SYMBOL_FILE_ARCHIVE_H

#include "decode/symbol/file/file.h"
#include "decode/symbol/file/tar.h"
#include "util/index.h"
#include "util/intern.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a path in an archive leads to. */
enum archive_status {
	ARCHIVE_FILE,
	ARCHIVE_MISSING,
	ARCHIVE_DIRECTORY,
	ARCHIVE_CUT,	/* a file whose end is missing */
	ARCHIVE_SPARSE, /* a file stored without its holes; not supported */
	ARCHIVE_OTHER,	/* a device or the like, or links that cannot be resolved */
};

/** An entry of the archive; archive->strings keeps its strings. */
struct archive_entry {
	const char *path; /* without ".", ".." and redundant '/' */
	enum tar_kind kind;
	bool is_cut;
	const char *link;
	uint64_t offset, size; /* of its content in the archive, in bytes */
};

struct archive {
	const char *name;	 /* as given by the user; borrowed */
	struct file_bytes bytes; /* the whole archive; owned */
	struct archive_entry *entries;
	size_t room;
	struct index by_path; /* items are entry numbers */
	struct intern strings;
	enum tar_state end; /* why reading ended at end_offset */
	uint64_t end_offset;
};

/**
 * Lists the entries of @bytes and takes @bytes over on success; @name is borrowed. Of entries with
 * the same path the last one counts, as if they were unpacked. Entries after damage are missing:
 * see archive->end. Returns NULL if there are more names than in any archive of binaries, or with
 * *@nomem set if memory is out.
 */
struct archive *archive_create(const char *name, const struct file_bytes *bytes, bool *nomem);

/** Returns the number of files that are complete. */
size_t archive_nr_files(const struct archive *archive);

/** True if there is an entry whose path begins with @prefix. */
bool archive_has(const struct archive *archive, const char *prefix);

/**
 * True if @path, as shown to the user, is in the archive: its name, '/' and *@inner, which points
 * into @path. @archive may be NULL.
 */
bool archive_leads_into(const struct archive *archive, const char *path, const char **inner);

/** Looks up @inner. On ARCHIVE_FILE sets *@bytes, valid as long as the archive. */
enum archive_status archive_find(const struct archive *archive, const char *inner,
				 struct span *bytes);

/** Frees the archive and unmaps its bytes. @archive may be NULL. */
void archive_free(struct archive *archive);

#endif
