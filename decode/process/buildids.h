/* The recording's own table of build ids, by the names of binaries. */
#ifndef READPERF_DECODE_PROCESS_BUILDIDS_H
#define READPERF_DECODE_PROCESS_BUILDIDS_H

#include "decode/symbol/dso.h"
#include "perffile/perffile.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Who knows the files that are there now. */
struct build_ids_present {
	/* Whether the file at @path below @root (NULL: of the system) has the build id @id. */
	bool (*has)(void *arg, const char *root, const char *path, const struct build_id *id);
	void *arg;
};

/** An entry of the file's table. */
struct build_ids_entry {
	uint32_t number;  /* in the file's table */
	bool is_standing; /* of several with its name: the one that stands for all */
};

/**
 * All zero except @file and @present is empty. perf writes an entry for each file that it knows:
 * a path may be another one in each container. The file that is there now stands for its path or,
 * if it has none of the build ids, the first entry.
 */
struct build_ids {
	const struct perffile *file;
	const struct build_ids_present *present; /* NULL: nobody knows */
	struct index by_name; /* index of entries, by filename and kernel or user */
	struct build_ids_entry *entries;
	size_t room;
	size_t nr_seen;	 /* entries of the file's table that were read */
	size_t nr_asked; /* times that @present was asked for which entry stands */
};

/**
 * Reads new entries of the file's table: a pipe has them at its end. Returns false if memory is
 * out.
 */
bool build_ids_update(struct build_ids *ids);

/**
 * Sets the build id of @dso, which has none, to that of @name; of several, to the one that the file
 * below its root has, if it has a root. Returns whether there is one.
 */
bool build_ids_set(const struct build_ids *ids, struct dso *dso, const char *name);

/**
 * Returns the build id of @name, among kernel binaries if @kernel, else among the others; its len
 * is 0 if there is none.
 */
struct build_id build_ids_find(const struct build_ids *ids, const char *name, bool kernel);

void build_ids_free(struct build_ids *ids);

#endif
