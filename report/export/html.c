/* One page for a browser, with everything in it: report/html/ has its source. */
#include "report/export/pagecells.h"
#include "report/export/pagecode.h"
#include "report/export/pagelines.h"
#include "report/export/pagenumbers.h"
#include "report/export/pagesource.h"
#include "report/export/pagethreads.h"
#include "report/export/pagetree.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "util/intern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The page in the making. Its texts are numbered: the data refer to them by number. */
struct html_page {
	const struct runexport_view *view;
	const struct results *results;
	struct outfile *out;
	struct intern strings;
	size_t nr_written; /* of the strings */
	bool failed;	   /* memory is out */
};

/* One event, and what the page has of it. */
struct page_event {
	const struct event_stat *stat;
	const struct function_stat *functions;
	size_t nr_functions;
	const struct path_stat *paths;
	size_t nr_paths;
	const struct address_stat *addresses;
	size_t nr_addresses;
	const struct timeline_part *parts;
	size_t nr_parts;
	const struct path_cell *cells;
	size_t nr_cells;
	struct pagetree tree;
	struct pagethreads threads;
	struct pagecells packed_cells;
};

static uint32_t string_of(struct html_page *page, const char *text)
{
	const uint32_t number = intern_string(&page->strings, text);

	page->failed |= number == INTERN_NOMEM;
	return number;
}

/* ---- the run as JSON: numbers and the numbers of strings, nothing to be escaped -------------- */

static void put_number(struct html_page *page, const char *key, uint64_t number)
{
	char text[64];

	snprintf(text, sizeof(text), ",\"%s\":%" PRIu64, key, number);
	outfile_string(page->out, text);
}

/* In quotes: numbers of JavaScript have 53 bits. */
static void put_sum(struct html_page *page, const char *key, uint64_t number)
{
	char text[64];

	snprintf(text, sizeof(text), ",\"%s\":\"%" PRIu64 "\"", key, number);
	outfile_string(page->out, text);
}

static void put_string(struct html_page *page, const char *key, const char *string)
{
	put_number(page, key, string_of(page, string));
}

/* What is said of the recording: those facts that tell runs apart, not the tables among them. */
static bool is_shown(const char *key)
{
	static const char *const tables[] = {
		"build_id.",	 "event_desc.",	   "cpu_topology.",    "pmu_mappings.",
		"cache.",	 "numa_topology.", "group_desc.",      "bpf_",
		"cpu_pmu_caps.", "pmu_caps.",	   "hybrid_topology.", "mem_topology."};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (strncmp(key, tables[i], strlen(tables[i])) == 0)
			return false;
	return true;
}

static void put_facts(struct html_page *page)
{
	const struct rows rows = results_rows(page->results, &headerstat_facts);
	const struct fact *facts = rows.first;
	const char *separator = "";

	outfile_string(page->out, ",\"facts\":[");
	for (size_t i = 0; i < rows.nr; i++) {
		char text[64];

		if (!is_shown(facts[i].key))
			continue;
		snprintf(text, sizeof(text), "%s%" PRIu32 ",%" PRIu32, separator,
			 string_of(page, facts[i].key), string_of(page, facts[i].value));
		outfile_string(page->out, text);
		separator = ",";
	}
	outfile_string(page->out, "]");
}

static void put_words(struct html_page *page, const struct pagetree *tree)
{
	outfile_string(page->out, ",\"words\":[");
	for (size_t i = 0; i < tree->nr_words; i++) {
		char text[32];

		snprintf(text, sizeof(text), "%s%" PRIu32, i ? "," : "",
			 string_of(page, tree->words[i]));
		outfile_string(page->out, text);
	}
	outfile_string(page->out, "]");
}

