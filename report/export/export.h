/*
 * Public interface of report/export/: writes a comparison in forms for other programs.
 *
 * Each form is a file with one function that writes it; export.c lists them.
 */
#ifndef READPERF_REPORT_EXPORT_EXPORT_H
#define READPERF_REPORT_EXPORT_EXPORT_H

#include "decode/compare/diff.h"
#include "report/export/ownfile.h"
#include "util/error.h"
#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The settings of an export; all pointers are borrowed. */
struct export_settings {
	unsigned chosen;      /* one bit for each form, by index in export_forms */
	const char *sides[2]; /* names of the old and the new side */
	/* directories that are removed from the paths of source files below them */
	const char *const *prefixes;
	size_t nr_prefixes;
	const struct diff_gate *gate; /* the gate for functions; NULL: none */
	/* the gate for the total, for diff_total_fails(); NULL: none */
	const double *total_percent;
	bool raw;	     /* tables made of a file are without the guard against formulas */
	uint64_t html_bytes; /* what a page may have */
};

/**
 * The input of a form, and the file it is written to. A form reports errors with outfile_fail().
 */
struct export_view {
	const struct diff *diff;
	const struct export_settings *settings;
	struct outfile *out;
};

struct export_form {
	const char *name; /* its word for --export */
	const char *file; /* its file name in the output directory */
	struct ownfile_mark mark;
	void (*write)(const struct export_view *view);
	bool paths; /* it shows diff->paths, if there are any */
};

enum { NR_EXPORTS = 8 };
extern const struct export_form export_forms[NR_EXPORTS];

/**
 * Adds the forms in the comma-separated @list to *@chosen.
 *
 * @return 0, or -1 with @err filled (ERROR_USAGE).
 */
int export_parse(const char *list, unsigned *chosen, struct error *err);

/** Whether one of the @chosen forms shows call paths. */
bool export_needs_paths(unsigned chosen);

#endif
