/*
 * A tar archive that stands for the directory that was packed into it: files are found in it by
 * their paths, its links lead to its own entries only, and nothing is unpacked to a path.
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
	ARCHIVE_SPARSE, /* a file whose holes are left out: it is not put together */
	ARCHIVE_OTHER,	/* a device or the like, or links that lead nowhere */
};

/** A name in the archive; strings are kept in the archive's. */
struct archive_entry {
	const char *path; /* without ".", ".." and needless '/' */
	enum tar_kind kind;
	bool is_cut;
	const char *link;
	uint64_t offset, size; /* of its bytes in the archive */
};

struct archive {
	const char *name;	 /* as the user wrote it; borrowed */
	struct file_bytes bytes; /* all of it; entries' bytes lie in it */
	struct archive_entry *entries;
	size_t room;
	struct index by_path; /* of the entries */
	struct intern strings;
	enum tar_state end; /* why there is no entry behind the last one */
	uint64_t end_offset;
};

/**
 * Lists what is in @bytes, which are taken over if that succeeds. Of entries of one path the last
 * counts, as if they were unpacked; what comes behind damage is not known: see archive->end.
 * Returns NULL if it holds more names than any archive of binaries does, or with *@nomem set if
 * memory is out.
 */
struct archive *archive_create(const char *name, const struct file_bytes *bytes, bool *nomem);

/** How many of its files are whole. */
size_t archive_nr_files(const struct archive *archive);

/** True if there is an entry whose path begins with @prefix. */
bool archive_has(const struct archive *archive, const char *prefix);

/**
 * True if @path, as it is shown to the user, leads into the archive: its name, '/' and *@inner.
 * @archive may be NULL.
 */
bool archive_leads_into(const struct archive *archive, const char *path, const char **inner);

/** Finds the file @inner; its @bytes live as long as the archive. */
enum archive_status archive_find(const struct archive *archive, const char *inner,
				 struct span *bytes);

/** NULL is fine. */
void archive_free(struct archive *archive);

#endif
