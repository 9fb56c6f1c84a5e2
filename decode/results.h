/*
 * What a finished run hands to the reports: values only, nothing to compute.
 *
 * Everything here is borrowed from the run and lives until replay_destroy().
 */
#ifndef READPERF_DECODE_RESULTS_H
#define READPERF_DECODE_RESULTS_H

#include "decode/count/tally.h"
#include "perffile/event.h"
#include "perffile/fact.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where code comes from. */
enum code_origin {
	CODE_USER,   /* a file, or nobody knows */
	CODE_KERNEL, /* the kernel, also a guest's, or one of its modules */
	CODE_JIT,    /* made by the program at run time */
};

/** One function of one binary under one event, or one reason for having no function. */
struct function_stat {
	const struct event *event;
	const char *binary;   /* as recorded, "[kernel.kallsyms]", "[unmapped]" */
	const char *function; /* "[unknown]" if @reason is not "" */
	const char *filename; /* "" if unknown */
	uint32_t line;	      /* 0 if unknown */
	struct tally self;
	struct tally children; /* self included */
	const char *build_id;  /* lower-case hex, "" if unknown */
	const char *reason;    /* "" for a named function */
	struct tally inlined;  /* part of self: in copies that were inlined into other functions */
	uint32_t dso;	       /* number of the binary's dso; of the first, if several look alike */
	/* The variance of self.period / the event's period, from slices of time
	 * (decode/count/timeslice.h), and its degrees of freedom. 0 both: not known, or not asked
	 * for. */
	double noise, noise_df;
	/* The same of children.period, as far as it can be told: as many times the noise of
	 * independent samples as @noise is; its degrees of freedom are @noise_df. */
	double children_noise;
	uint64_t size; /* bytes of its code; 0 if unknown */
	enum code_origin code;
	uint32_t number; /* its place among the functions of the whole recording */
};

/** One source line of one binary under one event, or one reason for having no line. */
struct line_stat {
	const struct event *event;
	const char *binary;   /* as in struct function_stat */
	const char *filename; /* "" if unknown */
	uint32_t line;	      /* 0 if unknown */
	struct tally self;
	const char *build_id;
	const char *reason; /* "" where there is a line */
};

/** One address of one binary under one event. */
struct address_stat {
	const struct event *event;
	const char *binary;   /* as in struct function_stat */
	uint64_t address;     /* as nm shows it; see struct place_detail */
	const char *function; /* "[unknown]" if it has none */
	uint64_t offset;      /* bytes from the start of @physical */
	const char *filename; /* of the statement; "" if unknown */
	uint32_t line;	      /* of the statement; 0 if unknown */
	struct tally self;
	const char *physical; /* the function that @function was inlined into, or @function */
	bool named;	      /* there is a function */
	const char *build_id;
	const char *reason; /* why there is no name or no line, "" where there is */
};

/** One binary under one event, and where its names came from; strings are "" for nothing. */
struct binary_stat {
	const struct event *event;
	const char *binary, *build_id; /* as in function_stat */
	struct tally total;
	uint64_t unnamed;	 /* samples without a name */
	const char *reason;	 /* of most of them */
	uint64_t reason_samples; /* those that it is the reason of */
	const char *file;	 /* that the names were read from */
	const char *found_by;	 /* word for why it was looked at: "recorded-path", ... */
	const char *debug_file;	 /* that completes it */
	const char *debug_found_by;
	const char *refused; /* "PATH: WHY; PATH: WHY" */
	/* What the user can do for lines and inlined functions, part of a sentence; NULL: it has
	 * them, or nothing can be done. */
	const char *debug_advice;
	const char *advice; /* what the user can do about `reason`, part of a sentence; or "" */
	/* Why `file` may not be the one that was recorded: a word, and a part of a sentence. */
	const char *doubt, *doubt_why;
};

/** Too many samples of an event without something: how many, and what is behind most of them. */
struct unnamed_stat {
	const struct binary_stat *binary; /* with the most of them */
	uint64_t samples, total;	  /* of binary->event: without it, and all */
	const char *advice;		  /* what the user can do, part of a sentence; or "" */
};

/** parent of a path that has none. */
#define PATH_NO_PARENT UINT32_MAX

