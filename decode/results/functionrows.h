/*
 * Functions, source lines and addresses, and what was counted in them.
 */
#ifndef READPERF_DECODE_RESULTS_FUNCTIONROWS_H
#define READPERF_DECODE_RESULTS_FUNCTIONROWS_H

#include "decode/count/tally.h"
#include "perffile/event.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct code;

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

#endif
