/*
 * All call paths of a run, in bounded memory.
 *
 * A table of call paths that has grown to its limit goes to a temporary file without a name, and an
 * empty one takes its place. Each sample counts in one of them; a visitor goes through all, one by
 * one.
 */
#ifndef READPERF_DECODE_STACK_PATHSTORE_H
#define READPERF_DECODE_STACK_PATHSTORE_H

#include "decode/stack/callpath.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pathstore {
	struct callpath_table now;     /* where samples count: table number nr_aside */
	struct callpath_table waiting; /* of samples that will count, once their chain is whole */
	size_t max;		       /* paths that a table may have, about */
	int fd;			       /* -1 while there is no file */
	size_t *aside;		       /* numbers of paths of the tables in the file */
	size_t nr_aside, aside_room;
};

/** An empty store; @max: see struct pathstore, 0 for the default. */
void pathstore_init(struct pathstore *store, size_t max);

/** The number of the table of waiting samples; the others are numbered as they were begun. */
#define PATHSTORE_WAITING SIZE_MAX

/** Other counts than those that the tables have. */
struct path_recount {
	/* Sets `here` of the @nr @paths, a copy of those of the table with the number @table. */
	void (*set)(void *arg, size_t table, struct callpath *paths, size_t nr);
	void *arg;
};

/** Whether the table is to be put aside before more is counted. */
static inline bool pathstore_full(const struct pathstore *store)
{
	return callpath_count(&store->now) >= store->max;
}

/** Puts the table aside: numbers of paths are worth nothing from then on. 0, or -1 with @err. */
int pathstore_put_aside(struct pathstore *store, struct error *err);

/**
 * As callpath_visit(), of all tables there are, with what they counted, or with @recount unless
 * that is NULL. A path that was counted on before and after its table was put aside is visited in
 * each of both. Returns 0, or -1 with @err filled.
 */
int pathstore_visit(const struct pathstore *store, const struct path_recount *recount,
		    const struct address_rows *rows, const struct path_visitor *visitor,
		    struct error *err);

void pathstore_free(struct pathstore *store);

#endif
