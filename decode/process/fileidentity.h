/*
 * Finds the binary for a mapped path if its record has no build id.
 *
 * A path is taken for one file unless records show different files: compilers and configure scripts
 * write the same path again and again, and a container or a mount namespace has a file of its own
 * there. Only one of them can be the file on disk now: the one with its device and inode or, if
 * none has these (the recording may be from another machine), the one that was mapped last. Only
 * that one gets the build id from the recording's table; the others are marked replaced.
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

/** A path and the file that is taken for the one on disk. */
struct mapped_path {
	struct mapped_file standing;
	uint32_t nr_files;   /* number of files known for the path */
	struct file_id disk; /* of the file on disk, without a generation; all 0: unknown */
};

/** All zero is empty. */
struct file_identities {
	struct mapped_file *files;
	size_t files_room;
	/* index of files, by path and id; a file has an entry for each of its ids */
	struct index by_id;
	struct mapped_path *paths;
	size_t paths_room;
	struct index by_path;
	/* cache by path: most mappings are of a few libraries */
	struct mapped_file recent[RECENT_FILES];
	/* Called before a dso changes that is there already; NULL: nobody has to know. */
	void (*before_change)(void *arg);
	void *arg;
	/*
	 * Returns the id, without a generation, of the file that is now at @path and, if @build_id
	 * has bytes, has that build id; all 0 if it is unknown. Called once for each further file
	 * of a path. NULL: all are unknown.
	 */
	struct file_id (*on_disk)(void *disk_arg, const char *path,
				  const struct build_id *build_id);
	void *disk_arg;
};

/**
 * Returns the dso of @mmap's file, made in @dsos if it is new, with its build id if @ids has one.
 * NULL if memory is out.
 */
const struct dso *file_identity_get(struct file_identities *table, struct dso_table *dsos,
				    const struct build_ids *ids, const struct record_mmap *mmap);

/** As file_identity_get(), but only if the file is in the cache of recent files; otherwise NULL. */
const struct dso *file_identity_recent(const struct file_identities *table,
				       const struct record_mmap *mmap);

void file_identity_free(struct file_identities *table);

#endif
