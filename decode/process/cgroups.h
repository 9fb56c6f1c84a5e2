/* Names of cgroups: the paths that CGROUP records give to the ids in samples. */
#ifndef READPERF_DECODE_PROCESS_CGROUPS_H
#define READPERF_DECODE_PROCESS_CGROUPS_H

#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero is empty. */
struct cgroups {
	struct cgroup_name *list;
	size_t room;
	struct index index;
	struct intern strings;
};

/** Gives the @len bytes @path to the cgroup @id. Returns false if memory is out. */
bool cgroups_add(struct cgroups *cgroups, uint64_t id, const char *path, size_t len);

/** Returns the last path of the cgroup @id; NULL if it has none. */
const char *cgroups_path(const struct cgroups *cgroups, uint64_t id);

void cgroups_free(struct cgroups *cgroups);

#endif
