/*
 * Which binary a mapped path is, if its record has no build id.
 *
 * A path is one file, unless the records say that it was several: compilers and configure scripts
 * write the same path again and again. Only the one that was mapped last can be the file that lies
 * there now, and the one whose build id the recording's table has; the others are marked replaced.
 */
#ifndef READPERF_DECODE_PROCESS_FILEIDENTITY_H
#define READPERF_DECODE_PROCESS_FILEIDENTITY_H

#include "decode/process/buildids.h"
#include "decode/symbol/dso.h"
#include "perffile/record.h"
#include "util/fileid.h"
#include "util/index.h"

#include <stddef.h>

enum { RECENT_FILES = 512 };

struct mapped_file {
	struct file_id id;
	struct dso *dso;
};

/** A path and the file that was mapped from it last. */
struct mapped_path {
	struct mapped_file latest;
	uint32_t nr_files; /* known of it */
};

/** All zero is an empty one. */
struct file_identities {
	struct mapped_file *files;
	size_t files_room;
	struct index by_id; /* of files, by path and id; a file has an entry for each id it had */
	struct mapped_path *paths;
	size_t paths_room;
	struct index by_path;
	struct mapped_file recent[RECENT_FILES]; /* by path: most mappings are of a few libraries */
};

/**
 * The dso of @mmap's file, made in @dsos if it is new, with its build id if @ids has one. NULL if
 * memory is out.
 */
const struct dso *file_identity_get(struct file_identities *table, struct dso_table *dsos,
				    const struct build_ids *ids, const struct record_mmap *mmap);

/** As file_identity_get(), if that file was the last one asked for among a few; otherwise NULL. */
const struct dso *file_identity_recent(const struct file_identities *table,
				       const struct record_mmap *mmap);

void file_identity_free(struct file_identities *table);

#endif