/**
 * One path of functions under one event: the function, and the path of what called it, or of what
 * its code is inlined into.
 */
struct path_stat {
	const struct function_stat *function;
	uint32_t parent; /* number of the row above; PATH_NO_PARENT: nothing that is known */
	uint32_t depth;	 /* 0 without a parent */
	struct tally self;
	struct tally total; /* self, and what was counted on the paths that continue it */
	const char *end;    /* why nothing calls the outermost function: chain_end_word() */
	bool cut;     /* something does, as the event records call chains and this one is cut */
	bool inlined; /* into the function of the parent */
};

/** One function called by another under one event, or by nothing that is known. */
struct call_stat {
	const struct function_stat *caller, *callee; /* caller may be NULL */
	const char *end; /* of path_stat, if there is no caller; chains that are not cut are one */
	bool cut;	 /* of path_stat */
	bool inlined;	 /* into the caller */
	bool recursive;	 /* on some path the callee was there before */
	struct tally total; /* of paths with this call, each once */
	struct tally self;  /* of the callee itself, called so */
};

enum { FOCUS_DEPTH_MAX = 64 };

/**
 * A row of a tree around a function: the function itself, one that called the row above, or was
 * called by it. Without those of less than half a percent of the event, and below FOCUS_DEPTH_MAX.
 */
struct focus_stat {
	const struct event *event;
	const struct function_stat *function; /* NULL: chains are cut here */
	const char *end;		      /* why, as of path_stat; "" if there is a function */
	uint32_t depth;			      /* 0: the function itself */
	struct tally total; /* of it, as far as it came through here; each sample once */
};

/** One life of one process: a pid that is used again is another life. */
struct process_stat {
	int64_t pid; /* -1 for the samples of no known process */
	const char *comm;
	uint64_t nr_mmaps;
	bool has_fork, has_exit, has_ppid;
	uint64_t fork, exit; /* ns of the recording's clock */
	int64_t ppid;
	uint64_t threads;
	const char *exe;	      /* "" if unknown */
	const struct tally *by_event; /* of all the recording's events */
	const uint32_t *events;	      /* the numbers of those it has samples of, ascending */
	size_t nr_events;	      /* of @events */
};

/** What an event counted on one CPU; the sums of all its CPUs are the event's. */
struct cpu_stat {
	struct tally total;
	uint64_t lost;	       /* records: the sum of LOST */
	uint64_t lost_samples; /* the sum of LOST_SAMPLES, but for what a BPF filter dropped */
	uint64_t throttled, unthrottled;
	uint32_t cpu; /* if @has_cpu; else what came from no CPU, or from one out of bounds */
	bool has_cpu;
};

/** One life of one thread. */
struct thread_stat {
	int64_t pid, tid; /* -1 both for the samples of no known process */
	const char *comm;
	bool has_fork, has_exit;
	uint64_t fork, exit;	      /* ns of the recording's clock */
	const char *process_comm;     /* of its process: the last name, and */
	const char *exe;	      /* the main binary; "" if unknown */
	const struct tally *by_event; /* as process_stat's */
	const uint32_t *events;
	size_t nr_events;
};

/**
 * Rows that are made one at a time, as there may be more than fit in memory. They can be gone
 * through again and again, but not through two such sequences of a run at a time.
 */
struct row_source {
	void *arg;
	/* Back to the first row. 0, or -1 with @err filled. */
	int (*start)(void *arg, struct error *err);
	/* Fills the row (a process_stat or a thread_stat), which lives until the next call. Returns
	 * 1, 0 if there is none left, -1 with @err filled. */
	int (*next)(void *arg, void *row, struct error *err);
};

struct event_stat {
	const struct event *event;
	struct tally total;
	uint64_t dropped;   /* records that the kernel dropped, each once (perffile/counts.h) */
	struct tally taken; /* in the recording: @total, and what a filter left out */
	const char *pmu;    /* as the recording calls the PMU of attr.type; NULL if it does not */
	/* Samples whose call chains end before the outermost function, the main reason
	 * (chain_end_word()), and what the user can do about it, part of a sentence; "" both if
	 * there are none. */
	struct tally cut;
	const char *cut_reason, *cut_advice;
	const struct cpu_stat *cpus; /* ascending, then what has no CPU; one at least */
	size_t nr_cpus;
};

