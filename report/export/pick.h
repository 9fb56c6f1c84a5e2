/* Which functions of a comparison are told, in which order, and by which names. */
#ifndef READPERF_REPORT_EXPORT_PICK_H
#define READPERF_REPORT_EXPORT_PICK_H

#include "report/export/export.h"

#include <stdbool.h>
#include <stddef.h>

struct picked {
	const struct diff_row *row;
	const char *binary; /* its base name without version */
	bool fails;	    /* pick_row_fails() */
	bool shares_name;   /* with another function of the event, in a binary of the same name */
	double weight;	    /* what it counts in the order */
};

enum pick_order {
	PICK_FAILING, /* those alone that fail, in the comparison's order */
	PICK_LARGER,  /* those that fail, then those with the larger value on either side */
	PICK_NEW,     /* by the new side's value, those without one left out */
};

/** Whether it is what a gate stops; where there is none, whether it takes more. */
bool pick_row_fails(const struct export_settings *settings, const struct diff_row *row);
bool pick_total_fails(const struct export_view *view, const struct diff_event *event);

/** The verdict on the whole of @event: none of shares, which are 100 % in all. */
enum verdict pick_total_verdict(const struct export_view *view, const struct diff_event *event);

/** Whether anything is gated: what fails is an error then, and else a warning. */
bool pick_is_gated(const struct export_settings *settings);

struct picks {
	struct picked *rows;
	size_t nr;
	char *binaries; /* what their names stand in */
};

/**
 * The first functions of @event in @order, at most @max. Returns false if memory is out: then
 * @view's file has failed. pick_free() is due in both cases.
 */
bool pick_rows(struct picks *picks, const struct export_view *view, const struct diff_event *event,
	       enum pick_order order, size_t max);

void pick_free(struct picks *picks);

/**
 * What a function is called that no other of the comparison is, and the same from one comparison to
 * the next: event, function and the binary without its version, as on a terminal.
 *
 * @return the name, to be freed; NULL if memory is out: then @view's file has failed.
 */
char *pick_name(const struct export_view *view, const struct picked *picked);

enum { PICK_FINGERPRINT = 17 };

/** Writes a short sign of @name: 16 digits and a NUL, the same in each run and on each machine. */
void pick_fingerprint(char to[PICK_FINGERPRINT], const char *name);

/** Memory is out: @view's file has failed. */
void pick_nomem(const struct export_view *view);

#endif
