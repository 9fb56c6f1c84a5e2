#include "report/export/pageevent.h"

/* Functions, paths and addresses of an event stand together, in the order of their numbers. */
static void find_functions(struct page_event *event, const struct results *results)
{
	size_t first = 0;

	while (first < results->nr_functions &&
	       results->functions[first].event != event->stat->event)
		first++;
	event->functions = results->functions + first;
	while (first + event->nr_functions < results->nr_functions &&
	       event->functions[event->nr_functions].event == event->stat->event)
		event->nr_functions++;
}

static void find_paths(struct page_event *event, const struct rows *rows)
{
	const struct path_stat *paths = rows->first;
	size_t first = 0;

	while (first < rows->nr && paths[first].function->event != event->stat->event)
		first++;
	event->paths = rows->nr ? paths + first : NULL;
	while (first + event->nr_paths < rows->nr &&
	       event->paths[event->nr_paths].function->event == event->stat->event)
		event->nr_paths++;
}

static void find_addresses(struct page_event *event, const struct rows *rows)
{
	const struct address_stat *addresses = rows->first;
	size_t first = 0;

	while (first < rows->nr && addresses[first].event != event->stat->event)
		first++;
	event->addresses = rows->nr ? addresses + first : NULL;
	while (first + event->nr_addresses < rows->nr &&
	       event->addresses[event->nr_addresses].event == event->stat->event)
		event->nr_addresses++;
}

static void find_parts(struct page_event *event, const struct rows *rows)
{
	const struct timeline_part *parts = rows->first;
	size_t first = 0;

	while (first < rows->nr && parts[first].event != event->stat->event)
		first++;
	event->parts = rows->nr ? parts + first : NULL;
	while (first + event->nr_parts < rows->nr &&
	       event->parts[event->nr_parts].event == event->stat->event)
		event->nr_parts++;
}

static void find_cells(struct page_event *event, const struct results *results)
{
	const struct rows paths = results_rows(results, &pathstat_paths);
	const struct rows rows = results_rows(results, &pathstat_cells);
	const struct path_cell *cells = rows.first;
	const size_t first_path = (size_t)(event->paths - (const struct path_stat *)paths.first);
	size_t first = 0;

	while (first < rows.nr && cells[first].path < first_path)
		first++;
	event->cells = cells + first;
	while (first + event->nr_cells < rows.nr &&
	       event->cells[event->nr_cells].path < first_path + event->nr_paths)
		event->nr_cells++;
}

static void find_traced(struct page_event *event, const struct trace_profile *traced)
{
	event->traced = true;
	event->functions = traced->functions;
	event->nr_functions = traced->nr_functions;
	event->paths = traced->paths;
	event->nr_paths = traced->nr_paths;
}

void pageevent_find(struct page_event *event, const struct results *results, size_t number)
{
	const struct rows paths = results_rows(results, &pathstat_paths);
	const struct rows addresses = results_rows(results, &linestat_addresses);
	const struct rows parts = results_rows(results, &timelinestat_parts);

	*event = (struct page_event){.stat = results_walked(results, number)};
	if (results->traced && event->stat == &results->traced->stat) {
		find_traced(event, results->traced);
		return;
	}
	find_functions(event, results);
	find_paths(event, &paths);
	find_addresses(event, &addresses);
	find_parts(event, &parts);
	if (event->nr_paths)
		find_cells(event, results);
}

void pageevent_free(struct page_event *event)
{
	pagefunctions_free(&event->order);
	pagetree_free(&event->tree);
	pagethreads_free(&event->threads);
	pagecells_free(&event->packed_cells);
}
