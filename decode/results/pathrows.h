/*
 * Calls: paths of functions, chains of addresses, and calls around a function.
 */
#ifndef READPERF_DECODE_RESULTS_PATHROWS_H
#define READPERF_DECODE_RESULTS_PATHROWS_H

#include "decode/results/functionrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
