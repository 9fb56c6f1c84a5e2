/*
 * What is added up for a table, by a file that the replay does not know: it has hooks, and answers.
 *
 * To add one, write a file like decode/answer/recordstat.c and name its answer where it is needed:
 * in the line of a table in report/tables.h. Its hooks are called in every run that needs an answer
 * of it.
 */
#ifndef READPERF_DECODE_ANSWER_AGGREGATE_H
#define READPERF_DECODE_ANSWER_AGGREGATE_H

#include "decode/answer/resolve.h"
#include "decode/count/address.h"
#include "decode/count/addressrows.h"
#include "decode/process/process.h"
#include "decode/results.h"
#include "decode/stack/pathstore.h"
#include "decode/symbol/symbol.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

/** What an aggregate may look at; all borrowed. */
struct aggregate_view {
	const struct perffile *file;
	const struct process_table *processes;
	size_t life_bytes; /* of struct replay_settings, and so are these */
	char *const *callers_of, *const *callees_of;
	/* From here on only when finishing. */
	const struct dso_table *dsos;
	const struct symbolizer *symbolizer;
	const struct address_table *addresses;
	const struct place_set *places; /* of the addresses, resolved */
	const struct pathstore *paths;
	const struct address_rows *of_addresses; /* numbers of the results' functions */
	bool wants_debug_info;			 /* it matters that a binary has none */
};

/** Every hook but rows may be NULL. */
struct aggregate {
	size_t state_bytes; /* of its state, which is all zero at the start */
	bool details;	    /* it needs the details of places: lines and addresses as nm has them */
	/* @wanted: bits by number of its answers. False: memory is out; free is called all the
	 * same. */
	bool (*start)(void *state, const struct aggregate_view *view, unsigned wanted);
	/* Each record that the filters let pass, in the order of time. False: memory is out. */
	bool (*record)(void *state, const struct record *rec);
	/* Before @thread, or with NULL @process, is forgotten. 0, or -1 with @err filled. */
	int (*retire)(void *state, const struct process *process, const struct thread *thread,
		      struct error *err);
	/* Makes the answers of what was applied so far; again and again, if there are snapshots.
	 * @results has events and functions, and may get more. 0, or -1 with @err filled. */
	int (*finish)(void *state, const struct aggregate_view *view, struct results *results,
		      struct error *err);
	/* The rows of answer @number, as finish left them. */
	struct rows (*rows)(void *state, unsigned number);
	/* Frees what the state refers to. */
	void (*free)(void *state);
};

/** An aggregate at work. */
struct aggregate_run {
	const struct aggregate *aggregate;
	void *state;
};

/** Those of a run: all, and those with a hook for records. All zero has none. */
struct aggregates {
	struct aggregate_run list[ANSWERS_MAX], recording[ANSWERS_MAX];
	size_t nr, nr_recording;
	bool details; /* one needs them */
};

/** Starts those that @needs name. False if memory is out; aggregates_free() all the same. */
bool aggregates_start(struct aggregates *aggregates, const struct needs *needs,
		      const struct aggregate_view *view);

/** False if memory is out. */
static inline bool aggregates_record(const struct aggregates *aggregates, const struct record *rec)
{
	const struct aggregate_run *run = aggregates->recording;

	for (const struct aggregate_run *end = run + aggregates->nr_recording; run < end; run++)
		if (!run->aggregate->record(run->state, rec))
			return false;
	return true;
}

/** See the hook. 0, or -1 with @err filled. */
int aggregates_retire(const struct aggregates *aggregates, const struct process *process,
		      const struct thread *thread, struct error *err);

/** Puts the answers that @needs name into @results. 0, or -1 with @err filled. */
int aggregates_finish(const struct aggregates *aggregates, const struct needs *needs,
		      const struct aggregate_view *view, struct results *results,
		      struct error *err);

void aggregates_free(struct aggregates *aggregates);

#endif
