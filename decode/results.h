/*
 * The results of a run, which the reports print without further computation.
 *
 * Everything here is borrowed from the run and valid until replay_destroy().
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
#include <string.h>

/** Where code comes from. */
enum code_origin {
	CODE_USER,   /* a file, or nobody knows */
	CODE_KERNEL, /* the kernel, also a guest's, or one of its modules */
	CODE_JIT,    /* made by the program at run time */
};

/** A function of a binary under an event, or a reason for having no function. */
struct function_stat {
	const struct event *event;
	const char *binary;   /* as recorded, "[kernel.kallsyms]", "[unmapped]" */
	const char *function; /* "[unknown]" if @reason is not "" */
	const char *filename; /* "" if unknown */
	uint32_t line;	      /* 0 if unknown */
	struct tally self;
	struct tally children; /* self included */
	const char *build_id;  /* lower-case hex; "" if unknown */
	const char *reason;    /* "" for a named function */
	/* part of self: samples in copies that were inlined into other functions */
	struct tally inlined;
	/* dso number of the binary; of the first, if several have the same name and build id */
	uint32_t dso;
	/* The variance of self.period / the event's period, estimated from slices of time
	 * (decode/count/timeslice.h), and its degrees of freedom. Both 0: unknown, or not
	 * requested. */
	double noise, noise_df;
	/* The variance of children.period / the event's period, estimated by assuming the same
	 * factor of the noise of independent samples as for @noise; its degrees of freedom are
	 * @noise_df. */
	double children_noise;
	uint64_t size; /* size of its code in bytes; 0 if unknown */
	enum code_origin code;
	uint32_t number; /* its place among the functions of the whole recording */
};

/** A source line of a binary under an event, or a reason for having no line. */
struct line_stat {
	const struct event *event;
	const char *binary;   /* as in struct function_stat */
	const char *filename; /* "" if unknown */
	uint32_t line;	      /* 0 if unknown */
	struct tally self;
	const char *build_id;
	const char *reason;   /* "" if there is a line */
	const char *function; /* that most of its period counts for; "[unknown]" if there is none */
	const char *source;   /* text of the line; "" if it was not found */
};

/** An address of a binary under an event. */
struct address_stat {
	const struct event *event;
	const char *binary;   /* as in struct function_stat */
	uint64_t address;     /* as nm prints it; see struct place_detail */
	const char *function; /* "[unknown]" if there is none */
	uint64_t offset;      /* bytes from the start of @physical */
	const char *filename; /* of the statement; "" if unknown */
	uint32_t line;	      /* of the statement; 0 if unknown */
	struct tally self;
	/* the function that contains the code: @function, or the one it was inlined into */
	const char *physical;
	bool named; /* @function is a name */
	const char *build_id;
	const char *reason; /* reason for having no name or no line; "" if there are both */
	const struct function_stat *owner; /* the function that its samples count for */
	const char *instruction; /* its text; "" if unknown, and unless it was requested */
	const struct code *code; /* that it is in; NULL if unknown, and unless it was requested */
	const char *code_lack;	 /* why there is none, a part of a sentence; "" if there is */
};

/**
 * Lines of a source file that hold samples of functions that have many of them, or are near such a
 * line. The file's other lines are left out.
 */
struct source_stat {
	const char *filename;
	uint32_t first;		  /* number of the first line */
	const char *const *lines; /* their texts */
	uint32_t nr;		  /* 0 if the file was not read */
	double share;		  /* of its event's period, of the function with the most of them */
	bool newer;		  /* the file was written after the binary or the recording */
	const char *lack;	  /* why it was not read, a part of a sentence; "" if it was */
};

/** Samples whose source lines or instructions are known, but not their texts. */
struct textless_stat {
	uint64_t samples, total; /* those without a text, and all of them */
	const char *of;		 /* the file or binary that has most of them */
	const char *why;	 /* part of a sentence */
	uint64_t newer;		 /* samples of source files that may have been changed since */
	const char *newest;	 /* the file that has most of these; NULL if there is none */
};