/** What an event counted in the window: as event_stat's. */
struct window_event {
	struct tally total, taken;
};

/** The last of a recording, up to its last sample. */
struct window_stat {
	uint64_t length;		       /* ns, as it was asked for */
	const struct window_event *events;     /* by the event's number */
	const struct function_stat *functions; /* those with samples in it: self and children are
						  of the window, the order is that of all */
	size_t nr_functions;
};

/** A row of stat.csv. */
struct record_stat {
	const char *record; /* "MMAP2", "UNKNOWN_200", "[lost]" */
	uint64_t count;
};

/** Rows of one type: in memory, or one at a time where @source has a start. */
struct rows {
	const void *first;
	size_t nr;
	struct row_source source;
};

struct aggregate;

/** What can be asked for beside events and functions: the rows of @number that @by adds up. */
struct answer {
	const struct aggregate *by; /* NULL: nothing is to be added up */
	unsigned number;
};

/* What their rows are, and in which order; sources are marked so. */
extern const struct answer answer_core;		     /* nothing but events and functions */
extern const struct answer recordstat_records;	     /* record_stat; types ascend */
extern const struct answer headerstat_facts;	     /* fact */
extern const struct answer binarystat_binaries;	     /* binary_stat; event, period, name */
extern const struct answer processstat_lives;	     /* process_stat, source; pid, life */
extern const struct answer processstat_thread_lives; /* thread_stat, source; process, tid, life */
extern const struct answer linestat_lines;	     /* line_stat; as functions */
extern const struct answer linestat_addresses;	     /* address_stat; event, binary, address */
extern const struct answer pathstat_paths; /* path_stat; event, then parents first, then period */
extern const struct answer pathstat_calls; /* call_stat; event, period, names */
/* focus_stat; event, function's period, then parents first, then period. */
extern const struct answer focusstat_callers; /* of the functions asked for */
extern const struct answer focusstat_callees; /* what these called */

enum { ANSWERS_MAX = 64 };

/** The answers that a run is to have, each once. All zero are none. */
struct needs {
	const struct answer *list[ANSWERS_MAX];
	size_t nr;
};

/** Adds @answer unless it is there. */
static inline void needs_add(struct needs *needs, const struct answer *answer)
{
	for (size_t i = 0; i < needs->nr; i++)
		if (needs->list[i] == answer)
			return;
	if (answer->by && needs->nr < ANSWERS_MAX)
		needs->list[needs->nr++] = answer;
}

/** An answer that was made. */
struct answered {
	const struct answer *answer;
	struct rows rows;
};

struct results {
	const struct event_stat *events; /* in the file's order */
	size_t nr_events;
	const uint32_t *sampled; /* the numbers of those with samples; of the first if none has */
	size_t nr_sampled;
	const struct function_stat *functions; /* by event, then period descending, then name */
	size_t nr_functions;
	const struct window_stat *window; /* NULL: not asked for, or no sample has a time */
	bool inlined;			  /* functions are the innermost inlined ones */
	/* What binarystat has found, if it was asked for binaries. */
	const struct unnamed_stat *unnamed; /* NULL if nearly all samples have names */
	/* Of those with names, in binaries without debugging information; NULL if they are few, or
	 * neither lines nor inlined functions were asked for. */
	const struct unnamed_stat *unlined;
	/* Of those with names, in binaries of which there is a doubt; NULL: there is none. */
	const struct unnamed_stat *doubted;
	struct answered answered[ANSWERS_MAX]; /* what else was asked for; then no answer */
	bool window_untimed;		       /* there is no window, as no sample has a time */
	size_t nr_untimed_dumps;	       /* jitdumps whose clock is not the recording's */
	bool filtered; /* a filter was set: rows without a chosen sample were left out */
	/* What a filter asks for and no sample has, and perf record's option for it; NULL: nothing.
	 */
	const char *lacks, *lacks_how;
};

/** The rows of @answer; none if it was not asked for. */
static inline struct rows results_rows(const struct results *results, const struct answer *answer)
{
	for (size_t i = 0; i < ANSWERS_MAX && results->answered[i].answer; i++)
		if (results->answered[i].answer == answer)
			return results->answered[i].rows;
	return (struct rows){0};
}

#endif
