/*
 * All call paths of a run, in limited memory.
 *
 * A table of call paths that has reached its limit is moved to a temporary file without a name, and
 * an empty table replaces it. Each sample counts in one table; a visitor traverses the tables one
 * by one.
 */
#ifndef READPERF_DECODE_STACK_PATHSTORE_H
#define READPERF_DECODE_STACK_PATHSTORE_H

#include "decode/stack/callpath.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pathstore {
	struct callpath_table now;     /* the current table, number nr_aside */
	struct callpath_table waiting; /* temporary counts of samples whose chain is incomplete */
	size_t max;		       /* approximate maximum of paths in a table */
	int fd;			       /* -1: there is no file */
	size_t *aside;		       /* number of paths of each table in the file */
	size_t nr_aside, aside_room;
};

/** Makes an empty store. @max: as in struct pathstore; 0 for the default. */
void pathstore_init(struct pathstore *store, size_t max);

/** The number of the table of waiting samples; other tables are numbered in order, from 0. */
#define PATHSTORE_WAITING SIZE_MAX

/** Reads the tables one by one. */
struct path_reader {
	/* Gets the @nr @paths of table number @table. Returns 0, or -1 with @err filled. */
	int (*read)(void *arg, size_t table, const struct callpath *paths, size_t nr,
		    struct error *err);
	void *arg;
};

/** Has @reader read all tables, until it fails. Returns 0, or -1 with @err filled. */
int pathstore_read(const struct pathstore *store, const struct path_reader *reader,
		   struct error *err);

/** Replaces the counts of the tables during a visit. */
struct path_recount {
	/* Sets `here` of the @nr @paths, which are a copy of table number @table. */
	void (*set)(void *arg, size_t table, struct callpath *paths, size_t nr);
	void *arg;
};

/** True if a sample has been counted. */
static inline bool pathstore_has_any(const struct pathstore *store)
{
	return store->nr_aside || callpath_count(&store->now) || callpath_count(&store->waiting);
}

/** Whether the table must be put aside before more samples are counted. */
static inline bool pathstore_full(const struct pathstore *store)
{
	return callpath_count(&store->now) >= store->max;
}

/** Moves the table to the file; path numbers become invalid. Returns 0, or -1 with @err filled. */
int pathstore_put_aside(struct pathstore *store, struct error *err);

/**
 * Moves the paths of @from to the file, as a table of its own; @addresses: by the number of an
 * address in @from, its number for the others. Returns 0, or -1 with @err filled.
 */
int pathstore_take_aside(struct pathstore *store, struct callpath_table *from,
			 const uint32_t *addresses, struct error *err);

/**
 * As callpath_visit(), for all tables, with their own counts or with those that @recount sets (it
 * may be NULL). A path that is in several tables is visited once in each. Returns 0, or -1 with
 * @err filled.
 */
int pathstore_visit(const struct pathstore *store, const struct path_recount *recount,
		    const struct address_rows *rows, const struct path_visitor *visitor,
		    struct error *err);

void pathstore_free(struct pathstore *store);

#endif
