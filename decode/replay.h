/*
 * Public interface of decode/: takes records in time order, returns results.
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
#include "decode/replay/perkeys.h"
#include "decode/stack/stacksettings.h"
#include "decode/results.h"
#include "decode/symbol/symbol.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replay;

/** Work of a replay that may take long; progress is counted in these units. */
enum replay_work {
	REPLAY_SYMBOLIZING, /* binaries */
	REPLAY_TRACING,	    /* bytes of a hardware trace */
	REPLAY_FETCHING,    /* bytes from debuginfod; total 0: waiting for a reply */
};

/** Called during @work, from any thread but never concurrently; may be NULL. */
struct replay_progress {
	void (*show)(void *arg, enum replay_work work, uint64_t done, uint64_t total);
	void *arg;
};

/** Pointers are borrowed. */
struct replay_settings {
	const struct filter *filter;
	const struct perkeys *per; /* what results->split is split by; NULL: nothing */
	struct symbol_settings symbols;
	const struct given_roots *roots; /* roots of processes in containers; NULL: none */
	struct needs needs;		 /* the answers to make */
	/* Patterns of functions, NULL-terminated: for focusstat_callers and focusstat_callees. */
	char *const *callers_of, *const *callees_of;
	uint64_t slice; /* length of a slice in ns, for slicestat_slices; 0: the default */
	enum slice_by slice_by;
	size_t slices_max;	    /* most rows of it, more are an error; 0: the default */
	const char *const *metrics; /* NAME=EVENT/EVENT, NULL-terminated: for metricstat_metrics */
	bool noise;		    /* estimate the noise of functions */
	uint64_t window;	    /* length of results->window in ns; 0: no window */
	struct replay_progress progress;
	/* Asked before a hardware trace is decoded, and often meanwhile: whether to stop with what
	 * was decoded so far. NULL: never. */
	bool (*stop)(void *arg);
	void *stop_arg;
	struct stack_settings stacks;
	/* Bytes of rows of processes and threads that have ended, in memory before they are moved
	 * to a temporary file; 0: the default. */
	size_t life_bytes;
};

enum { REPLAY_METRICS_MAX = 64 };

/** Metrics of the user's own for settings.metrics, NULL-terminated. All zero is empty. */
struct replay_metrics {
	const char *list[REPLAY_METRICS_MAX + 1];
	size_t nr;
};

/**
 * Adds @arg, NAME=EVENT/EVENT, which must outlive @metrics; its events are looked for once the
 * recording's are known. Returns 0, or -1 with @err filled: ERROR_USAGE if it is malformed or one
 * too many.
 */
int replay_add_metric(struct replay_metrics *metrics, const char *arg, struct error *err);

/**
 * Makes a replay of @file, which must outlive it. Returns NULL with @err filled if memory is out.
 */
struct replay *replay_create(const struct replay_settings *settings, const struct perffile *file,
			     struct error *err);

/**
 * Applies @rec to processes and maps; counts it if it is a sample.
 *
 * @return 1 if @rec passes the filters, so that it belongs in the tables, 0 if not, -1 with @err
 * filled.
 */
int replay_apply(struct replay *replay, const struct record *rec, struct error *err);

/** Returns how many threads are reading what symbols will be looked up in. */
size_t replay_nr_busy(const struct replay *replay);

/**
 * Whether replay_apply_plain() may be called for samples of which no records are needed: with
 * filters, only if no table has a row for each sample.
 */
bool replay_takes_plain(const struct replay *replay);

/** Whether samples of a gap may come in any order then. Those split by keys may not: combinations
 * of keys are numbered in the order of time. */
bool replay_takes_gaps(const struct replay *replay);

/** Whether samples may also come before older records that are not about their processes then
 * (perffile_use_leaps()). Not where slices of time count by themselves. */
bool replay_takes_leaps(const struct replay *replay);

/** Whether samples may come packed, if replay_takes_plain() is so: nothing is asked of them but
 * what packed ones have, and no other thread counts them. Call it after replay_share(). */
bool replay_takes_packed(const struct replay *replay);

/**
 * Counts @samples as replay_apply() does. Without filters, all of them belong in the tables. Those
 * of a gap (see struct plain_samples) may come in any order. Returns 0, or -1 with @err filled.
 */
int replay_apply_plain(struct replay *replay, const struct plain_samples *samples,
		       struct error *err);

/**
 * Has @nr threads count samples, the caller's and that which reads @file ahead among them, if
 * nobody has to see samples one after the other. @file is that of the replay. Call it before the
 * first record. Returns 0, or -1 with @err filled.
 */
int replay_share(struct replay *replay, struct perffile *file, size_t nr, struct error *err);

/**
 * Resolves the addresses and sums the counts; call it after the last record.
 *
 * @return the results, valid until the next call of this function, replay_snapshot() or
 * replay_destroy(); NULL with @err filled on error.
 */
const struct results *replay_finish(struct replay *replay, struct error *err);

/**
 * As replay_finish(), for the records so far. It may be called any number of times: more records
 * may be applied afterwards, and the final results do not change. Symbols are looked up once for
 * all snapshots. Samples that wait for the user part of their call chain are not yet included in
 * the sums of their callers.
 */
const struct results *replay_snapshot(struct replay *replay, struct error *err);

/**
 * The name of what decodes hardware traces of @type (enum trace_type), such as "libipt 2.0",
 * written to @name. NULL if nothing does: "" is written if a library could, and is not built in,
 * else what @type is called.
 */
const char *replay_trace_decoder(uint32_t type, char name[32]);

/** Whether answers in @needs may be made of the bytes of hardware traces. */
bool replay_needs_traces(const struct needs *needs);

/** Frees @replay; NULL is accepted. */
void replay_destroy(struct replay *replay);

#endif
