/*
 * The door of decode/: records in, in time order; answers out.
 *
 *	replay = replay_create(&settings, file, &err);
 *	while (perffile_next(file, &rec, &err) > 0)
 *		replay_apply(replay, rec, &err);
 *	results = replay_finish(replay, &err);
 */
#ifndef READPERF_DECODE_REPLAY_H
#define READPERF_DECODE_REPLAY_H

#include "decode/process/roots.h"
#include "decode/replay/filter.h"
#include "decode/results.h"
#include "decode/symbol/symbol.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replay;

/** What a replay does that may take long. */
enum replay_work {
	REPLAY_SYMBOLIZING, /* in binaries */
	REPLAY_FETCHING,    /* from debuginfod, in bytes; a total of 0: it is waited for */
};

/** Called while @work goes on, from any thread but never concurrently; NULL: by nobody. */
struct replay_progress {
	void (*show)(void *arg, enum replay_work work, uint64_t done, uint64_t total);
	void *arg;
};

/** What it points to is borrowed. */
struct replay_settings {
	const struct filter *filter;
	struct symbol_settings symbols;
	const struct given_roots *roots; /* of processes in containers; NULL: none are given */
	struct needs needs;		 /* what is to be answered */
	/* Patterns of functions, NULL-terminated: for focusstat_callers and focusstat_callees. */
	char *const *callers_of, *const *callees_of;
	bool noise;	 /* that of functions is wanted */
	uint64_t window; /* ns of results->window; 0: it is not wanted */
	struct replay_progress progress;
	/* How much is kept in memory before it goes to a temporary file; 0: the default. */
	size_t life_bytes; /* of rows of processes and threads that have ended */
	size_t paths_max;  /* distinct call paths */
};

/** A replay of @file, which must outlive it. Returns NULL with @err filled if memory is out. */
struct replay *replay_create(const struct replay_settings *settings, const struct perffile *file,
			     struct error *err);

/**
 * Applies @rec to processes and maps; counts it if it is a sample.
 *
 * @return 1 if @rec passes the filters and so belongs in the tables, 0 if not, -1 with @err filled.
 */
int replay_apply(struct replay *replay, const struct record *rec, struct error *err);

/**
 * Resolves the addresses and adds up, when the records have ended.
 *
 * @return the results, which live until the next call of this or of replay_snapshot() or
 * replay_destroy(), or NULL with @err filled.
 */
const struct results *replay_finish(struct replay *replay, struct error *err);

/**
 * As replay_finish() for the records so far, as often as one likes: more may be applied afterwards,
 * and the final results are the same as without. Symbols are looked up once for all snapshots.
 * Samples that wait for the user part of their call chain are not yet part of their callers' sums.
 */
const struct results *replay_snapshot(struct replay *replay, struct error *err);

/** Frees all; NULL is fine. */
void replay_destroy(struct replay *replay);

#endif
