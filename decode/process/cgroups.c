#include "decode/process/cgroups.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

struct cgroup_name {
	uint64_t id;
	uint32_t path; /* number in the strings */
};

static struct cgroup_name *find(const struct cgroups *cgroups, uint64_t id)
{
	const uint64_t hash = hash_u64(id);
	uint32_t number;

	for (size_t at = index_first(&cgroups->index, hash);
	     index_next(&cgroups->index, hash, &at, &number);) {
		if (cgroups->list[number].id == id)
			return &cgroups->list[number];
	}
	return NULL;
}

bool cgroups_add(struct cgroups *cgroups, uint64_t id, const char *path, size_t len)
{
	const uint32_t number = intern(&cgroups->strings, path, len);
	struct cgroup_name *have = find(cgroups, id);

	if (number == INTERN_NOMEM)
		return false;
	if (have) {
		have->path = number;
		return true;
	}
	if (!array_grow(cgroups->list, cgroups->room, cgroups->index.nr + 1))
		return false;
	cgroups->list[cgroups->index.nr] = (struct cgroup_name){id, number};
	return index_add(&cgroups->index, hash_u64(id));
}

const char *cgroups_path(const struct cgroups *cgroups, uint64_t id)
{
	const struct cgroup_name *have = find(cgroups, id);

	return have ? intern_get(&cgroups->strings, have->path) : NULL;
}

void cgroups_free(struct cgroups *cgroups)
{
	free(cgroups->list);
	index_free(&cgroups->index);
	intern_free(&cgroups->strings);
	*cgroups = (struct cgroups){0};
}
