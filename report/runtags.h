/*
 * What tells the tables of one run from those of others: the column run, and the columns of --tag,
 * at the end of each table.
 */
#ifndef READPERF_REPORT_RUNTAGS_H
#define READPERF_REPORT_RUNTAGS_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUNTAGS_MAX = 16, RUNTAGS_KEY_MAX = 63, RUNTAGS_VALUE_MAX = 1023 };

struct runtag {
	char key[RUNTAGS_KEY_MAX + 1];
	const char *value; /* borrowed */
};

/** All zero is none. */
struct runtags {
	struct runtag list[RUNTAGS_MAX];
	size_t nr;
	bool on;	  /* the tables have these columns: there are tags, or several recordings */
	bool known;	  /* @run is set: the recording is a file */
	uint64_t run;	  /* hash of the recording (perffile_hash()) */
	const char *file; /* path of the recording, as given */
};

/**
 * Adds the tag @arg, "KEY=VALUE", which is borrowed. A key is made of letters, digits and _, as
 * names of columns are; databases take letters of either case for the same. Returns 0, or -1 with
 * @err filled (ERROR_USAGE).
 */
int runtags_add(struct runtags *tags, const char *arg, struct error *err);

#endif
