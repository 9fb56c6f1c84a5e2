#include "decode/process/buildids.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
	NAMESAKES_MAX = 16, /* entries of one name that are kept */
	ASKED_MAX = 4096,   /* a hostile table shall not open files without end */
};

static bool is_kernel_misc(uint16_t misc)
{
	return (misc & CPUMODE_MASK) == CPUMODE_KERNEL;
}

static uint64_t hash_name(const char *name, bool kernel)
{
	return hash_bytes(name, strlen(name)) + kernel;
}

/* Entries of one name, one after the other. */
struct build_ids_walk {
	const struct build_ids *ids;
	const char *name;
	bool kernel;
	uint64_t hash;
	size_t at;
};

static struct build_ids_walk namesakes_of(const struct build_ids *ids, const char *name,
					  bool kernel)
{
	const uint64_t hash = hash_name(name, kernel);

	return (struct build_ids_walk){ids, name, kernel, hash, index_first(&ids->by_name, hash)};
}

static const struct named_build_id *named(const struct build_ids *ids, uint32_t number)
{
	return &perffile_build_ids(ids->file)[ids->entries[number].number];
}

/* Returns the next entry, or NULL. */
static struct build_ids_entry *next_namesake(struct build_ids_walk *all)
{
	const struct build_ids *ids = all->ids;
	uint32_t number;

	while (index_next(&ids->by_name, all->hash, &all->at, &number)) {
		const struct named_build_id *entry = named(ids, number);

		if (is_kernel_misc(entry->misc) == all->kernel &&
		    strcmp(entry->filename, all->name) == 0)
			return &ids->entries[number];
	}
	return NULL;
}

static const struct build_id *id_of(const struct build_ids *ids,
				    const struct build_ids_entry *entry)
{
	return &perffile_build_ids(ids->file)[entry->number].id;
}

struct build_id build_ids_find(const struct build_ids *ids, const char *name, bool kernel)
{
	struct build_ids_walk all = namesakes_of(ids, name, kernel);
	const struct build_ids_entry *entry;

	while ((entry = next_namesake(&all)))
		if (entry->is_standing)
			return *id_of(ids, entry);
	return (struct build_id){0};
}

static bool are_equal(const struct build_id *x, const struct build_id *y)
{
	return x->len == y->len && memcmp(x->bytes, y->bytes, x->len) == 0;
}

static bool is_present(const struct build_ids *ids, const char *root, const char *path,
		       const struct build_id *id)
{
	return path[0] == '/' && ids->present->has(ids->present->arg, root, path, id);
}

/* Whether @entry, which is new, stands for its path in place of @standing. */
static bool takes_over(struct build_ids *ids, const struct build_ids_entry *standing,
		       const struct named_build_id *entry)
{
	if (!ids->present || is_kernel_misc(entry->misc) || ids->nr_asked++ >= ASKED_MAX)
		return false;
	return !is_present(ids, NULL, entry->filename, id_of(ids, standing)) &&
	       is_present(ids, NULL, entry->filename, &entry->id);
}

/* Adds entry nr_seen of the file's table. Returns false if memory is out. */
static bool add(struct build_ids *ids)
{
	const struct named_build_id *entry = &perffile_build_ids(ids->file)[ids->nr_seen];
	const bool kernel = is_kernel_misc(entry->misc);
	struct build_ids_walk all = namesakes_of(ids, entry->filename, kernel);
	struct build_ids_entry *other, *standing = NULL;
	const size_t number = ids->by_name.nr;
	unsigned nr = 0;

	for (; (other = next_namesake(&all)); nr++) {
		if (nr + 1 == NAMESAKES_MAX || are_equal(id_of(ids, other), &entry->id))
			return true;
		standing = other->is_standing ? other : standing;
	}
	if (standing && !takes_over(ids, standing, entry))
		standing = NULL;
	if (standing)
		standing->is_standing = false;
	if (!array_grow(ids->entries, ids->room, number + 1))
		return false;
	ids->entries[number] =
		(struct build_ids_entry){(uint32_t)ids->nr_seen, nr == 0 || standing};
	return index_add(&ids->by_name, hash_name(entry->filename, kernel));
}

bool build_ids_update(struct build_ids *ids)
{
	const size_t nr = perffile_nr_build_ids(ids->file);

	for (; ids->nr_seen < nr; ids->nr_seen++)
		if (!add(ids))
			return false;
	return true;
}

/* Returns the build id of @name that the file below @root has, else the one that stands for it. */
static struct build_id find_below(const struct build_ids *ids, const char *root, const char *name)
{
	struct build_ids_walk all = namesakes_of(ids, name, false);
	const struct build_ids_entry *entry;

	while (ids->present && (entry = next_namesake(&all)))
		if (is_present(ids, root, name, id_of(ids, entry)))
			return *id_of(ids, entry);
	return build_ids_find(ids, name, false);
}

bool build_ids_set(const struct build_ids *ids, struct dso *dso, const char *name)
{
	bool kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
	struct build_id id =
		dso->root ? find_below(ids, dso->root, name) : build_ids_find(ids, name, kernel);

	memcpy(dso->build_id, id.bytes, sizeof(dso->build_id));
	dso->build_id_len = id.len;
	return id.len > 0;
}

void build_ids_free(struct build_ids *ids)
{
	index_free(&ids->by_name);
	free(ids->entries);
}
