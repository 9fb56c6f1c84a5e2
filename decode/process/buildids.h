/* The recording's own table of build ids, by the names of binaries. */
#ifndef READPERF_DECODE_PROCESS_BUILDIDS_H
#define READPERF_DECODE_PROCESS_BUILDIDS_H

#include "decode/symbol/dso.h"
#include "perffile/perffile.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero except @file is empty. */
struct build_ids {
	const struct perffile *file;
	struct index by_name; /* index of entries, by filename and kernel or user */
	uint32_t *entries;    /* numbers in the file's table: the first entry of each name */
	size_t room;
	size_t nr_seen; /* entries of the file's table that were read */
};

/**
 * Reads new entries of the file's table: a pipe has them at its end. Returns false if memory is
 * out.
 */
bool build_ids_update(struct build_ids *ids);

/** Sets the build id of @dso, which has none, to that of @name. Returns whether there is one. */
bool build_ids_set(const struct build_ids *ids, struct dso *dso, const char *name);

/**
 * Returns the build id of @name, among kernel binaries if @kernel, else among the others; its len
 * is 0 if there is none.
 */
struct build_id build_ids_find(const struct build_ids *ids, const char *name, bool kernel);

void build_ids_free(struct build_ids *ids);

#endif
