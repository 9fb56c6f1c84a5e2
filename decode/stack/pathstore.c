#include "decode/stack/pathstore.h"

#include "util/array.h"
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

/* Appends the paths of @table to the file, as a table of its own. */
static int append(struct pathstore *store, const struct callpath_table *table, struct error *err)
{
	const size_t nr = callpath_count(table);

	if (!array_grow(store->aside, store->aside_room, store->nr_aside + 1))
		return error_nomem(err, "putting call paths aside");
	if (store->fd < 0)
		store->fd = tempfile_create(err);
	if (store->fd < 0 ||
	    tempfile_append(store->fd, table->paths, nr * sizeof(*table->paths), err) < 0)
		return -1;
	store->aside[store->nr_aside++] = nr;
	return 0;
}

int pathstore_put_aside(struct pathstore *store, struct error *err)
{
	if (append(store, &store->now, err) < 0)
		return -1;
	callpath_table_clear(&store->now);
	return 0;
}

int pathstore_take_aside(struct pathstore *store, struct callpath_table *from,
			 const uint32_t *addresses, struct error *err)
{
	for (size_t i = 0; i < callpath_count(from); i++)
		from->paths[i].address = addresses[from->paths[i].address];
	if (append(store, from, err) < 0)
		return -1;
	callpath_table_clear(from);
	return 0;
}

static size_t largest_aside(const struct pathstore *store)
{
	size_t largest = 0;

	for (size_t i = 0; i < store->nr_aside; i++) {
		if (store->aside[i] > largest)
			largest = store->aside[i];
	}
	return largest;
}

/* Reads the tables in the file, each into @paths, which has room for the largest one. */
static int read_aside(const struct pathstore *store, const struct path_reader *reader,
		      struct callpath *paths, struct error *err)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < store->nr_aside; i++) {
		size_t bytes = store->aside[i] * sizeof(*paths);

		if (tempfile_read(store->fd, paths, bytes, offset, err) < 0 ||
		    reader->read(reader->arg, i, paths, store->aside[i], err) < 0)
			return -1;
		offset += bytes;
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

/* The arguments of a visit. */
struct store_visit {
	const struct path_recount *recount;
	const struct address_rows *rows;
	const struct path_visitor *visitor;
};

static int visit_paths(const struct store_visit *visit, const struct callpath *paths, size_t nr,
		       struct error *err)
{
	if (!callpath_visit(paths, nr, visit->rows, visit->visitor))
		return error_nomem(err, "adding up call paths");
	return 0;
}

static int visit_table(void *arg, size_t number, const struct callpath *table, size_t nr,
		       struct error *err)
{
	const struct store_visit *visit = arg;
	struct callpath *paths;
	int rc;

	if (!visit->recount || !nr)
		return visit_paths(visit, table, nr, err);
	paths = calloc(nr, sizeof(*paths));
	if (!paths)
		return error_nomem(err, "adding up call paths");
	memcpy(paths, table, nr * sizeof(*paths));
	visit->recount->set(visit->recount->arg, number, paths, nr);
	rc = visit_paths(visit, paths, nr, err);
	free(paths);
	return rc;
}

int pathstore_visit(const struct pathstore *store, const struct path_recount *recount,
		    const struct address_rows *rows, const struct path_visitor *visitor,
		    struct error *err)
{
	struct store_visit visit = {recount, rows, visitor};

	return pathstore_read(store, &(struct path_reader){visit_table, &visit}, err);
}

void pathstore_free(struct pathstore *store)
{
	callpath_table_free(&store->now);
	callpath_table_free(&store->waiting);
	if (store->fd >= 0)
		close(store->fd);
	free(store->aside);
	*store = (struct pathstore){.fd = -1};
}
