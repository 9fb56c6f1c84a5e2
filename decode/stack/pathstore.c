#include "decode/stack/pathstore.h"

#include "util/array.h"
#include "util/tempfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_MAX = 1 << 19 };

void pathstore_init(struct pathstore *store, size_t max)
{
	*store = (struct pathstore){.max = max ? max : DEFAULT_MAX, .fd = -1};
}

int pathstore_put_aside(struct pathstore *store, struct error *err)
{
	size_t nr = callpath_count(&store->now);

	if (!array_grow(store->aside, store->aside_room, store->nr_aside + 1))
		return error_nomem(err, "putting call paths aside");
	if (store->fd < 0)
		store->fd = tempfile_create(err);
	if (store->fd < 0 ||
	    tempfile_append(store->fd, store->now.paths, nr * sizeof(*store->now.paths), err) < 0)
		return -1;
	store->aside[store->nr_aside++] = nr;
	callpath_table_free(&store->now);
	return 0;
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

static int visit_aside(const struct store_visit *visit, const struct pathstore *store,
		       struct callpath *paths, struct error *err)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < store->nr_aside; i++) {
		size_t bytes = store->aside[i] * sizeof(*paths);

		if (tempfile_read(store->fd, paths, bytes, offset, err) < 0)
			return -1;
		if (visit->recount)
			visit->recount->set(visit->recount->arg, i, paths, store->aside[i]);
		if (visit_paths(visit, paths, store->aside[i], err) < 0)
			return -1;
		offset += bytes;
	}
	return 0;
}

static int visit_table(const struct store_visit *visit, const struct callpath_table *table,
		       size_t number, struct error *err)
{
	size_t nr = callpath_count(table);
	struct callpath *paths;
	int rc;

	if (!visit->recount || !nr)
		return visit_paths(visit, table->paths, nr, err);
	paths = calloc(nr, sizeof(*paths));
	if (!paths)
		return error_nomem(err, "adding up call paths");
	memcpy(paths, table->paths, nr * sizeof(*paths));
	visit->recount->set(visit->recount->arg, number, paths, nr);
	rc = visit_paths(visit, paths, nr, err);
	free(paths);
	return rc;
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

int pathstore_visit(const struct pathstore *store, const struct path_recount *recount,
		    const struct address_rows *rows, const struct path_visitor *visitor,
		    struct error *err)
{
	const struct store_visit visit = {recount, rows, visitor};
	const size_t largest = largest_aside(store);
	struct callpath *paths;
	int rc;

	if (visit_table(&visit, &store->now, store->nr_aside, err) < 0 ||
	    visit_table(&visit, &store->waiting, PATHSTORE_WAITING, err) < 0)
		return -1;
	if (largest == 0)
		return 0;
	paths = calloc(largest, sizeof(*paths));
	if (!paths)
		return error_nomem(err, "adding up call paths");
	rc = visit_aside(&visit, store, paths, err);
	free(paths);
	return rc;
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
