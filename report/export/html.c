/* One page for a browser, with everything in it: report/html/ has its source. */
#include "report/export/pagecode.h"
#include "report/export/pagedata.h"
#include "report/export/pageevent.h"
#include "report/export/pagelines.h"
#include "report/export/pagenumbers.h"
#include "report/export/pagesource.h"
#include "report/export/pagesums.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The page in the making. */
struct html_page {
	const struct runexport_view *view;
	const struct results *results;
	struct pagedata data;
};

/* ---- the run as JSON: numbers and the numbers of strings, nothing to be escaped -------------- */

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

	outfile_string(page->data.out, ",\"facts\":[");
	for (size_t i = 0; i < rows.nr; i++) {
		char text[64];

		if (!is_shown(facts[i].key))
			continue;
		snprintf(text, sizeof(text), "%s%" PRIu32 ",%" PRIu32, separator,
			 pagedata_string(&page->data, facts[i].key),
			 pagedata_string(&page->data, facts[i].value));
		outfile_string(page->data.out, text);
		separator = ",";
	}
	outfile_string(page->data.out, "]");
}

static void put_words(struct html_page *page, const struct pagetree *tree)
{
	outfile_string(page->data.out, ",\"words\":[");
	for (size_t i = 0; i < tree->nr_words; i++) {
		char text[32];

		snprintf(text, sizeof(text), "%s%" PRIu32, i ? "," : "",
			 pagedata_string(&page->data, tree->words[i]));
		outfile_string(page->data.out, text);
	}
	outfile_string(page->data.out, "]");
}

static void put_event(struct html_page *page, const struct page_event *event)
{
	const struct event_stat *stat = event->stat;
	char text[64];

	snprintf(text, sizeof(text), "{\"name\":%" PRIu32,
		 pagedata_string(&page->data, stat->event->name));
	outfile_string(page->data.out, text);
	pagedata_put_sum(&page->data, "samples", stat->total.samples);
	pagedata_put_sum(&page->data, "period", stat->total.period);
	pagedata_put_sum(&page->data, "lost", stat->dropped);
	pagedata_put_number(&page->data, "time", stat->event->is_time);
	pagedata_put_number(&page->data, "chains", stat->event->chains);
	pagedata_put_sum(&page->data, "cutSamples", stat->cut.samples);
	pagedata_put_sum(&page->data, "cutPeriod", stat->cut.period);
	pagedata_put_string(&page->data, "cutReason", stat->cut_reason);
	pagedata_put_string(&page->data, "cutAdvice", stat->cut_advice);
	pagedata_put_sum(&page->data, "callerMissing", stat->caller_missing.period);
	pagedata_put_number(&page->data, "functions", event->nr_functions);
	pagedata_put_number(&page->data, "byName", event->order.by_name);
	pagedata_put_number(&page->data, "sums", event->has_sums);
	pagedata_put_number(&page->data, "paths", event->nr_paths);
	pagedata_put_number(&page->data, "frames", event->tree.nr_frames);
	pagedata_put_number(&page->data, "nodes", event->tree.nodes);
	pagedata_put_number(&page->data, "folded", event->tree.folded);
	pagedata_put_sum(&page->data, "quotient", event->tree.quotient);
	pagedata_put_number(&page->data, "parts", event->nr_parts);
	pagedata_put_sum(&page->data, "partStart", event->nr_parts ? event->parts->start : 0);
	pagedata_put_sum(&page->data, "partLength", event->nr_parts ? event->parts->length : 0);
	pagedata_put_number(&page->data, "threads", event->threads.nr);
	pagedata_put_number(&page->data, "otherThreads", event->threads.nr_others);
	pagedata_put_number(&page->data, "cells", event->packed_cells.nr);
	pagedata_put_number(&page->data, "cellThreads", event->packed_cells.slices.threads);
	pagedata_put_number(&page->data, "slices", event->packed_cells.slices.nr);
	pagedata_put_sum(&page->data, "sliceStart", event->packed_cells.slices.start);
	pagedata_put_sum(&page->data, "sliceLength", event->packed_cells.slices.length);
	put_words(page, &event->tree);
	outfile_string(page->data.out, "}");
}

