/* Picks the functions of a comparison to report, their order, and their names. */
#ifndef READPERF_REPORT_EXPORT_PICK_H
#define READPERF_REPORT_EXPORT_PICK_H

#include "report/export/export.h"

#include <stdbool.h>
#include <stddef.h>

struct picked {
	const struct diff_row *row;
	const char *binary; /* its base name without version */
	bool fails;	    /* the result of pick_row_fails() */
	/* another function of the event has the same name, in a binary of the same name */
	bool shares_name;
	double weight; /* sort key of the order */
};

enum pick_order {
	PICK_FAILING, /* only those that fail, in the comparison's order */
	PICK_LARGER,  /* those that fail first, then by the larger value of both sides */
	PICK_NEW,     /* by the new side's value; without those whose value is 0 */
};

/** Whether a gate stops the function; without a gate, whether it increased. */
bool pick_row_fails(const struct export_settings *settings, const struct diff_row *row);
bool pick_total_fails(const struct export_view *view, const struct diff_event *event);

/** The verdict on the total of @event; VERDICT_UNSURE for shares, whose total cannot change. */
enum verdict pick_total_verdict(const struct export_view *view, const struct diff_event *event);

/** Whether there is a gate: failures are then errors, else warnings. */
bool pick_is_gated(const struct export_settings *settings);

struct picks {
	struct picked *rows;
	size_t nr;
	char *binaries; /* buffer of their binaries' names */
};

/**
 * Picks the first functions of @event in @order, at most @max. Returns false if memory is out, with
 * the error set on @view's file. Call pick_free() even then.
 */
bool pick_rows(struct picks *picks, const struct export_view *view, const struct diff_event *event,
	       enum pick_order order, size_t max);

void pick_free(struct picks *picks);

/**
 * The name of a function that is unique in the comparison and the same in later comparisons: event,
 * function and the binary without its version, as shown on a terminal.
 *
 * @return the name, which the caller frees; NULL if memory is out, with the error set on @view's
 * file.
 */
char *pick_name(const struct export_view *view, const struct picked *picked);

enum { PICK_FINGERPRINT = 17 };

/** Writes a fingerprint of @name: 16 digits and a NUL, the same in each run and on each machine. */
void pick_fingerprint(char to[PICK_FINGERPRINT], const char *name);

/** Sets an out of memory error on @view's file. */
void pick_nomem(const struct export_view *view);

#endif
