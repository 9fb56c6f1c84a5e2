/* One event of the page: its rows among the results, and what is made of them. */
#ifndef READPERF_REPORT_EXPORT_PAGEEVENT_H
#define READPERF_REPORT_EXPORT_PAGEEVENT_H

#include "decode/results.h"
#include "report/export/pagecells.h"
#include "report/export/pagefunctions.h"
#include "report/export/pagethreads.h"
#include "report/export/pagetree.h"

#include <stdbool.h>
#include <stddef.h>

/** What the page has of an event. Rows are borrowed from the results. */
struct page_event {
	const struct event_stat *stat;
	bool traced; /* of a hardware trace: of functions and paths only */
	const struct function_stat *functions;
	size_t nr_functions;
	struct pagefunctions order; /* of the functions */
	const struct path_stat *paths;
	size_t nr_paths;
	const struct address_stat *addresses;
	size_t nr_addresses;
	const struct timeline_part *parts;
	size_t nr_parts;
	const struct path_cell *cells;
	size_t nr_cells;
	bool has_sums; /* of functions; else the tree tells them */
	struct pagetree tree;
	struct pagethreads threads;
	struct pagecells packed_cells;
};

/** Sets @event to event @number (results_walked()) with its rows; nothing is made of them yet. */
void pageevent_find(struct page_event *event, const struct results *results, size_t number);

/** Frees what was made. */
void pageevent_free(struct page_event *event);

#endif