static void put_event(struct html_page *page, const struct page_event *event)
{
	const struct event_stat *stat = event->stat;
	char text[64];

	snprintf(text, sizeof(text), "{\"name\":%" PRIu32, string_of(page, stat->event->name));
	outfile_string(page->out, text);
	put_sum(page, "samples", stat->total.samples);
	put_sum(page, "period", stat->total.period);
	put_sum(page, "lost", stat->dropped);
	put_number(page, "time", stat->event->is_time);
	put_number(page, "chains", stat->event->chains);
	put_sum(page, "cutSamples", stat->cut.samples);
	put_sum(page, "cutPeriod", stat->cut.period);
	put_string(page, "cutReason", stat->cut_reason);
	put_string(page, "cutAdvice", stat->cut_advice);
	put_sum(page, "callerMissing", stat->caller_missing.period);
	put_number(page, "functions", event->nr_functions);
	put_number(page, "paths", event->nr_paths);
	put_number(page, "frames", event->tree.nr_frames);
	put_number(page, "nodes", event->tree.nodes);
	put_number(page, "folded", event->tree.folded);
	put_sum(page, "quotient", event->tree.quotient);
	put_number(page, "parts", event->nr_parts);
	put_sum(page, "partStart", event->nr_parts ? event->parts->start : 0);
	put_sum(page, "partLength", event->nr_parts ? event->parts->length : 0);
	put_number(page, "threads", event->threads.nr);
	put_number(page, "otherThreads", event->threads.nr_others);
	put_number(page, "cells", event->packed_cells.nr);
	put_number(page, "cellThreads", event->packed_cells.slices.threads);
	put_number(page, "slices", event->packed_cells.slices.nr);
	put_sum(page, "sliceStart", event->packed_cells.slices.start);
	put_sum(page, "sliceLength", event->packed_cells.slices.length);
	put_words(page, &event->tree);
	outfile_string(page->out, "}");
}

static void put_run(struct html_page *page, const struct page_event *events, size_t nr)
{
	char text[64];

	outfile_string(page->out, "<script type=\"application/json\" id=\"run\">");
	snprintf(text, sizeof(text), "{\"version\":%" PRIu32, string_of(page, READPERF_VERSION));
	outfile_string(page->out, text);
	put_number(page, "raw", page->view->settings->raw);
	put_number(page, "inlined", page->results->inlined);
	put_number(page, "filtered", page->results->filtered);
	put_facts(page);
	outfile_string(page->out, ",\"events\":[\n");
	for (size_t i = 0; i < nr; i++) {
		if (i)
			outfile_string(page->out, ",\n");
		put_event(page, &events[i]);
	}
	outfile_string(page->out, "]}</script>\n");
}

/* ---- packed data ----------------------------------------------------------------------------- */

static void put_names(struct html_page *page, struct pagenumbers *packed,
		      const struct page_event *event)
{
	const struct function_stat *functions = event->functions;
	const size_t nr = event->nr_functions;

	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, string_of(page, functions[i].function));
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, string_of(page, functions[i].binary));
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, string_of(page, functions[i].filename));
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, string_of(page, functions[i].build_id));
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, string_of(page, functions[i].reason));
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[i].line);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[i].size);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, (uint64_t)functions[i].code);
}

static void put_sums(struct pagenumbers *packed, const struct page_event *event)
{
	const struct function_stat *functions = event->functions;
	const size_t nr = event->nr_functions;

	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[i].self.samples);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[i].self.period);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[i].children.samples);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[i].children.period);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[i].inlined.samples);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, functions[i].inlined.period);
}

/* Writes what was packed under the name of @what and @number, and frees it. */
static void write_packed(struct html_page *page, struct pagenumbers *packed, const char *what,
			 size_t number)
{
	char id[64];

	snprintf(id, sizeof(id), "%s%zu", what, number);
	if (!page->failed && pagenumbers_end(packed))
		pagenumbers_write(packed, id, page->out);
	else
		page->failed = true;
	pagenumbers_free(packed);
}

/* The table of functions: a column after the other, in the order of results.csv. */
static void write_functions(struct html_page *page, const struct page_event *event, size_t number)
{
	struct pagenumbers packed;

	if (!pagenumbers_start(&packed, SIZE_MAX, true)) {
		page->failed = true;
		return;
	}
	put_names(page, &packed, event);
	put_sums(&packed, event);
	write_packed(page, &packed, "functions", number);
}

static void write_lines(struct html_page *page, const struct page_event *event, size_t number)
{
	struct pagenumbers packed;

	if (!pagenumbers_start(&packed, SIZE_MAX, true)) {
		page->failed = true;
		return;
	}
	page->failed |= !pagelines_put(&packed, &page->strings, event->addresses,
				       event->nr_addresses, event->functions);
	write_packed(page, &packed, "lines", number);
}

/* ---- source and assembly --------------------------------------------------------------------- */

