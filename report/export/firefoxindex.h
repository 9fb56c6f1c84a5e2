/*
 * What a profile for the Firefox Profiler is made of: which chains, frames, functions, binaries and
 * threads an event has, and their numbers there.
 */
#ifndef READPERF_REPORT_EXPORT_FIREFOXINDEX_H
#define READPERF_REPORT_EXPORT_FIREFOXINDEX_H

#include "report/export/framename.h"
#include "report/export/runexport.h"
#include "util/intern.h"
#include "util/json.h"
#include "util/spool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The chain is another event's. */
#define NO_STACK UINT32_MAX

/* A thread with samples of the event. */
struct firefox_thread {
	uint32_t life;	    /* as of struct thread_stat */
	uint64_t nr, first; /* number of samples, time of the first one */
	int64_t pid, tid;   /* -1 if unknown */
	const char *comm, *process_comm;
};

/* The file in the making. */
struct firefox {
	const struct runexport_view *view;
	const struct results *results;
	struct json json;
	const struct place_stat *places;
	size_t nr_places;
	uint32_t *frames; /* by place: its outermost function's frame */
	uint32_t *stacks; /* by chain: the row of its innermost function, or NO_STACK */
	size_t nr_chains, stacks_room;
	const char **ends; /* why chains are cut; the first frames and rows of the stack table */
	size_t nr_ends, ends_room;
	size_t nr_frames, nr_stacks;
	size_t first_function, nr_functions;	    /* those of the event */
	struct intern strings, sources;		    /* numbers are those of the profile */
	uint32_t *libs;				    /* by dso: number + 1 */
	const struct function_stat **lib_functions; /* by number: one of its functions */
	size_t nr_libs;
	struct firefox_thread *threads;
	size_t nr_threads, threads_room;
	uint64_t start;	  /* time of the first sample */
	size_t at;	  /* number of the thread whose samples are being written */
	uint64_t nr_done; /* number of its samples that were */
	struct spool times, weights;
	uint64_t times_from, weights_from; /* bytes before those of the thread */
	struct framename name;
	struct error err;
	bool failed; /* @err says why */
};

/** Lists all there is of the event. Errors stay in @to. */
void firefoxindex_make(struct firefox *to);

/** Memory is out: the profile fails. */
void firefoxindex_nomem(struct firefox *to);

/** Whether the place has code that counts for the event. */
bool firefoxindex_wants(const struct firefox *to, const struct place_stat *place);

/** The @i-th function of the event. */
const struct function_stat *firefoxindex_function(const struct firefox *to, size_t i);

/** The number of @end among the reasons why chains are cut; it has one from now on. */
size_t firefoxindex_end(struct firefox *to, const char *end);

/** Calls @take for each chain of the event, with its number. */
void firefoxindex_chains(struct firefox *to,
			 void (*take)(struct firefox *to, const struct chain_stat *row,
				      uint32_t number));

/** Calls @take for each sample of the event, by thread and time. */
void firefoxindex_samples(struct firefox *to,
			  void (*take)(struct firefox *to, const struct sample_stat *sample));

/** Frees all but @to itself. */
void firefoxindex_free(struct firefox *to);

#endif
