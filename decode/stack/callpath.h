/*
 * Call paths: the samples' chains of callers, each distinct path once.
 *
 * A path is an address and the path of its caller. So all paths are trees, one for each reason why
 * chains end (enum chain_end), whose root calls the outermost functions that are known. A sample
 * counts on the path that ends with its own address. Stacks share most of their callers: memory
 * grows with distinct paths, never with the number of samples.
 */
#ifndef READPERF_DECODE_STACK_CALLPATH_H
#define READPERF_DECODE_STACK_CALLPATH_H

#include "decode/count/addressrows.h"
#include "decode/count/tally.h"
#include "decode/stack/chainend.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALLPATH_NONE UINT32_MAX

struct callpath {
	uint32_t caller;   /* number of the caller's path, less than one's own */
	uint32_t address;  /* number in the address table; a root has none */
	struct tally here; /* samples whose own address is the path's end */
};

/**
 * All zero is an empty table. Path number CHAIN_END_NR + n is paths[n]; the numbers below are the
 * roots, each an enum chain_end.
 */
struct callpath_table {
	struct callpath *paths;
	size_t room;
	struct index index;
};

/** The number of the path to @address from @caller's path; CALLPATH_NONE if memory is out. */
uint32_t callpath_get(struct callpath_table *table, uint32_t caller, uint32_t address);

static inline struct callpath *callpath_at(const struct callpath_table *table, uint32_t path)
{
	return &table->paths[path - CHAIN_END_NR];
}

static inline size_t callpath_count(const struct callpath_table *table)
{
	return table->index.nr;
}

/** A path that is entered or left. */
struct path_visit {
	const struct callpath *path;
	const struct tally *total; /* what was counted on it and on all paths that continue it */
	struct row_list functions; /* of its address: they are called by those of path->caller */
	enum chain_end end;	   /* why nothing calls the outermost path */
};

/** Who is told of paths, callers before those that they call. */
struct path_visitor {
	void (*enter)(void *arg, const struct path_visit *visit);
	/* When all paths that continue it were left. */
	void (*leave)(void *arg, const struct path_visit *visit);
	void *arg;
};

/**
 * Enters and leaves each of the @nr @paths; @rows has the functions of their addresses. A tree of
 * any depth needs no stack. Returns false, with nothing entered, if memory is out.
 */
bool callpath_visit(const struct callpath *paths, size_t nr, const struct address_rows *rows,
		    const struct path_visitor *visitor);

void callpath_table_free(struct callpath_table *table);

#endif
