#include "report/export/pageevent.h"

typedef const struct event *event_of(const void *rows, size_t number);

static const struct event *event_of_function(const void *rows, size_t number)
{
	return ((const struct function_stat *)rows)[number].event;
}

static const struct event *event_of_path(const void *rows, size_t number)
{
	return ((const struct path_stat *)rows)[number].function->event;
}

static const struct event *event_of_address(const void *rows, size_t number)
{
	return ((const struct address_stat *)rows)[number].event;
}

static const struct event *event_of_part(const void *rows, size_t number)
{
	return ((const struct timeline_part *)rows)[number].event;
}

/* The number of the first of @rows that are of @event, and how many: they stand together. */
static size_t find(const struct page_event *event, const struct rows *rows, event_of *of,
		   size_t *nr)
{
	size_t first = 0, end;

	while (first < rows->nr && of(rows->first, first) != event->stat->event)
		first++;
	for (end = first; end < rows->nr && of(rows->first, end) == event->stat->event;)
		end++;
	*nr = end - first;
	return first;
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
	const struct rows functions = {.first = results->functions, .nr = results->nr_functions};
	size_t first;

	*event = (struct page_event){.stat = results_walked(results, number)};
	if (results->traced && event->stat == &results->traced->stat) {
		find_traced(event, results->traced);
		return;
	}
	event->functions = results->functions +
			   find(event, &functions, event_of_function, &event->nr_functions);
	first = find(event, &paths, event_of_path, &event->nr_paths);
	event->paths = paths.nr ? (const struct path_stat *)paths.first + first : NULL;
	first = find(event, &addresses, event_of_address, &event->nr_addresses);
	event->addresses =
		addresses.nr ? (const struct address_stat *)addresses.first + first : NULL;
	first = find(event, &parts, event_of_part, &event->nr_parts);
	event->parts = parts.nr ? (const struct timeline_part *)parts.first + first : NULL;
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