/** A binary under an event, and where its names came from. Strings are "" if there is nothing. */
struct binary_stat {
	const struct event *event;
	const char *binary, *build_id; /* as in struct function_stat */
	struct tally total;
	uint64_t unnamed;	 /* number of samples without a name */
	const char *reason;	 /* the reason of most of them */
	uint64_t reason_samples; /* number of samples with that reason */
	const char *file;	 /* file that the names were read from */
	const char *found_by;	 /* word for how it was found: "recorded-path", ... */
	const char *debug_file;	 /* file with the debugging information for it */
	const char *debug_found_by;
	const char *refused; /* "PATH: WHY; PATH: WHY" */
	/* What the user can do to get lines and inlined functions, part of a sentence; NULL: they
	 * are there, or nothing can be done. */
	const char *debug_advice;
	const char *advice; /* what the user can do about @reason, part of a sentence; or "" */
	/* Why @file may not be the recorded one: a word, and part of a sentence. */
	const char *doubt, *doubt_why;
	const char *unwound_by; /* how most of its frames were unwound (unwinder_word()), or "" */
	uint32_t dso;		/* number of the first dso of the binary */
	/* frames were unwound by a file that turned out to be another one than the recorded */
	bool unwound_amiss;
};

/** An event with too many samples that lack something: how many, and the main binary. */
struct unnamed_stat {
	const struct binary_stat *binary; /* the one with the most of them */
	uint64_t samples, total; /* samples of binary->event: those that lack it, and all */
	const char *advice;	 /* what the user can do, part of a sentence; or "" */
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

/** What a path counted itself in one thread and one slice of time. */
struct path_cell {
	uint32_t path;	  /* number among the paths */
	uint32_t thread;  /* thread_stat.life; 0: see path_slices.threads */
	uint32_t slice;	  /* number among the slices */
	uint32_t samples; /* what does not fit is in another cell of the same place */
	uint64_t period;
};

/** The slices of time of cells, all equally long. */
struct path_slices {
	uint64_t start,
		length; /* ns of the recording's clock; [start, start + length) is the first */
	uint32_t nr;	/* 0: no sample has a time */
	bool threads;	/* false: cells do not tell threads apart */
};

/** An address that samples or call chains have under one event. */
struct place_stat {
	const uint32_t *functions; /* numbers of functions in the results, the innermost first */
	uint32_t nr_functions;	   /* at least 1; each but the last is inlined into the next */
	uint32_t line;		   /* of the innermost function's statement; 0 if unknown */
	const char *filename;	   /* of the statement; "" if unknown */
	uint64_t address; /* as in struct address_stat; of a caller: before its return address */
};

/** A call chain: an address, and the chain of its caller, which is of an earlier row. */
struct chain_stat {
	uint32_t caller; /* number of the row; PATH_NO_PARENT: nothing that is known */
	uint32_t place;	 /* number of the address among the places */
	uint32_t base;	 /* rows before this one are no callers of this row or of later ones */
	struct tally self;
	const char *end; /* as of path_stat; NULL if there is a caller */
	bool cut;	 /* as of path_stat; false if there is a caller */
	bool alone;	 /* on no path: it calls nothing, and may have counted nothing */
};

/** A sample as it counted for an event. */
struct sample_stat {
	uint64_t time; /* ns of the recording's clock; 0 if unknown */
	uint64_t period;
	uint32_t thread; /* thread_stat.life */
	uint32_t chain;	 /* number of the row of its call chain */
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

/** A part of the recording's time: all are equally long, each event has the same ones. */
struct timeline_part {
	const struct event *event;
	uint64_t start, length; /* ns of the recording's clock; [start, start + length) */
	uint64_t samples;	/* SAMPLE records of the event in it; without a time: nowhere */
};

/** Waits of the threads of a process that have one name, in a function. Sums in ns. */
struct offcpu_stat {
	uint32_t pid; /* UINT32_MAX: unknown */
	const char *comm;
	const struct function_stat *function; /* NULL: no call chain tells where they waited */
	const char *state;		      /* as the kernel prints it; "" if unknown */
	const char *waits_in;		      /* the kernel's function; "" if unknown */
	const char *source;		      /* what tells: sched_switch, offcpu-time, switch */
	uint64_t wait;			      /* until they were woken */
	uint64_t delay;			      /* from then until they ran */
	uint64_t preempt;		      /* off the CPU although they could run */
	uint64_t count;
	uint64_t max; /* the longest absence; 0: unknown */
	/* Of the function and all that it called, with the same state and waits_in. */
	uint64_t children_wait, children_count;
};

/** System calls of the threads of a process that have one name. Sums in ns. */
struct syscall_stat {
	uint32_t pid; /* UINT32_MAX: unknown */
	const char *comm;
	const char *name;    /* of the system call, or its number */
	uint64_t count;	     /* with begin and end */
	uint64_t failed;     /* those that returned an error */
	uint64_t total, max; /* times between begin and end */
	uint64_t unfinished; /* threads that are in it at the end */
};

/** What there was of system calls. */
struct syscall_totals {
	uint64_t samples; /* at their begin or end */
	uint64_t beyond;  /* samples of threads or calls that are too many */
};

/** What the answers on waits lack: see struct switch_gaps. */
struct offcpu_gaps {
	uint64_t begins, ends, lost, missed, backwards, chainless;
	uint64_t some; /* samples of scheduler events that skip some switches: -F */
};

/** What slices of time are divided by. */
enum slice_by { SLICE_BY_PROCESS, SLICE_BY_FUNCTION, SLICE_BY_CPU, SLICE_BY_NONE };
#define SLICE_BY_WORDS "process|function|cpu|none"

/** Length of a slice in ns unless another one is given. */
#define SLICE_DEFAULT UINT64_C(100000000)

/** What an event counted in a slice of time; what it is of is decided by --slice-by. */
struct slice_stat {
	const struct event *event;
	uint64_t start, length; /* ns of the recording's clock */
	bool has_pid, has_cpu;
	uint32_t pid, cpu;		      /* if known; pid UINT32_MAX: of no known process */
	const char *comm;		      /* of the process; "" otherwise */
	const struct function_stat *function; /* NULL if not by functions */
	struct tally tally;
};

enum { FOCUS_DEPTH_MAX = 64 };

/**
 * A row of a tree around a function: the function itself, one that called the row above, or was
 * called by it. Those of less than a percent of the function have one row together, after the
 * others that called or were called by the same; so have those beyond FOCUS_DEPTH_MAX.
 */
struct focus_stat {
	const struct event *event;
	const struct function_stat *function; /* NULL: chains are cut, or rows left out here */
	const char *end;		      /* why chains are cut, as of path_stat; or "" */
	uint32_t depth;			      /* 0: the function itself */
	struct tally total; /* of it, as far as it came through here; each sample once */
	size_t left_out;    /* how many are too small to be shown; 0 if it is not their row */
	bool beyond;	    /* they are too far from the function to be shown */
};

/** Where a branch leaves or arrives. */
struct branch_place {
	const char *binary, *function; /* as in struct function_stat */
	uint64_t address;	       /* as in struct address_stat */
	const char *filename;	       /* of the statement; "" if unknown */
	uint32_t line;		       /* of the statement; 0 if unknown */
	uint32_t dso;		       /* number of the binary's dso */
	bool is_file;		       /* of a program or library that is a file */
	bool is_found;		       /* the file was found, so that @address is one of it */
};

/** The branches from one address to another under an event, of one type and privilege. */
struct branch_stat {
	const struct event *event;
	const struct branch_place *from, *to;
	const char *type; /* "cond", "call", ...; "" if not recorded */
	const char *priv; /* "user", "kernel", "hypervisor"; "" if not recorded */
	uint64_t count, mispredicted;
	uint64_t known;		       /* those that tell whether they were mispredicted */
	uint64_t cycles, cycles_known; /* sum, and number of those that have cycles */
	uint64_t in_tx, aborts;
};

/** A straight run of code: from a branch's target to the next branch that was taken. */
struct block_stat {
	const struct event *event;
	const struct branch_place *start;
	uint64_t end; /* address of the branch that ends it, as start->address */
	uint64_t count, cycles, cycles_known; /* as of struct branch_stat */
	uint64_t all_cycles;		      /* of all runs of the event */
};

/** What became of the branch stacks of a recording's samples. */
struct branch_totals {
	uint64_t samples;     /* those with at least one branch */
	uint64_t call_stacks; /* samples whose stacks are calls, not branches that were taken */
	uint64_t entries;     /* branches; counted are those that the next three leave */
	uint64_t wrong_path;  /* speculated, never executed */
	uint64_t empty;	      /* without an address where they come from or go to */
	uint64_t beyond;      /* distinct ones beyond what fits in memory */
	uint64_t runs;	      /* pairs of branches; counted are those that the next two leave */
	uint64_t odd_runs;    /* of different mappings, backward, or too long to be straight */
	uint64_t runs_beyond; /* as @beyond */
};

/** Latencies in core cycles; those of 0 are not known. */
struct latency_stat {
	uint64_t sum, known; /* sum, and number of those that are known */
	uint64_t min, max;
	uint64_t p50, p99; /* at most an eighth away */
};

/** Accesses of a function to memory under an event that met the same. */
struct memory_stat {
	const struct event *event;
	const char *binary, *function, *filename, *build_id, *reason; /* as in function_stat */
	const char *op, *source, *snoop, *tlb, *locked; /* words (decode/answer/memoryaccess.h) */
	struct tally tally;
	struct latency_stat latency;
	uint64_t instruction_sum, instruction_known; /* latency of the whole instruction */
	uint64_t all_latency;			     /* sum of the latencies of the event */
};

/** What became of samples that tell of accesses to memory. */
struct memory_totals {
	uint64_t samples; /* those of events that record it */
	uint64_t beyond;  /* left out: distinct ones beyond what fits in memory */
};

/** Accesses of a function to an offset in a cache line. */
struct cacheline_stat {
	uint32_t data_dso;	 /* number of the dso that is mapped there */
	const char *data_binary; /* what is mapped there: a file, "[heap]", "[anon]", ... */
	uint64_t line;		 /* its address; in a file its place in it */
	bool is_private;	 /* memory of one process: */
	uint32_t pid;		 /* this one */
	uint32_t offset;	 /* bytes from the start of the line */
	const char *binary, *function, *filename, *build_id, *reason; /* as in function_stat */
	uint64_t records, loads, stores;
	uint64_t hitm_local, hitm_remote, peer; /* loads, as of enum cacheline_counter */
	uint64_t l1hit_stores, l1miss_stores, ram;
	uint64_t tids, cpus; /* numbers of different ones */
	/* Of the whole line. */
	uint64_t line_records, line_hitm; /* line_hitm: of both kinds, and peer */
	uint64_t line_offsets, line_tids;
};

/** What became of samples that tell of an address in memory. */
struct cacheline_totals {
	uint64_t samples; /* those of events that record address and data_src; of them left out: */
	uint64_t no_op;	  /* neither loads nor stores */
	uint64_t no_addr; /* without an address */
	uint64_t beyond;  /* distinct ones beyond what fits in memory */
};

/** A life of a process; a pid that is reused has several lives. */
struct process_stat {
	int64_t pid; /* -1: samples whose process is unknown */
	const char *comm;
	uint64_t nr_mmaps;
	bool has_fork, has_exit, has_ppid;
	uint64_t fork, exit; /* ns of the recording's clock */
	int64_t ppid;
	uint64_t threads;
	const char *exe;	      /* "" if unknown */
	const struct tally *by_event; /* by number of the recording's events */
	const uint32_t *events;	      /* numbers of the events that it has samples of, ascending */
	size_t nr_events;	      /* length of @events */
};

/** What an event counted on one CPU; the event's totals are the sums over its CPUs. */
struct cpu_stat {
	struct tally total;
	uint64_t lost; /* lost records: the sum of LOST */
	/* the sum of LOST_SAMPLES, without samples that a BPF filter dropped */
	uint64_t lost_samples;
	uint64_t throttled, unthrottled;
	uint32_t cpu; /* if @has_cpu; else the counts are of no CPU, or of CPUs out of range */
	bool has_cpu;
};

/** A life of a thread. */
struct thread_stat {
	int64_t pid, tid; /* both -1: samples whose process is unknown */
	uint64_t life;	  /* ordinal number, unique; of no meaning if the process is unknown */
	const char *comm;
	bool has_fork, has_exit;
	uint64_t fork, exit;	      /* ns of the recording's clock */
	const char *process_comm;     /* comm of its process: the last one */
	const char *exe;	      /* main binary; "" if unknown */
	const struct tally *by_event; /* as in struct process_stat */
	const uint32_t *events;
	size_t nr_events;
	bool has_switches; /* records tell when it ran; in ns: */
	uint64_t on_cpu, off_cpu, delay;
	uint64_t switches, preemptions;
};

/**
 * Rows that are made one at a time, because all of them may not fit in memory. They can be read
 * repeatedly, but only one row_source of a run can be read at a time.
 */
struct row_source {
	void *arg;
	/* Goes back to the first row. Returns 0, or -1 with @err filled. */
	int (*start)(void *arg, struct error *err);
	/* Fills the row (a process_stat or a thread_stat), which is valid until the next call.
	 * Returns 1, 0 at the end, -1 with @err filled. */
	int (*next)(void *arg, void *row, struct error *err);
};

struct event_stat {
	const struct event *event;
	struct tally total;
	/* records that the kernel dropped, each counted once (perffile/counts.h) */
	uint64_t dropped;
	struct tally taken; /* in the recording: @total plus the samples that a filter left out */
	const char *pmu;    /* name of the PMU of attr.type in the recording; NULL if unknown */
	/* Samples whose call chains end before the outermost function, the main reason
	 * (chain_end_word()), and what the user can do about it, part of a sentence; "" both if
	 * there are none. */
	struct tally cut;
	const char *cut_reason, *cut_advice;
	const char *chains_from; /* what its call chains were recorded from; NULL: it has none */
	/* samples whose recorded chain lacks the immediate caller: see missingcaller.h */
	struct tally caller_missing;
	const struct cpu_stat *cpus; /* ascending, then the counts without a CPU; at least one */
	size_t nr_cpus;
};

/** What an event counted in the window; members as in event_stat. */
struct window_event {
	struct tally total, taken;
};

struct split_stat;

/** The last part of a recording, up to its last sample. */
struct window_stat {
	uint64_t length;		   /* ns, as requested */
	const struct window_event *events; /* by event number */
	/* those with samples in the window: self and children are of it; in the order of all
	 * functions */
	const struct function_stat *functions;
	size_t nr_functions;
	const struct split_stat *split; /* these, split by keys; NULL: not requested */
};

/** The value of a key of --per. */
struct split_value {
	const char *text; /* "": the sample has none */
	bool is_number;	  /* @text is a decimal number */
};

/** What a function counted for one combination of the keys' values. */
struct split_row {
	const struct function_stat *function; /* with its counts in the whole recording */
	const struct split_value *values;     /* by key */
	struct tally self, children, inlined; /* those of the combination */
	uint32_t tuple;			      /* number of the combination, by first appearance */
};

/** The function of @row with the counts of the combination, without noise. */
static inline struct function_stat split_row_function(const struct split_row *row)
{
	struct function_stat function = *row->function;

	function.self = row->self;
	function.children = row->children;
	function.inlined = row->inlined;
	function.noise = function.children_noise = function.noise_df = 0;
	return function;
}

/** What a call chain counted itself for one combination of the keys' values. */
struct chain_split {
	uint32_t chain; /* number of the row of chainstat_chains */
	uint32_t tuple; /* number of the combination */
	struct tally self;
};

/** The functions, split by keys. All rows of a function add up to it. */
struct split_stat {
	const char *const *keys; /* names of the columns */
	size_t nr_keys;
	const struct split_row *rows; /* as the functions; with equal ones by tuple */
	size_t nr_rows;
	const struct split_value *values; /* of all combinations: @nr_keys for each */
	/* Of call chains, in the order of their rows; none unless those are requested. Some may
	 * have counted nothing. */
	const struct chain_split *chains;
	size_t nr_chains;
};

/** What a counter counted (perf stat record), and for how long it did. */
struct counter_value {
	uint64_t value;	  /* as read */
	uint64_t enabled; /* ns in which it was to count */
	uint64_t running; /* ns in which it did, because counters take turns */
	/* @value as it would be, had it run all the time; at most 2^64 - 1. Valid if @running is
	 * not 0. */
	uint64_t scaled;
};

/** What the values of counters are of. */
enum counter_place {
	COUNTER_OF_ALL,
	COUNTER_OF_CPU,
	COUNTER_OF_SOCKET,
	COUNTER_OF_DIE,
	COUNTER_OF_CORE,
	COUNTER_OF_THREAD,
};

/** A counter: of an event, of all threads on a CPU, or of a thread. */
struct stat_counter {
	const struct event *event;
	bool has_cpu, has_place, has_tid;
	uint32_t cpu;		    /* if @has_cpu */
	uint32_t socket, die, core; /* of the CPU, if @has_place */
	uint32_t tid;		    /* if @has_tid */
	const char *comm;	    /* of the thread; "" if unknown */
	const char *unit;	    /* of value * @scale; "" if there is none */
	double scale;
};

/** What a counter counted in an interval. */
struct counter_stat {
	struct stat_counter counter;
	bool has_time; /* the recording has the end of the interval */
	/* ns since the start: the end of the interval, and its length */
	uint64_t time, interval;
	struct counter_value counted;
};

/** What an event counted in the whole run at one place; a sum of counters. */
struct counter_total {
	struct stat_counter counter; /* only the members that @place needs are valid */
	enum counter_place place;
	struct counter_value counted;
	double metric;		 /* what follows from it and from other counters of the place */
	const char *metric_text; /* "insn per cycle"; NULL: nothing */
	bool metric_percent;	 /* @metric is in percent */
	uint64_t time;		 /* ns that the run took; 0: unknown */
	size_t nr_intervals;	 /* 1 without intervals */
};

/** A ratio of two events, of a function or of the whole run. */
struct metric_stat {
	const struct function_stat *function; /* NULL: the whole run */
	const char *name, *unit;
	bool known; /* @value, @low and @high are valid; else there are too few samples */
	double value;
	bool has_interval;
	double low, high;		     /* 95 % interval */
	bool has_numerator, has_denominator; /* else an event that it needs is missing */
	uint64_t numerator, denominator;
	/* what they count, by names of events; denominator_event may be "": ns of wall clock */
	const char *numerator_event, *denominator_event;
	uint64_t samples;
	const char *method; /* "group", "separate", "counted" */
	const char *note;   /* words separated by spaces; "" if there are none */
};

/** What a function did in a hardware trace: a process's threads together. */
struct trace_stat {
	const struct event *event;
	uint32_t pid;
	const char *comm;
	const char *binary, *function, *filename, *build_id, *reason; /* as in function_stat */
	uint32_t line;			     /* of the function's definition; 0: unknown */
	uint64_t instructions, calls, jumps; /* jumps: entries without a call */
	uint64_t ns, cycles;		     /* of its own code; valid if the trace has them */
	uint64_t all_instructions, all_ns, all_cycles; /* with those that it called */
	uint64_t nr_timed, min_ns, max_ns;	       /* entries that ended: how long they took */
	uint64_t total;				       /* instructions of all functions */
	const char *clock;			       /* as in trace_outcome */
	bool has_cycles;
};

/** What a hardware trace lacks. */
struct trace_loss_stat {
	const struct event *event;
	int64_t cpu, tid; /* -1: all */
	const char *kind;
	const char *binary; /* whose code it was; "" if none */
	uint64_t time, ip;  /* of the first; 0: unknown */
	uint64_t bytes, ns, count;
};

/** A hardware trace as a whole. */
struct trace_outcome {
	const char *decoder; /* "libipt 2.0"; NULL: there is none for it */
	const char *clock;   /* "cyc", "mtc", "tsc", "" */
	uint64_t bytes, lost_bytes;
	uint64_t undone; /* bytes that were not reached, as the user stopped it: */
	bool stopped;
	uint64_t instructions, ns, cycles; /* that count */
	uint64_t overflows, errors;
	uint64_t old_bytes; /* of ETMv3 and PTM, which are lost */
	bool unknown_cpu;   /* the decoder does not know the CPU: it works as for any */
	bool has_cycles;
};

/** Operations of a process in a function that the processor has sampled itself. */
struct spe_stat {
	const struct event *event; /* what they did */
	uint32_t pid;		   /* UINT32_MAX: unknown */
	const char *comm;
	const char *binary, *function, *filename, *build_id, *reason; /* as in function_stat */
	uint32_t line;		 /* of the function's definition; 0: unknown */
	uint64_t records, total; /* total: of the event */
	uint64_t interval;	 /* operations that each stands for; 0: unknown */
	/* Cycles: whole, until it was issued, of the address; and how many tell of them. */
	uint64_t latency[3], known[3];
};

/** Operations of the processor's own samples, as a whole. */
struct operation_outcome {
	uint64_t bytes, lost_bytes;
	uint64_t undone; /* bytes that were not reached, as the user stopped it: */
	bool stopped;
	uint64_t records; /* that were decoded */
	uint64_t chosen;  /* of these: those that pass the filters */
	uint64_t threadless, timeless, repeated, collisions; /* as in struct spe_totals */
	const char *filters; /* which operations alone were recorded; "": all */
	bool is_old;	     /* the recording does not tell of CPUs */
};

/**
 * What a hardware trace executed, as an event of its own. Each instruction is a sample of period 1,
 * but none of a SAMPLE record: no sum of the results has them.
 */
struct trace_profile {
	struct event_stat stat;		       /* its number is that behind all others */
	const struct function_stat *functions; /* as those of the results; not in their array */
	size_t nr_functions;
	const struct path_stat *paths; /* as pathstat_paths; if tracestat_profile is needed */
	size_t nr_paths;
	const struct call_stat *calls; /* as pathstat_calls; the same */
	size_t nr_calls;
};

/** A row of stat.csv. */
struct record_stat {
	const char *record; /* "MMAP2", "UNKNOWN_200", "[lost]" */
	uint64_t count;
};

/** A recording as a whole: the row of run.csv. Texts are "" if they are unknown. */
struct run_stat {
	const char *host, *command, *kernel, *machine, *cpu, *perf;
	uint64_t cpus;	      /* number of those online; 0 if unknown */
	bool timed;	      /* @duration is known */
	uint64_t duration;    /* ns from the first sample to the last */
	uint64_t start;	      /* ns since 1970 of the first sample, if @start_by is not "" */
	const char *start_by; /* what tells @start: "clock" of the recording, time of the "file" */
	uint64_t lost, damaged, truncated_bytes; /* see struct perffile_counts */
};

/** Rows of one type: an array, or a row_source if @source.start is set. */
struct rows {
	const void *first;
	size_t nr;
	struct row_source source;
};

struct aggregate;
struct code;

/** An answer to request beside events and functions: the rows @number of the aggregate @by. */
struct answer {
	const struct aggregate *by; /* NULL: no aggregate is needed */
	unsigned number;
};

/* The comments give their row type and order, and which of them are row sources. */
extern const struct answer answer_core;	       /* events and functions only */
extern const struct answer recordstat_records; /* record_stat; by type, ascending */
/* const char *, by event: the name that its CPU's vendor has for its code; "" if unknown */
extern const struct answer eventmeaning_names;
extern const struct answer headerstat_facts;	/* fact */
extern const struct answer runstat_run;		/* run_stat, one row */
extern const struct answer binarystat_binaries; /* binary_stat; by event, period, name */
extern const struct answer processstat_lives;	/* process_stat, row source; by pid, life */
/* thread_stat, row source; by process, tid, life */
extern const struct answer processstat_thread_lives;
extern const struct answer linestat_lines;     /* line_stat; in the order of functions */
extern const struct answer linestat_addresses; /* address_stat; by event, binary, address */
/* the same, with their instructions; with the code of functions that have many samples */
extern const struct answer linestat_instructions, linestat_code;
extern const struct answer sourcestat_texts;   /* source_stat; by file and line */
extern const struct answer counterstat_counts; /* counter_stat, row source; as recorded */
extern const struct answer counterstat_totals; /* counter_total; by place, then event */
extern const struct answer metricstat_metrics; /* metric_stat; by metric, then denominator */
/* path_stat; by event, then callers before callees, then by period */
extern const struct answer pathstat_paths;
extern const struct answer pathstat_cells;   /* path_cell; by path, thread, slice */
extern const struct answer pathstat_slices;  /* path_slices, one row, if cells are needed, too */
extern const struct answer chainstat_places; /* place_stat; each has its number */
/* chain_stat, row source; callers first, equal chains may have several rows */
extern const struct answer chainstat_chains;
/* sample_stat, row source; by thread, time, order in the recording */
extern const struct answer chainstat_samples;
extern const struct answer timelinestat_parts; /* timeline_part; by event, time */
extern const struct answer pathstat_calls;     /* call_stat; by event, period, names */
/* focus_stat; by event, period of the function, then as paths */
extern const struct answer focusstat_callers; /* of the functions that were asked for */
extern const struct answer focusstat_callees; /* what these called */

extern const struct answer branchstat_branches; /* branch_stat; by event, count, places */
extern const struct answer branchstat_blocks;	/* block_stat; by event, cycles, count, place */
extern const struct answer memorystat_accesses; /* memory_stat; by event, latency, samples */
/* cacheline_stat; by line_hitm and line_records, then line, offset, records */
extern const struct answer cachelinestat_accesses;
/* offcpu_stat; by wait, then children_wait, descending, then pid, names */
extern const struct answer offcpustat_waits;
extern const struct answer syscallstat_calls; /* syscall_stat; by total, count, then pid, names */
/* trace_stat; by event, instructions, then pid, names */
extern const struct answer tracestat_functions;
/* no rows: struct results has it */
extern const struct answer tracestat_profile;
extern const struct answer tracestat_losses;  /* trace_loss_stat; by kind, then cpu, tid, binary */
extern const struct answer spestat_functions; /* spe_stat; by event, records, then names */
extern const struct answer slicestat_slices;  /* slice_stat; by event, start, then names */

enum { ANSWERS_MAX = 64 };

/** The answers that a run must make, each once. All zero is empty. */
struct needs {
	const struct answer *list[ANSWERS_MAX];
	size_t nr;
};

/** Adds @answer unless it is already there. */
static inline void needs_add(struct needs *needs, const struct answer *answer)
{
	for (size_t i = 0; i < needs->nr; i++)
		if (needs->list[i] == answer)
			return;
	if (answer->by && needs->nr < ANSWERS_MAX)
		needs->list[needs->nr++] = answer;
}

static inline bool needs_have(const struct needs *needs, const struct answer *answer)
{
	for (size_t i = 0; i < needs->nr; i++)
		if (needs->list[i] == answer)
			return true;
	return false;
}

/** An answer, and its rows. */
struct answered {
	const struct answer *answer;
	struct rows rows;
};

struct results {
	const struct event_stat *events; /* in the order of the file */
	size_t nr_events;
	/* numbers of the events with samples; of the first event if none has */
	const uint32_t *sampled;
	size_t nr_sampled;
	const struct function_stat *functions; /* by event, then period descending, then name */
	size_t nr_functions;
	const struct window_stat *window; /* NULL: not requested, or no sample has a time */
	const struct split_stat *split;	  /* NULL: not requested */
	bool inlined;			  /* samples count for the innermost inlined function */
	/* Set by binarystat, if binaries were requested. */
	/* For each of the worst causes, the event with the most samples without a name; none if
	 * nearly all samples have one. */
	const struct unnamed_stat *unnamed;
	size_t nr_unnamed;
	/* Samples that have names, but are in binaries without debugging information; NULL if they
	 * are few, or neither lines nor inlined functions were requested. */
	const struct unnamed_stat *unlined;
	/* Samples that have names, in binaries that may not be the recorded ones; NULL: none. */
	const struct unnamed_stat *doubted;
	/* Set by linestat, with its lines and instructions; NULL: all have texts. */
	const struct textless_stat *no_source, *no_instruction;
	const struct branch_totals *branches;	   /* set by branchstat; NULL if nothing needs it */
	const struct memory_totals *memory;	   /* set by memorystat; NULL if nothing needs it */
	const struct cacheline_totals *cachelines; /* set by cachelinestat; NULL as above */
	/* What the waits and the times of threads lack; NULL if they were not requested, or if no
	 * record tells of any. */
	const struct offcpu_gaps *switch_gaps;
	bool switchless; /* waits were requested, and no record tells of any; set by offcpustat */
	const struct syscall_totals *syscalls; /* set by syscallstat; NULL as above */
	/* Set by tracestat; NULL if nothing needs it, or before the end. */
	const struct trace_outcome *trace;
	const struct operation_outcome *operations; /* NULL if none were decoded */
	const uint64_t *spe_beyond; /* operations beyond what fits in memory; set by spestat */
	const struct trace_profile *traced; /* NULL: nothing was decoded */
	uint64_t nr_sliceless;		    /* samples that are in no slice, as they have no time */
	/* the other answers; ends with one whose answer is NULL */
	struct answered answered[ANSWERS_MAX];
	bool window_untimed;	 /* there is no window, because no sample has a time */
	size_t nr_untimed_dumps; /* jitdumps whose clock is not the recording's */
	bool filtered;		 /* a filter is set: rows without chosen samples were left out */
	/* What a filter checks and no sample has, and perf record's option for it; NULL: none. */
	const char *lacks, *lacks_how;
	/* the same of the first key of --per that no sample has, and that key */
	const char *per_lacks, *per_lacks_how, *per_lacking;
};

/**
 * Number of the events that call paths may be of: those that were sampled, then that of a hardware
 * trace of which something was decoded; the first event is none of them if it stands for no sample
 * and there is a trace.
 */
static inline size_t results_nr_walked(const struct results *results)
{
	if (!results->traced)
		return results->nr_sampled;
	if (results->nr_sampled == 1 && !results->events[results->sampled[0]].total.samples)
		return 1;
	return results->nr_sampled + (results->traced->stat.total.samples != 0);
}

/** The @number-th of these events. */
static inline const struct event_stat *results_walked(const struct results *results, size_t number)
{
	const struct event_stat *sampled;

	if (number == results->nr_sampled)
		return &results->traced->stat;
	sampled = &results->events[results->sampled[number]];
	if (results->traced && results->nr_sampled == 1 && !sampled->total.samples)
		return &results->traced->stat;
	return sampled;
}

/**
 * Whether nothing was counted in the function or below it: an address of it was only on chains
 * that a filter or the unwinding left out, or only code inlined into it was sampled.
 */
static inline bool results_is_uncounted(const struct function_stat *function)
{
	return !function->self.samples && !function->self.period && !function->children.samples &&
	       !function->children.period;
}

/** Compares the functions of two rows as results.csv is sorted where periods are alike. */
static inline int results_compare_names(const struct function_stat *a,
					const struct function_stat *b)
{
	int order;

	if ((order = strcmp(a->function, b->function)) != 0)
		return order;
	if ((order = strcmp(a->binary, b->binary)) != 0)
		return order;
	if ((order = strcmp(a->filename, b->filename)) != 0)
		return order;
	if ((order = strcmp(a->build_id, b->build_id)) != 0)
		return order;
	return strcmp(a->reason, b->reason);
}

/** @answer and its rows; NULL if it was not requested. */
static inline const struct answered *results_find(const struct results *results,
						  const struct answer *answer)
{
	for (size_t i = 0; i < ANSWERS_MAX && results->answered[i].answer; i++)
		if (results->answered[i].answer == answer)
			return &results->answered[i];
	return NULL;
}

/** The rows of @answer; empty if it was not requested. */
static inline struct rows results_rows(const struct results *results, const struct answer *answer)
{
	const struct answered *answered = results_find(results, answer);

	return answered ? answered->rows : (struct rows){0};
}

#endif
