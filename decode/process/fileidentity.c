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
		const struct dso *dso = table->paths[number].standing.dso;

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

/*
 * Adds @mmap's file to those of @path, and looks which is on disk if there are several. Returns
 * NULL if memory is out.
 */
static struct dso *new_file(struct file_identities *table, struct mapped_path *path,
			    struct dso_table *dsos, const struct build_ids *ids,
			    const struct record_mmap *mmap)
{
	struct dso *dso = dso_table_get_instance(dsos, DSO_USER, mmap->filename, path->nr_files++);
	struct build_id recorded;

	if (!dso || !add_file(table, mmap, dso))
		return NULL;
	dso->file = mmap->file;
	dso->replaced = true; /* until it stands */
	if (path->standing.dso && table->on_disk) {
		recorded = build_ids_find(ids, mmap->filename, false);
		path->disk = table->on_disk(table->disk_arg, mmap->filename, &recorded);
	}
	return dso;
}

/* Whether @id can be that of the file on disk. */
static bool is_on_disk(const struct mapped_path *path, const struct file_id *id)
{
	const struct file_id *disk = &path->disk;

	return file_id_known(disk) && id->ino == disk->ino && id->maj == disk->maj &&
	       id->min == disk->min;
}

/* Takes @dso, @mmap's, for the file on disk at @path. */
static void set_standing(struct file_identities *table, struct mapped_path *path, struct dso *dso,
			 const struct build_ids *ids, const struct record_mmap *mmap)
{
	struct dso *before = path->standing.dso;

	announce_change(table, before);
	if (before) {
		before->replaced = true;
		before->build_id_len = 0;
	}
	dso->replaced = false;
	dso->file = mmap->file;
	build_ids_set(ids, dso, dso->path);
	path->standing = (struct mapped_file){mmap->file, dso};
}

/*
 * Returns the dso of @mmap's file, which is not the standing one of @path, and chooses between
 * them. NULL if memory is out.
 */
static struct dso *other_file(struct file_identities *table, struct mapped_path *path,
			      struct dso_table *dsos, const struct build_ids *ids,
			      const struct record_mmap *mmap)
{
	struct dso *dso = find_file(table, mmap);

	if (!dso)
		dso = new_file(table, path, dsos, ids, mmap);
	if (dso && (is_on_disk(path, &mmap->file) || !is_on_disk(path, &path->standing.id)))
		set_standing(table, path, dso, ids, mmap);
	return dso;
}

/*
 * Stores @mmap's file id for the standing file of @path if it is more complete than the known id.
 * Returns false if memory is out.
 */
static bool learn_id(struct file_identities *table, struct mapped_path *path,
		     const struct record_mmap *mmap)
{
	struct file_id *known = &path->standing.id;

	if (!file_id_known(&mmap->file) || (file_id_known(known) && known->generation) ||
	    file_id_same(known, &mmap->file))
		return true;
	announce_change(table, path->standing.dso);
	*known = path->standing.dso->file = mmap->file;
	return find_file(table, mmap) || add_file(table, mmap, path->standing.dso);
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
	struct dso *dso;

	if (!path)
		return NULL;
	dso = path->standing.dso;
	if (!dso || !may_be_same(&path->standing.id, &mmap->file))
		dso = other_file(table, path, dsos, ids, mmap);
	else if (!learn_id(table, path, mmap))
		return NULL;
	if (dso)
		table->recent[hash_path(mmap) % RECENT_FILES] =
			(struct mapped_file){mmap->file, dso};
	return dso;
}

void file_identity_free(struct file_identities *table)
{
	free(table->files);
	free(table->paths);
	index_free(&table->by_id);
	index_free(&table->by_path);
}
