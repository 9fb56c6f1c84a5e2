/*
 * Aggregates: each adds up the records or results of a run for its tables, through hooks that the
 * replay calls.
 *
 * To add one, write a file like decode/answer/recordstat.c and name its answer in the line of a
 * table in report/tables.h. Its hooks are called in every run that needs one of its answers.
 */
#ifndef READPERF_DECODE_ANSWER_AGGREGATE_H
#define READPERF_DECODE_ANSWER_AGGREGATE_H

#include "decode/answer/counterset.h"
#include "decode/answer/pathlist.h"
#include "decode/answer/resolve.h"
#include "decode/count/address.h"
#include "decode/count/addressrows.h"
#include "decode/count/samplelog.h"
#include "decode/process/addrspace.h"
#include "decode/process/process.h"
#include "decode/process/switches.h"
#include "decode/results.h"
#include "decode/stack/pathstore.h"
#include "decode/stack/unwind/unwind.h"
#include "decode/symbol/symbol.h"
#include "decode/trace/hardwaretrace.h"
#include "decode/trace/spetrace.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

struct traceprofile;

/** What an aggregate may read; all borrowed. */
struct aggregate_view {
	const struct perffile *file;
	const struct process_table *processes;
	const struct counterset *counters; /* added up in finish */
	const struct addrspaces *spaces;   /* as they are at the record */
	/* From struct replay_settings. */
	const char *const *metrics;
	const struct filter *filter;
	bool (*takes_event)(const struct filter *filter, const struct event *event);
	size_t life_bytes;
	char *const *callers_of, *const *callees_of;
	uint64_t slice; /* ns; 0: the default */
	enum slice_by slice_by;
	size_t slices_max;
	/* The members below are valid only in finish. */
	const struct dso_table *dsos;
	struct symbolizer *symbolizer;
	const struct address_table *addresses;
	const struct hardware_trace *tracing; /* the hardware trace; decoded at the end */
	const struct traceprofile *traced;    /* of it, if it has an event */
	const struct spetrace *spe;	      /* the same, of Arm SPE */
	const struct switches *switched;      /* when threads ran; NULL: no record tells */
	const struct unwinder *unwinder;      /* the way that frames were unwound, by dso */
	const struct place_set *places;	      /* the resolved places of the addresses */
	const struct pathstore *paths;
	const struct sample_log *log;		 /* written if an answer needs it */
	const struct address_rows *of_addresses; /* numbers of the functions in the results */
	const struct path_list *path_list;	 /* made if an answer of pathstat is needed */
	const struct path_cells *path_cells;	 /* the same, of pathstat_cells */
	bool wants_debug_info; /* debugging information that a binary lacks is worth reporting */
};

/** A sample that counts, of @period for @event. All borrowed. */
struct counted_sample {
	const struct record *rec;
	const struct event *event;
	const struct process *process;
	uint32_t address; /* number of its own address */
	uint64_t period;
};

/** What an aggregate needs of hardware traces. */
enum aggregate_traces {
	AGGREGATE_CODE = 1,	  /* what was executed */
	AGGREGATE_OPERATIONS = 2, /* operations that the processor has sampled itself */
};

