#include "decode/buildids.h"

#include "util/hash.h"

#include <string.h>

static bool is_kernel_misc(uint16_t misc)
{
	return (misc & CPUMODE_MASK) == CPUMODE_KERNEL;
}

static uint64_t hash_name(const char *name, bool kernel)
{
	return hash_bytes(name, strlen(name)) + kernel;
}

struct build_id build_ids_find(const struct build_ids *ids, const char *name, bool kernel)
{
	const struct index *ix = &ids->by_name;
	uint64_t hash = hash_name(name, kernel);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct named_build_id *entry = &perffile_build_ids(ids->file)[number];

		if (is_kernel_misc(entry->misc) == kernel && strcmp(entry->filename, name) == 0)
			return entry->id;
	}
	return (struct build_id){0};
}

bool build_ids_update(struct build_ids *ids)
{
	struct index *ix = &ids->by_name;

	while (ix->nr < perffile_nr_build_ids(ids->file)) {
		const struct named_build_id *entry = &perffile_build_ids(ids->file)[ix->nr];

		if (!index_add(ix, hash_name(entry->filename, is_kernel_misc(entry->misc))))
			return false;
	}
	return true;
}

void build_ids_set(const struct build_ids *ids, struct dso *dso)
{
	bool kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
	struct build_id id = build_ids_find(ids, dso->path, kernel);

	memcpy(dso->build_id, id.bytes, sizeof(dso->build_id));
	dso->build_id_len = id.len;
}

void build_ids_free(struct build_ids *ids)
{
	index_free(&ids->by_name);
}
