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
#include "decode/stack/pathwalk.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A table in a file. */
struct aside_table {
	size_t nr;	 /* paths */
	uint64_t offset; /* bytes */
	size_t file;	 /* 0: the store's own; else that of others[file - 1] */
};

/** A file of another store. */
struct path_file {
	int fd;
	uint32_t *numbers; /* by the number of an address in it: that in the store */
	size_t room;
};

struct pathstore {
	struct callpath_table now;     /* the current table, number nr_aside */
	struct callpath_table waiting; /* temporary counts of samples whose chain is incomplete */
	size_t max;		       /* approximate maximum of paths in a table */
	int fd;			       /* its own file; -1: there is none */
	bool is_lent;		       /* another store has it, too, and closes it */
	uint64_t bytes;		       /* in it */
	struct aside_table *aside;
	size_t nr_aside, aside_room;
	struct path_file *others;
	size_t nr_others, others_room;
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

/** The number of paths in all its own tables; a path that is in several counts in each. */
static inline uint64_t pathstore_nr_made(const struct pathstore *store)
{
	return store->bytes / sizeof(struct callpath) + callpath_count(&store->now);
}

/** Whether the table must be put aside before more samples are counted. */
static inline bool pathstore_full(const struct pathstore *store)
{
	return callpath_count(&store->now) >= store->max;
}

/** Moves the table to the file; path numbers become invalid. Returns 0, or -1 with @err filled. */
int pathstore_put_aside(struct pathstore *store, struct error *err);

/**
 * Takes over the tables that @from has put aside itself; @from may put more aside, and must be
 * freed first. @numbers: by the number of each of the @nr addresses there, its number here. They
 * are copied; later calls may add to them, but must not change any. Returns 0, or -1 with @err
 * filled.
 */
int pathstore_adopt(struct pathstore *store, struct pathstore *from, const uint32_t *numbers,
		    size_t nr, struct error *err);

/** Reads @nr paths of the table store->aside[@table], from number @first on. Returns 0, or -1 with
 * @err filled. */
int pathstore_read_aside(const struct pathstore *store, size_t table, size_t first,
			 struct callpath *paths, size_t nr, struct error *err);

/** The number of its tables, with empty ones. */
size_t pathstore_nr_tables(const struct pathstore *store);

/** Which of them is the only one that has paths; SIZE_MAX if there is none, or more. */
size_t pathstore_only_table(const struct pathstore *store);

/**
 * Sets @walk, which is to be freed, to that through a copy of the table at @i of
 * pathstore_nr_tables(), with its own counts or with those that @recount sets (it may be NULL).
 * Returns 0, or -1 with @err filled and @walk empty.
 */
int pathstore_walk(const struct pathstore *store, size_t i, const struct path_recount *recount,
		   struct path_walk *walk, struct error *err);

/** Visits all paths of a table: see pathstore_walk(). Threads may visit tables at once.
 * Returns 0, or -1 with @err filled. */
int pathstore_visit_table(const struct pathstore *store, size_t i,
			  const struct path_recount *recount, const struct address_rows *rows,
			  const struct path_visitor *visitor, struct error *err);

/** The same for all tables. A path that is in several is visited once in each. */
int pathstore_visit(const struct pathstore *store, const struct path_recount *recount,
		    const struct address_rows *rows, const struct path_visitor *visitor,
		    struct error *err);

void pathstore_free(struct pathstore *store);

#endif
