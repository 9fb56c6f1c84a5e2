#include "decode/process/fileidentity.h"

#include "util/array.h"
#include "util/hash.h"

#include <string.h>

/*
 * Whether both can be ids of the same file. Records from the kernel have the generation; records
 * that perf makes from /proc/PID/maps do not, and may have another device number: on overlayfs some
 * kernels report the lower file system in one place and the overlay in the other.
 */
static bool may_be_same(const struct file_id *a, const struct file_id *b)
{
	if (!file_id_known(a) || !file_id_known(b))
		return true;
	if (!a->generation != !b->generation)
		return a->maj != b->maj || a->min != b->min || a->ino == b->ino;
	return file_id_same(a, b);
}

static uint64_t hash_path(const struct record_mmap *mmap)
{
	return hash_bytes(mmap->filename, mmap->filename_len);
}

/* Returns the entry of @mmap's path, made if it is new; NULL if memory is out. */
static struct mapped_path *get_path(struct file_identities *table, const struct record_mmap *mmap)
{
	struct index *ix = &table->by_path;
	uint64_t hash = hash_path(mmap);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct dso *dso = table->paths[number].latest.dso;

		if (dso && strcmp(dso->path, mmap->filename) == 0)
			return &table->paths[number];
	}
	if (!array_grow(table->paths, table->paths_room, ix->nr + 1))
		return NULL;
	table->paths[ix->nr] = (struct mapped_path){0};
	return index_add(ix, hash) ? &table->paths[ix->nr - 1] : NULL;
}

static uint64_t hash_file(const struct record_mmap *mmap)
{
	uint64_t hash = hash_add(hash_path(mmap), (uint64_t)mmap->file.maj << 32 | mmap->file.min);

	return hash_u64(hash_add(hash_add(hash, mmap->file.ino), mmap->file.generation));
}

static struct dso *find_file(const struct file_identities *table, const struct record_mmap *mmap)
{
	const struct index *ix = &table->by_id;
	uint64_t hash = hash_file(mmap);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct mapped_file *file = &table->files[number];

		if (file_id_same(&file->id, &mmap->file) &&
		    strcmp(file->dso->path, mmap->filename) == 0)
			return file->dso;
	}
	return NULL;
}

static bool add_file(struct file_identities *table, const struct record_mmap *mmap, struct dso *dso)
{
	size_t nr = table->by_id.nr;

	if (!array_grow(table->files, table->files_room, nr + 1))
		return false;
	table->files[nr] = (struct mapped_file){mmap->file, dso};
	return index_add(&table->by_id, hash_file(mmap));
}

/* @dso, if there is one, is about to change. */
static void announce_change(const struct file_identities *table, const struct dso *dso)
{
	if (dso && table->before_change)
		table->before_change(table->arg);
}

/* Makes @mmap's file the latest file of its path. Returns false if memory is out. */
static bool change_file(struct file_identities *table, struct mapped_path *path,
			struct dso_table *dsos, const struct build_ids *ids,
			const struct record_mmap *mmap)
{
	struct dso *dso = find_file(table, mmap), *before = path->latest.dso;

	announce_change(table, before);
	if (!dso) {
		dso = dso_table_get_instance(dsos, DSO_USER, mmap->filename, path->nr_files++);
		if (!dso || !add_file(table, mmap, dso))
			return false;
	}
	if (before) {
		before->replaced = true;
		before->build_id_len = 0;
	}
	dso->replaced = false;
	dso->file = mmap->file;
	build_ids_set(ids, dso, dso->path);
	path->latest = (struct mapped_file){mmap->file, dso};
	return true;
}

/*
 * Stores @mmap's file id for the latest file of @path if it is more complete than the known id.
 * Returns false if memory is out.
 */
static bool learn_id(struct file_identities *table, struct mapped_path *path,
		     const struct record_mmap *mmap)
{
	struct file_id *known = &path->latest.id;

	if (!file_id_known(&mmap->file) || (file_id_known(known) && known->generation) ||
	    file_id_same(known, &mmap->file))
		return true;
	announce_change(table, path->latest.dso);
	*known = path->latest.dso->file = mmap->file;
	return find_file(table, mmap) || add_file(table, mmap, path->latest.dso);
}

const struct dso *file_identity_recent(const struct file_identities *table,
				       const struct record_mmap *mmap)
{
	const struct mapped_file *recent = &table->recent[hash_path(mmap) % RECENT_FILES];

	if (!recent->dso || !file_id_same(&recent->id, &mmap->file) ||
	    strcmp(recent->dso->path, mmap->filename) != 0)
		return NULL;
	return recent->dso;
}

const struct dso *file_identity_get(struct file_identities *table, struct dso_table *dsos,
				    const struct build_ids *ids, const struct record_mmap *mmap)
{
	struct mapped_path *path = get_path(table, mmap);

	if (!path)
		return NULL;
	if (!path->latest.dso || !may_be_same(&path->latest.id, &mmap->file)) {
		if (!change_file(table, path, dsos, ids, mmap))
			return NULL;
	} else if (!learn_id(table, path, mmap)) {
		return NULL;
	}
	table->recent[hash_path(mmap) % RECENT_FILES] =
		(struct mapped_file){mmap->file, path->latest.dso};
	return path->latest.dso;
}

void file_identity_free(struct file_identities *table)
{
	free(table->files);
	free(table->paths);
	index_free(&table->by_id);
	index_free(&table->by_path);
}
