#include "decode/process/buildids.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

static bool is_kernel_misc(uint16_t misc)
{
	return (misc & CPUMODE_MASK) == CPUMODE_KERNEL;
}

static uint64_t hash_name(const char *name, bool kernel)
{
	return hash_bytes(name, strlen(name)) + kernel;
}

/* Returns the table's entry for @name, the first if there are several; or NULL. */
static const struct named_build_id *find(const struct build_ids *ids, const char *name, bool kernel)
{
	const struct index *ix = &ids->by_name;
	uint64_t hash = hash_name(name, kernel);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct named_build_id *entry =
			&perffile_build_ids(ids->file)[ids->entries[number]];

		if (is_kernel_misc(entry->misc) == kernel && strcmp(entry->filename, name) == 0)
			return entry;
	}
	return NULL;
}

struct build_id build_ids_find(const struct build_ids *ids, const char *name, bool kernel)
{
	const struct named_build_id *entry = find(ids, name, kernel);

	return entry ? entry->id : (struct build_id){0};
}

bool build_ids_update(struct build_ids *ids)
{
	const size_t nr = perffile_nr_build_ids(ids->file);

	for (; ids->nr_seen < nr; ids->nr_seen++) {
		const struct named_build_id *entry = &perffile_build_ids(ids->file)[ids->nr_seen];
		const bool kernel = is_kernel_misc(entry->misc);
		const size_t number = ids->by_name.nr;

		if (find(ids, entry->filename, kernel))
			continue;
		if (!array_grow(ids->entries, ids->room, number + 1))
			return false;
		ids->entries[number] = (uint32_t)ids->nr_seen;
		if (!index_add(&ids->by_name, hash_name(entry->filename, kernel)))
			return false;
	}
	return true;
}

bool build_ids_set(const struct build_ids *ids, struct dso *dso, const char *name)
{
	bool kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
	struct build_id id = build_ids_find(ids, name, kernel);

	memcpy(dso->build_id, id.bytes, sizeof(dso->build_id));
	dso->build_id_len = id.len;
	return id.len > 0;
}

void build_ids_free(struct build_ids *ids)
{
	index_free(&ids->by_name);
	free(ids->entries);
}
