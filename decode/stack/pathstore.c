#include "decode/stack/pathstore.h"

#include "util/array.h"
#include "util/largemem.h"
#include "util/tempfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A chain more than that, and the index would double. */
enum { DEFAULT_MAX = (1 << 19) - (1 << 12) };

void pathstore_init(struct pathstore *store, size_t max)
{
	*store = (struct pathstore){.max = max ? max : DEFAULT_MAX, .fd = -1};
}

int pathstore_put_aside(struct pathstore *store, struct error *err)
{
	const size_t nr = callpath_count(&store->now), bytes = nr * sizeof(*store->now.paths);

	if (!array_grow(store->aside, store->aside_room, store->nr_aside + 1))
		return error_nomem(err, "putting call paths aside");
	if (store->fd < 0)
		store->fd = tempfile_create(err);
	if (store->fd < 0 || tempfile_append(store->fd, store->now.paths, bytes, err) < 0)
		return -1;
	store->aside[store->nr_aside++] = (struct aside_table){.nr = nr, .offset = store->bytes};
	store->bytes += bytes;
	callpath_table_clear(&store->now);
	return 0;
}

/* The file of @from as one of @store's, with room for the numbers of @nr addresses. NULL if memory
 * is out. */
static struct path_file *adopt_file(struct pathstore *store, struct pathstore *from, size_t nr)
{
	struct path_file *file = store->others;

	while (file < store->others + store->nr_others && file->fd != from->fd)
		file++;
	if (file == store->others + store->nr_others) {
		if (!array_grow(store->others, store->others_room, store->nr_others + 1))
			return NULL;
		file = &store->others[store->nr_others++];
		*file = (struct path_file){.fd = from->fd};
		from->is_lent = true;
	}
	return array_grow(file->numbers, file->room, nr) ? file : NULL;
}

int pathstore_adopt(struct pathstore *store, struct pathstore *from, const uint32_t *numbers,
		    size_t nr, struct error *err)
{
	struct path_file *file;

	if (from->nr_aside == 0)
		return 0;
	file = adopt_file(store, from, nr);
	if (!file || !array_grow(store->aside, store->aside_room, store->nr_aside + from->nr_aside))
		return error_nomem(err, "adding up call paths");
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): paths have addresses */
	memcpy(file->numbers, numbers, nr * sizeof(*numbers));
	for (size_t i = 0; i < from->nr_aside; i++) {
		struct aside_table *table = &store->aside[store->nr_aside++];

		*table = from->aside[i];
		table->file = (size_t)(file - store->others) + 1;
	}
	from->nr_aside = 0;
	return 0;
}

int pathstore_read_aside(const struct pathstore *store, size_t table, size_t first,
			 struct callpath *paths, size_t nr, struct error *err)
{
	const struct aside_table *from = &store->aside[table];
	const struct path_file *other = from->file ? &store->others[from->file - 1] : NULL;

	if (tempfile_read(other ? other->fd : store->fd, paths, nr * sizeof(*paths),
			  from->offset + first * sizeof(*paths), err) < 0)
		return -1;
	for (size_t i = 0; other && i < nr; i++)
		paths[i].address = other->numbers[paths[i].address];
	return 0;
}

static size_t largest_aside(const struct pathstore *store)
{
	size_t largest = 0;

	for (size_t i = 0; i < store->nr_aside; i++) {
		if (store->aside[i].nr > largest)
			largest = store->aside[i].nr;
	}
	return largest;
}

/* Reads the tables in files, each into @paths, which has room for the largest one. */
static int read_aside(const struct pathstore *store, const struct path_reader *reader,
		      struct callpath *paths, struct error *err)
{
	for (size_t i = 0; i < store->nr_aside; i++) {
		const size_t nr = store->aside[i].nr;

		if (pathstore_read_aside(store, i, 0, paths, nr, err) < 0 ||
		    reader->read(reader->arg, i, paths, nr, err) < 0)
			return -1;
	}
	return 0;
}

static int read_table(const struct path_reader *reader, const struct callpath_table *table,
		      size_t number, struct error *err)
{
	return reader->read(reader->arg, number, table->paths, callpath_count(table), err);
}

int pathstore_read(const struct pathstore *store, const struct path_reader *reader,
		   struct error *err)
{
	const size_t largest = largest_aside(store);
	struct callpath *paths;
	int rc;