static void put_run(struct html_page *page, const struct page_event *events, size_t nr)
{
	char text[64];

	outfile_string(page->data.out, "<script type=\"application/json\" id=\"run\">");
	snprintf(text, sizeof(text), "{\"version\":%" PRIu32,
		 pagedata_string(&page->data, READPERF_VERSION));
	outfile_string(page->data.out, text);
	pagedata_put_number(&page->data, "raw", page->view->settings->raw);
	pagedata_put_number(&page->data, "inlined", page->results->inlined);
	pagedata_put_number(&page->data, "filtered", page->results->filtered);
	put_facts(page);
	outfile_string(page->data.out, ",\"events\":[\n");
	for (size_t i = 0; i < nr; i++) {
		if (i)
			outfile_string(page->data.out, ",\n");
		put_event(page, &events[i]);
	}
	outfile_string(page->data.out, "]}</script>\n");
}

/* ---- packed data ----------------------------------------------------------------------------- */

/* The table of functions but for what they counted. */
static void write_functions(struct html_page *page, struct page_event *event, size_t number)
{
	struct pagenumbers packed;

	if (!pagefunctions_sort(&event->order, event->functions, event->nr_functions)) {
		page->data.failed = true;
		return;
	}
	if (!pagedata_start(&page->data, &packed))
		return;
	page->data.failed |= !pagefunctions_put(&event->order, &packed, &page->data.strings);
	pagedata_write(&page->data, &packed, "functions", number);
}

static void write_lines(struct html_page *page, const struct page_event *event, size_t number)
{
	struct pagenumbers packed;

	if (!pagedata_start(&page->data, &packed))
		return;
	page->data.failed |= !pagelines_put(&packed, &page->data.strings, event->addresses,
					    event->nr_addresses, event->functions);
	pagedata_write(&page->data, &packed, "lines", number);
}

/* ---- source and assembly --------------------------------------------------------------------- */

static void write_spots(struct html_page *page, const struct pagecode *codes,
			const struct page_event *event, size_t number)
{
	struct pagenumbers packed;

	if (!pagedata_start(&page->data, &packed))
		return;
	page->data.failed |=
		!pagecode_put_spots(codes, &packed, &page->data.strings, event->addresses,
				    event->nr_addresses, event->functions, event->nr_functions);
	pagedata_write(&page->data, &packed, "spots", number);
}

static void write_sources(struct html_page *page)
{
	const struct rows texts = results_rows(page->results, &sourcestat_texts);
	const uint64_t room = page->view->settings->html_bytes / 8;
	struct pagenumbers packed;

	if (!pagedata_start(&page->data, &packed))
		return;
	page->data.failed |=
		!pagecode_put_sources(&packed, &page->data.strings, texts.first, texts.nr, room);
	pagedata_write(&page->data, &packed, "sources", 0);
}

static void write_instructions(struct html_page *page, const struct pagecode *codes)
{
	struct pagenumbers packed;

	if (!pagedata_start(&page->data, &packed))
		return;
	page->data.failed |= !pagecode_put(codes, &packed, &page->data.strings);
	pagedata_write(&page->data, &packed, "code", 0);
}

/* Source and assembly of the @nr @events: each may fill its part of a quarter of the page. */
static void write_code(struct html_page *page, const struct page_event *events, size_t nr)
{
	struct pagecode codes = {0};

	for (size_t i = 0; i < nr; i++)
		page->data.failed |=
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
		page->data.failed = true;
		return;
	}
	for (size_t i = 0; i < event->nr_parts; i++)
		pagenumbers_put(&packed, event->parts[i].samples);
	pagedata_write(&page->data, &packed, "timeline", number);
}

static int write_threads(struct html_page *page, struct page_event *event, size_t number,
			 struct error *err)
{
	const struct rows rows = results_rows(page->results, &processstat_thread_lives);
	struct pagenumbers packed;