static void write_spots(struct html_page *page, const struct pagecode *codes,
			const struct page_event *event, size_t number)
{
	struct pagenumbers packed;

	if (!pagenumbers_start(&packed, SIZE_MAX, true)) {
		page->failed = true;
		return;
	}
	page->failed |=
		!pagecode_put_spots(codes, &packed, &page->strings, event->addresses,
				    event->nr_addresses, event->functions, event->nr_functions);
	write_packed(page, &packed, "spots", number);
}

static void write_sources(struct html_page *page)
{
	const struct rows texts = results_rows(page->results, &sourcestat_texts);
	const uint64_t room = page->view->settings->html_bytes / 8;
	struct pagenumbers packed;

	if (!pagenumbers_start(&packed, SIZE_MAX, true)) {
		page->failed = true;
		return;
	}
	page->failed |= !pagecode_put_sources(&packed, &page->strings, texts.first, texts.nr, room);
	write_packed(page, &packed, "sources", 0);
}

static void write_instructions(struct html_page *page, const struct pagecode *codes)
{
	struct pagenumbers packed;

	if (!pagenumbers_start(&packed, SIZE_MAX, true)) {
		page->failed = true;
		return;
	}
	page->failed |= !pagecode_put(codes, &packed, &page->strings);
	write_packed(page, &packed, "code", 0);
}

/* Source and assembly of the @nr @events: each may fill its part of a quarter of the page. */
static void write_code(struct html_page *page, const struct page_event *events, size_t nr)
{
	struct pagecode codes = {0};

	for (size_t i = 0; i < nr; i++)
		page->failed |=
			!pagecode_choose(&codes, events[i].addresses, events[i].nr_addresses,
					 page->view->settings->html_bytes / 4 / nr);
	for (size_t i = 0; i < nr; i++)
		write_spots(page, &codes, &events[i], i);
	write_instructions(page, &codes);
	write_sources(page);
	pagecode_free(&codes);
}

/* The samples of each part of the time. */
static void write_timeline(struct html_page *page, const struct page_event *event, size_t number)
{
	struct pagenumbers packed;

	if (!pagenumbers_start(&packed, SIZE_MAX, false)) {
		page->failed = true;
		return;
	}
	for (size_t i = 0; i < event->nr_parts; i++)
		pagenumbers_put(&packed, event->parts[i].samples);
	write_packed(page, &packed, "timeline", number);
}

static int write_threads(struct html_page *page, struct page_event *event, size_t number,
			 struct error *err)
{
	const struct rows rows = results_rows(page->results, &processstat_thread_lives);
	struct pagenumbers packed;

	if (pagethreads_make(&event->threads, &rows.source, page->results->sampled[number],
			     &page->strings, err) < 0)
		return -1;
	if (!pagenumbers_start(&packed, SIZE_MAX, true)) {
		page->failed = true;
		return 0;
	}
	pagethreads_put(&event->threads, &packed);
	write_packed(page, &packed, "threads", number);
	return 0;
}

/* The strings that are not written yet in the order of their numbers, each with its NUL. */
static void write_strings(struct html_page *page, size_t number)
{
	struct pagenumbers packed;

	if (!pagenumbers_start(&packed, SIZE_MAX, true)) {
		page->failed = true;
		return;
	}
	for (; page->nr_written < page->strings.nr_strings + 1; page->nr_written++) {
		const char *string = intern_get(&page->strings, (uint32_t)page->nr_written);

		pagenumbers_bytes(&packed, string, strlen(string) + 1);
	}
	write_packed(page, &packed, "strings", number);
}

/* ---- events ---------------------------------------------------------------------------------- */

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

static void find_rows(struct page_event *event, const struct results *results)
{
	const struct rows paths = results_rows(results, &pathstat_paths);
	const struct rows addresses = results_rows(results, &linestat_addresses);
	const struct rows parts = results_rows(results, &timelinestat_parts);

	find_functions(event, results);
	find_paths(event, &paths);
	find_addresses(event, &addresses);
	find_parts(event, &parts);
	if (event->nr_paths)
		find_cells(event, results);
}

/* Folds the tree into @limit bytes, but for a part that is left to the cells. */
static int make_tree(struct page_event *event, uint64_t limit, struct error *err)
{
	const struct pagetree_input input = {
		.paths = event->paths,
		.nr_paths = event->nr_paths,
		.functions = event->functions,
		.nr_functions = event->nr_functions,
		.total = event->stat->total,
		.limit = limit - limit / 8,
	};

	return pagetree_make(&event->tree, &input, err);
}

