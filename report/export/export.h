/*
 * The door of report/export/: a comparison in the forms that other programs read.
 *
 * A form is a file with one function that writes it; export.c lists them.
 */
#ifndef READPERF_REPORT_EXPORT_EXPORT_H
#define READPERF_REPORT_EXPORT_EXPORT_H

#include "decode/compare/diff.h"
#include "util/error.h"
#include "util/outfile.h"

#include <stddef.h>

/** How a comparison is exported; all of it is borrowed. */
struct export_settings {
	unsigned chosen;	     /* bit by place in export_forms */
	const char *sides[2];	     /* what the old and the new side are called */
	const char *const *prefixes; /* source files below these directories lose them */
	size_t nr_prefixes;
	const struct diff_gate *gate; /* of functions; NULL: none */
	const double *total_percent; /* the gate of the whole, for diff_total_fails(); NULL: none */
};

/** What a form is made of, and where it goes. What cannot be made is said by outfile_fail(). */
struct export_view {
	const struct diff *diff;
	const struct export_settings *settings;
	struct outfile *out;
};

struct export_form {
	const char *name; /* as --export names it */
	const char *file; /* what it is called in the output directory */
	void (*write)(const struct export_view *view);
};

enum { NR_EXPORTS = 7 };
extern const struct export_form export_forms[NR_EXPORTS];

/**
 * Adds the forms that @list names, words with commas, to *@chosen.
 *
 * @return 0, or -1 with @err filled (ERROR_USAGE).
 */
int export_parse(const char *list, unsigned *chosen, struct error *err);

#endif