	if (read_table(reader, &store->now, store->nr_aside, err) < 0 ||
	    read_table(reader, &store->waiting, PATHSTORE_WAITING, err) < 0)
		return -1;
	if (largest == 0)
		return 0;
	paths = calloc(largest, sizeof(*paths));
	if (!paths)
		return error_nomem(err, "adding up call paths");
	rc = read_aside(store, reader, paths, err);
	free(paths);
	return rc;
}

/* ---- visits ---------------------------------------------------------------------------------- */

enum { NOW, WAITING, NR_KEPT }; /* tables in memory; those in files come after them */

size_t pathstore_nr_tables(const struct pathstore *store)
{
	return NR_KEPT + store->nr_aside;
}

static const struct callpath_table *kept_table(const struct pathstore *store, size_t i)
{
	return i == NOW ? &store->now : &store->waiting;
}

static size_t size_of(const struct pathstore *store, size_t i)
{
	return i < NR_KEPT ? callpath_count(kept_table(store, i)) : store->aside[i - NR_KEPT].nr;
}

/* What a recount calls table @i. */
static size_t number_of(const struct pathstore *store, size_t i)
{
	if (i == WAITING)
		return PATHSTORE_WAITING;
	return i == NOW ? store->nr_aside : i - NR_KEPT;
}

/* Sets @paths to those of table @i, @nr. Returns 0, or -1 with @err filled. */
static int copy_table(const struct pathstore *store, size_t i, struct callpath *paths, size_t nr,
		      struct error *err)
{
	if (i >= NR_KEPT)
		return pathstore_read_aside(store, i - NR_KEPT, 0, paths, nr, err);
	memcpy(paths, kept_table(store, i)->paths, nr * sizeof(*paths));
	return 0;
}

size_t pathstore_only_table(const struct pathstore *store)
{
	size_t only = SIZE_MAX;

	for (size_t i = 0; i < pathstore_nr_tables(store); i++) {
		if (size_of(store, i) > 0 && only != SIZE_MAX)
			return SIZE_MAX;
		if (size_of(store, i) > 0)
			only = i;
	}
	return only;
}

int pathstore_walk(const struct pathstore *store, size_t i, const struct path_recount *recount,
		   struct path_walk *walk, struct error *err)
{
	const size_t nr = size_of(store, i);
	struct callpath *paths;

	*walk = (struct path_walk){0};
	if (nr == 0)
		return 0;
	/* they are visited in no order of their numbers */
	paths = largemem_get_random(nr * sizeof(*paths));
	if (!paths)
		return error_nomem(err, "adding up call paths");
	if (copy_table(store, i, paths, nr, err) < 0) {
		free(paths);
		return -1;
	}
	if (recount)
		recount->set(recount->arg, number_of(store, i), paths, nr);
	return path_walk_make(walk, paths, nr) ? 0 : error_nomem(err, "adding up call paths");
}

int pathstore_visit_table(const struct pathstore *store, size_t i,
			  const struct path_recount *recount, const struct address_rows *rows,
			  const struct path_visitor *visitor, struct error *err)
{
	struct path_walk walk;
	int rc = pathstore_walk(store, i, recount, &walk, err);

	if (rc == 0 && !path_walk_visit(&walk, 0, walk.nr, rows, visitor))
		rc = error_nomem(err, "adding up call paths");
	path_walk_free(&walk);
	return rc;
}

int pathstore_visit(const struct pathstore *store, const struct path_recount *recount,
		    const struct address_rows *rows, const struct path_visitor *visitor,
		    struct error *err)
{
	for (size_t i = 0; i < pathstore_nr_tables(store); i++)
		if (pathstore_visit_table(store, i, recount, rows, visitor, err) < 0)
			return -1;
	return 0;
}

void pathstore_free(struct pathstore *store)
{
	callpath_table_free(&store->now);
	callpath_table_free(&store->waiting);
	if (store->fd >= 0 && !store->is_lent)
		close(store->fd);
	for (size_t i = 0; i < store->nr_others; i++) {
		close(store->others[i].fd);
		free(store->others[i].numbers);
	}
	free(store->others);
	free(store->aside);
	*store = (struct pathstore){.fd = -1};
}