/* Packs the cells into what the tree has left of @limit bytes. */
static int make_cells(struct page_event *event, const struct results *results, uint64_t limit,
		      struct error *err)
{
	const struct rows paths = results_rows(results, &pathstat_paths);
	const struct rows slices = results_rows(results, &pathstat_slices);
	const struct pagecells_input input = {
		.cells = event->cells,
		.nr = event->nr_cells,
		.first_path = (uint32_t)(event->paths - (const struct path_stat *)paths.first),
		.nodes = event->tree.node_of,
		.nr_nodes = event->tree.nodes,
		.threads = &event->threads,
		.slices = *(const struct path_slices *)slices.first,
		.quotient = event->tree.quotient,
		.limit = limit - event->tree.packed.pack->size,
	};

	return pagecells_make(&event->packed_cells, &input, err);
}

/* Writes the tree and the cells of event number @number into its share of @room bytes of text, by
 * its number of paths among @nr_paths. */
static int write_tree(struct html_page *page, struct page_event *event, size_t number,
		      uint64_t room, size_t nr_paths, struct error *err)
{
	enum { AT_LEAST = 72 }; /* bytes of tree and cells */
	const double share = nr_paths ? (double)event->nr_paths / (double)nr_paths : 0;
	uint64_t limit = pagenumbers_that_fit((uint64_t)((double)room * share));

	if (limit < AT_LEAST)
		limit = AT_LEAST;
	if (make_tree(event, limit, err) < 0 ||
	    (event->nr_cells && make_cells(event, page->results, limit, err) < 0))
		return -1;
	write_packed(page, &event->tree.packed, "tree", number);
	if (event->packed_cells.nr)
		write_packed(page, &event->packed_cells.packed, "cells", number);
	return 0;
}

/* Whatever else the page has comes first, so that the room for the trees is known. */
static int write_page(struct html_page *page, struct page_event *events, size_t nr,
		      struct error *err)
{
	enum { RUN_BYTES = 8192 }; /* the JSON of the run, a guess */
	const uint64_t limit = page->view->settings->html_bytes;
	uint64_t used;
	size_t nr_paths = 0;

	outfile_append(page->out, (const char *)pagesource_head, pagesource_head_len);
	for (size_t i = 0; i < nr; i++) {
		write_functions(page, &events[i], i);
		write_lines(page, &events[i], i);
		write_timeline(page, &events[i], i);
		if (write_threads(page, &events[i], i, err) < 0)
			return -1;
		nr_paths += events[i].nr_paths;
	}
	write_code(page, events, nr);
	write_strings(page, 0);
	used = page->out->size + (uint64_t)(page->out->pos - page->out->buffer) +
	       pagesource_tail_len + RUN_BYTES;
	for (size_t i = 0; i < nr && !page->failed; i++) {
		if (write_tree(page, &events[i], i, used < limit ? limit - used : 0, nr_paths,
			       err) < 0)
			return -1;
	}
	put_run(page, events, nr);
	write_strings(page, 1);
	outfile_append(page->out, (const char *)pagesource_tail, pagesource_tail_len);
	return page->failed ? error_nomem(err, "making the page") : 0;
}

static void free_event(struct page_event *event)
{
	pagetree_free(&event->tree);
	pagethreads_free(&event->threads);
	pagecells_free(&event->packed_cells);
}

void html_write(const struct runexport_view *view)
{
	const struct results *results = view->results;
	struct html_page page = {.view = view, .results = results, .out = view->out};
	struct page_event *events = calloc(results->nr_sampled + 1, sizeof(*events));
	struct error err;
	int rc = -1;

	if (!events)
		error_nomem(&err, "making the page");
	for (size_t i = 0; events && i < results->nr_sampled; i++) {
		events[i].stat = &results->events[results->sampled[i]];
		find_rows(&events[i], results);
	}
	if (events)
		rc = write_page(&page, events, results->nr_sampled, &err);
	for (size_t i = 0; events && i < results->nr_sampled; i++)
		free_event(&events[i]);
	free(events);
	intern_free(&page.strings);
	if (rc < 0)
		outfile_fail(view->out, &err);
}