	if (!event->traced &&
	    pagethreads_make(&event->threads, &rows.source, event->stat->event->number,
			     &page->data.strings, err) < 0)
		return -1;
	if (!pagenumbers_start(&packed, SIZE_MAX, true)) {
		page->data.failed = true;
		return 0;
	}
	pagethreads_put(&event->threads, &packed);
	pagedata_write(&page->data, &packed, "threads", number);
	return 0;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Even the smallest tree needs some bytes. */
static uint64_t at_least(uint64_t limit)
{
	enum { SMALLEST = 72 };

	return limit > SMALLEST ? limit : SMALLEST;
}

/* Folds the tree into @limit bytes, but for a part that is left to the cells. */
static int make_tree(struct page_event *event, uint64_t limit, struct error *err)
{
	const struct pagetree_input input = {
		.paths = event->paths,
		.nr_paths = event->nr_paths,
		.functions = event->functions,
		.nr_functions = event->nr_functions,
		.places = event->order.places,
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

/* Makes the tree of at most *@limit bytes. Where it does not tell what functions counted, writes
 * that, too: then *@limit becomes less. */
static int make_tree_and_sums(struct html_page *page, struct page_event *event, size_t number,
			      uint64_t *limit, struct error *err)
{
	const struct pagesums_input input = {event->functions, event->nr_functions, event->paths,
					     event->nr_paths};
	struct pagenumbers packed;
	uint64_t size;
	bool told;

	if (!pagesums_told(&input, &told))
		return error_nomem(err, "making the page");
	if (told) {
		if (make_tree(event, *limit, err) < 0)
			return -1;
		if (!event->tree.folded)
			return 0;
		pagetree_free(&event->tree);
	}
	if (!pagedata_start(&page->data, &packed))
		return error_nomem(err, "making the page");
	event->has_sums = true;
	pagesums_put(&input, event->order.rows, &packed);
	size = pagenumbers_divide(&packed);
	pagedata_write(&page->data, &packed, "sums", number);
	*limit = at_least(*limit > size ? *limit - size : 0);
	return make_tree(event, *limit, err);
}

/* Writes the tree and the cells of event number @number into its share of @room bytes of text, by
 * its number of paths among @nr_paths. */
static int write_tree(struct html_page *page, struct page_event *event, size_t number,
		      uint64_t room, size_t nr_paths, struct error *err)
{
	const double share = nr_paths ? (double)event->nr_paths / (double)nr_paths : 0;
	uint64_t limit = at_least(pagenumbers_that_fit((uint64_t)((double)room * share)));

	if (make_tree_and_sums(page, event, number, &limit, err) < 0 ||
	    (event->nr_cells && make_cells(event, page->results, limit, err) < 0))
		return -1;
	pagedata_write(&page->data, &event->tree.packed, "tree", number);
	if (event->packed_cells.nr)
		pagedata_write(&page->data, &event->packed_cells.packed, "cells", number);
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

	outfile_append(page->data.out, (const char *)pagesource_head, pagesource_head_len);
	for (size_t i = 0; i < nr; i++) {
		write_functions(page, &events[i], i);
		if (page->data.failed)
			return error_nomem(err, "making the page");
		write_lines(page, &events[i], i);
		write_timeline(page, &events[i], i);
		if (write_threads(page, &events[i], i, err) < 0)
			return -1;
		nr_paths += events[i].nr_paths;
	}
	write_code(page, events, nr);
	pagedata_write_strings(&page->data, 0);
	used = pagedata_size(&page->data) + pagesource_tail_len + RUN_BYTES;
	for (size_t i = 0; i < nr && !page->data.failed; i++) {
		if (write_tree(page, &events[i], i, used < limit ? limit - used : 0, nr_paths,
			       err) < 0)
			return -1;
	}
	put_run(page, events, nr);
	pagedata_write_strings(&page->data, 1);
	outfile_append(page->data.out, (const char *)pagesource_tail, pagesource_tail_len);
	return page->data.failed ? error_nomem(err, "making the page") : 0;
}

void html_write(const struct runexport_view *view)
{
	const struct results *results = view->results;
	struct html_page page = {.view = view, .results = results, .data.out = view->out};
	const size_t nr = results_nr_walked(results);
	struct page_event *events = calloc(nr + 1, sizeof(*events));
	struct error err;
	int rc = -1;

	if (!events)
		error_nomem(&err, "making the page");
	for (size_t i = 0; events && i < nr; i++)
		pageevent_find(&events[i], results, i);
	if (events)
		rc = write_page(&page, events, nr, &err);
	for (size_t i = 0; events && i < nr; i++)
		pageevent_free(&events[i]);
	free(events);
	pagedata_free(&page.data);
	if (rc < 0)
		outfile_fail(view->out, &err);
}