/** Every hook but rows may be NULL. */
struct aggregate {
	size_t state_bytes; /* size of its state, which starts as all zero */
	/* What the wanted answers (a bit for each, by its number) need of places beside their
	 * symbols: enum place_wish. NULL: nothing. */
	unsigned (*wishes)(unsigned wanted);
	unsigned switches; /* bits of the answers that need to know when threads ran */
	unsigned traces;   /* what its answers need of hardware traces: enum aggregate_traces */
	/* Starts. @wanted: one bit for each answer, by its number. Returns false if memory is out;
	 * free is called even then. */
	bool (*start)(void *state, const struct aggregate_view *view, unsigned wanted);
	/* Takes a record that passes the filters, in time order. Returns false if memory is out. */
	bool (*record)(void *state, const struct record *rec);
	/* Takes any record, in time order; @chosen: it passes the filters. Returns false if memory
	 * is out. */
	bool (*any)(void *state, const struct record *rec, bool chosen);
	/* Takes samples as record does, many at a time. NULL if record needs more of a sample than
	 * its type. Returns false if memory is out. */
	bool (*plain)(void *state, const struct plain_samples *samples);
	/* Takes a sample that counts, in time order: once for each event that it counts for.
	 * Returns false with @err filled on error. */
	bool (*sample)(void *state, const struct counted_sample *sample, struct error *err);
	/* Takes an operation of a hardware trace that passes the filters, before the last finish.
	 * Returns false if memory is out. */
	bool (*operation)(void *state, const struct spe_operation *operation);
	/* Called before @thread is freed, or if it is NULL, @process. Returns 0, or -1 with @err
	 * filled. */
	int (*retire)(void *state, const struct process *process, const struct thread *thread,
		      struct error *err);
	/* Makes the answers from the records so far; called several times if there are snapshots.
	 * @results has events and functions; the hook may add to it. Returns 0, or -1 with @err
	 * filled. */
	int (*finish)(void *state, const struct aggregate_view *view, struct results *results,
		      struct error *err);
	/* Returns the rows of answer @number as the last finish left them. */
	struct rows (*rows)(void *state, unsigned number);
	/* Frees what the state refers to. */
	void (*free)(void *state);
};

/** An aggregate and its state. */
struct aggregate_run {
	const struct aggregate *aggregate;
	void *state;
};

/** The aggregates of a run: all, and those with a hook for records that pass the filters, for any
 * records, or for samples. All zero is an empty set. */
struct aggregates {
	struct aggregate_run list[ANSWERS_MAX], recording[ANSWERS_MAX], any[ANSWERS_MAX],
		sampling[ANSWERS_MAX];
	size_t nr, nr_recording, nr_any, nr_sampling;
	unsigned wishes; /* what at least one of them needs of places: enum place_wish */
	bool switches;	 /* at least one of them needs to know when threads ran */
	unsigned traces; /* what at least one of them needs of hardware traces */
};

/**
 * Starts the aggregates of @needs. Returns false if memory is out; call aggregates_free() even
 * then.
 */
bool aggregates_start(struct aggregates *aggregates, const struct needs *needs,
		      const struct aggregate_view *view);

/**
 * Passes @rec to the hooks for records; @chosen: it passes the filters. Returns false if memory is
 * out.
 */
static inline bool aggregates_record(const struct aggregates *aggregates, const struct record *rec,
				     bool chosen)
{
	const struct aggregate_run *run = aggregates->recording;
	const struct aggregate_run *end = run + (chosen ? aggregates->nr_recording : 0);

	for (; run < end; run++)
		if (!run->aggregate->record(run->state, rec))
			return false;
	run = aggregates->any;
	for (end = run + aggregates->nr_any; run < end; run++)
		if (!run->aggregate->any(run->state, rec, chosen))
			return false;
	return true;
}

/** Whether aggregates_plain() can take the place of aggregates_record(). */
bool aggregates_take_plain(const struct aggregates *aggregates);

/** Passes @samples to the hooks for plain samples. Returns false if memory is out. */
bool aggregates_plain(const struct aggregates *aggregates, const struct plain_samples *samples);

/** Passes @sample to the sample hooks. Returns false with @err filled on error. */
bool aggregates_sample(const struct aggregates *aggregates, const struct counted_sample *sample,
		       struct error *err);

/** Passes @operation to the operation hooks. Returns false if memory is out. */
bool aggregates_operation(const struct aggregates *aggregates,
			  const struct spe_operation *operation);

/** Calls the retire hooks. Returns 0, or -1 with @err filled. */
int aggregates_retire(const struct aggregates *aggregates, const struct process *process,
		      const struct thread *thread, struct error *err);

/** Puts the answers that @needs names into @results. Returns 0, or -1 with @err filled. */
int aggregates_finish(const struct aggregates *aggregates, const struct needs *needs,
		      const struct aggregate_view *view, struct results *results,
		      struct error *err);

void aggregates_free(struct aggregates *aggregates);

#endif
