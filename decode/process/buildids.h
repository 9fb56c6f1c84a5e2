/* The build ids that a recording's own table has for the names of binaries. */
#ifndef READPERF_DECODE_PROCESS_BUILDIDS_H
#define READPERF_DECODE_PROCESS_BUILDIDS_H

#include "decode/symbol/dso.h"
#include "perffile/perffile.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Empty if all is zero but the file. */
struct build_ids {
	const struct perffile *file;
	struct index by_name; /* of entries, by filename and kernel or user */
	uint32_t *entries;    /* numbers in the file's table: the first of each name */
	size_t room;
	size_t nr_seen; /* of the file's table */
};

/** Reads what the table has by now: a pipe has its build ids at its end. False: no memory. */
bool build_ids_update(struct build_ids *ids);

/**
 * Gives @dso, which has no build id, the one that the table has for @name, if any. Returns whether
 * there is one.
 */
bool build_ids_set(const struct build_ids *ids, struct dso *dso, const char *name);

/** The build id of @name, of the kernel's binaries or the others'; its len is 0 if there is none.
 */
struct build_id build_ids_find(const struct build_ids *ids, const char *name, bool kernel);

void build_ids_free(struct build_ids *ids);

#endif
