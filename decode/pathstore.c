#include "decode/pathstore.h"

#include "util/array.h"
#include "util/tempfile.h"

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

static int fold_aside(const struct pathstore *store, struct callpath *paths,
		      const struct row_link *links, const uint32_t *link_of, size_t nr_rows,
		      struct tally *totals, struct error *err)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < store->nr_aside; i++) {
		size_t bytes = store->aside[i] * sizeof(*paths);

		if (tempfile_read(store->fd, paths, bytes, offset, err) < 0)
			return -1;
		if (callpath_fold(paths, store->aside[i], links, link_of, nr_rows, totals) < 0)
			return error_nomem(err, "adding up call paths");
		offset += bytes;
	}
	return 0;
}

static int fold_table(const struct callpath_table *table, const struct row_link *links,
		      const uint32_t *link_of, size_t nr_rows, struct tally *totals,
		      struct error *err)
{
	if (callpath_fold(table->paths, callpath_count(table), links, link_of, nr_rows, totals) < 0)
		return error_nomem(err, "adding up call paths");
	return 0;
}

int pathstore_fold(const struct pathstore *store, const struct row_link *links,
		   const uint32_t *link_of, size_t nr_rows, struct tally *totals, struct error *err)
{
	struct callpath *paths = NULL;
	size_t largest = 0;
	int rc;

	if (fold_table(&store->now, links, link_of, nr_rows, totals, err) < 0 ||
	    fold_table(&store->waiting, links, link_of, nr_rows, totals, err) < 0)
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
	rc = fold_aside(store, paths, links, link_of, nr_rows, totals, err);
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
