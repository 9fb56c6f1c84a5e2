#include "decode/pathstore.h"

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

/* What tables are folded with, and where to. */
struct fold {
	const struct path_recount *recount;
	const struct row_link *links;
	const uint32_t *link_of;
	size_t nr_rows;
	struct tally *totals;
};

static int fold_paths(const struct fold *fold, const struct callpath *paths, size_t nr,
		      struct error *err)
{
	if (callpath_fold(paths, nr, fold->links, fold->link_of, fold->nr_rows, fold->totals) < 0)
		return error_nomem(err, "adding up call paths");
	return 0;
}

static int fold_aside(const struct fold *fold, const struct pathstore *store,
		      struct callpath *paths, struct error *err)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < store->nr_aside; i++) {
		size_t bytes = store->aside[i] * sizeof(*paths);

		if (tempfile_read(store->fd, paths, bytes, offset, err) < 0)
			return -1;
		if (fold->recount)
			fold->recount->set(fold->recount->arg, i, paths, store->aside[i]);
		if (fold_paths(fold, paths, store->aside[i], err) < 0)
			return -1;
		offset += bytes;
	}
	return 0;
}

static int fold_table(const struct fold *fold, const struct callpath_table *table, size_t number,
		      struct error *err)
{
	size_t nr = callpath_count(table);
	struct callpath *paths;
	int rc;

	if (!fold->recount || !nr)
		return fold_paths(fold, table->paths, nr, err);
	paths = calloc(nr, sizeof(*paths));
	if (!paths)
		return error_nomem(err, "adding up call paths");
	memcpy(paths, table->paths, nr * sizeof(*paths));
	fold->recount->set(fold->recount->arg, number, paths, nr);
	rc = fold_paths(fold, paths, nr, err);
	free(paths);
	return rc;
}

int pathstore_fold(const struct pathstore *store, const struct path_recount *recount,
		   const struct row_link *links, const uint32_t *link_of, size_t nr_rows,
		   struct tally *totals, struct error *err)
{
	const struct fold fold = {recount, links, link_of, nr_rows, totals};
	struct callpath *paths = NULL;
	size_t largest = 0;
	int rc;

	if (fold_table(&fold, &store->now, store->nr_aside, err) < 0 ||
	    fold_table(&fold, &store->waiting, PATHSTORE_WAITING, err) < 0)
		return -1;
	for (size_t i = 0; i < store->nr_aside; i++) {
		if (store->aside[i] > largest)
			largest = store->aside[i];
	}
	if (largest == 0)
		return 0;
	paths = calloc(largest, sizeof(*paths));
	if (!paths)
		return error_nomem(err, "adding up call paths");
	rc = fold_aside(&fold, store, paths, err);
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
