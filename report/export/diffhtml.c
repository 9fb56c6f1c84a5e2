/* diff.html: a comparison as one page for a browser; report/html/ has its source. */
#include "report/csvform.h"
#include "report/export/forms.h"
#include "report/export/export.h"
#include "report/export/pagedata.h"
#include "report/export/pagesource.h"
#include "report/export/pagetree.h"
#include "report/export/pick.h"
#include "report/measure.h"
#include "report/table.h"
#include "report/valuetext.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIMIT_MIN = 4096 }; /* bytes that an event's paths may always have */

struct diff_page {
	struct pagedata data;
	const struct export_view *view;
	const struct diff *diff;
	struct pagetree *trees; /* by event */
};

/* ---- the comparison as JSON ------------------------------------------------------------------ */

/* Starts an element of an array with its first member, a string. */
static void open_object(struct diff_page *page, bool first, const char *key, const char *string)
{
	char text[64];

	snprintf(text, sizeof(text), "%s{\"%s\":%" PRIu32, first ? "" : ",\n", key,
		 pagedata_string(&page->data, string));
	outfile_string(page->data.out, text);
}

/* Writes the number of a string as an element of an array. */
static void put_element(struct diff_page *page, bool first, const char *string)
{
	char text[32];

	snprintf(text, sizeof(text), "%s%" PRIu32, first ? "" : ",",
		 pagedata_string(&page->data, string));
	outfile_string(page->data.out, text);
}

static void put_sides(struct diff_page *page)
{
	const struct diff *diff = page->diff;

	outfile_string(page->data.out, ",\"sides\":[");
	for (int side = 0; side < 2; side++) {
		const size_t first = side ? diff->nr_old : 0,
			     end = side ? diff->nr_runs : diff->nr_old;

		open_object(page, side == 0, "name", page->view->settings->sides[side]);
		outfile_string(page->data.out, ",\"runs\":[");
		for (size_t i = first; i < end; i++)
			put_element(page, i == first, diff->runs[i].label);
		outfile_string(page->data.out, "]}");
	}
	outfile_string(page->data.out, "]");
}

static void put_remarks(struct diff_page *page)
{
	const struct remarks *remarks = &page->diff->remarks;

	outfile_string(page->data.out, ",\"remarks\":[");
	for (size_t i = 0; i < remarks->nr; i++)
		put_element(page, i == 0, remarks->lines[i]);
	outfile_string(page->data.out, "]");
}

static void put_columns(struct diff_page *page)
{
	outfile_string(page->data.out, ",\"columns\":[");
	for (size_t i = 0; i < table_diff.nr_columns; i++) {
		const struct column *column = &table_diff.columns[i];

		open_object(page, i == 0, "name", column->name);
		pagedata_put_string(&page->data, "meaning", column->meaning);
		pagedata_put_number(&page->data, "text", column->type == CELL_TEXT);
		outfile_string(page->data.out, "}");
	}
	outfile_string(page->data.out, "]");
}

/* Why there is no flame graph; "" if there is one. */
static const char *reason_without_paths(const struct diff *diff)
{
	if (diff->has_paths)
		return "";
	for (size_t i = 0; i < diff->nr_runs; i++)
		if (!diff->runs[i].recorded)
			return "There is no flame graph: a run is a table, which does not say who "
			       "called what. Compare the recordings to see one.";
	return "There is no flame graph: calls are compared, not functions. Leave out --calls to "
	       "see one.";
}

static bool have_chains(const struct diff *diff)
{
	for (size_t i = 0; i < diff->nr_runs; i++)
		if (!diff->runs[i].chains)
			return false;
	return true;
}

static double sum_seconds(const struct diff *diff, const struct run_total *totals, int side)
{
	double sum = 0;

	for (size_t i = side ? diff->nr_old : 0; i < (side ? diff->nr_runs : diff->nr_old); i++)
		sum += totals[i].seconds;
	return sum;
}

static void put_total(struct diff_page *page, const struct diff_event *event)
{
	const struct total_change *change = &event->change;
	const enum measure measure = change->per_second ? MEASURE_RATE : MEASURE_PERIOD;
	char total[VALUETEXT_TOTAL_MAX];

	valuetext_total(total, page->diff, event);
	pagedata_put_string(&page->data, "total", total);
	pagedata_put_string(&page->data, "verdict",
			    verdict_name(pick_total_verdict(page->view, event), measure));
	pagedata_put_decimal(&page->data, "percent", change->percent);
	pagedata_put_decimal(&page->data, "low", change->low);
	pagedata_put_decimal(&page->data, "high", change->high);
}

static void put_tree(struct diff_page *page, const struct diff_event *event,
		     const struct pagetree *tree)
{
	const size_t number = (size_t)(event - page->diff->events);

	pagedata_put_decimal(&page->data, "oldSeconds",
			     sum_seconds(page->diff, page->diff->match.events[number].totals, 0));
	pagedata_put_decimal(&page->data, "newSeconds",
			     sum_seconds(page->diff, page->diff->match.events[number].totals, 1));
	pagedata_put_number(&page->data, "functions", event->paths.nr_functions);
	pagedata_put_number(&page->data, "paths", event->paths.nr);
	pagedata_put_number(&page->data, "frames", tree->nr_frames);
	pagedata_put_number(&page->data, "nodes", tree->nodes);
	pagedata_put_number(&page->data, "folded", tree->folded);
	pagedata_put_sum(&page->data, "quotient", tree->quotient);
	outfile_string(page->data.out, ",\"words\":[");
	for (size_t i = 0; i < tree->nr_words; i++)
		put_element(page, i == 0, tree->words[i]);
	outfile_string(page->data.out, "]");
}

static void put_event(struct diff_page *page, size_t number)
{
	const struct diff_event *event = &page->diff->events[number];

	open_object(page, number == 0, "name", event->name);
	put_total(page, event);
	pagedata_put_number(&page->data, "time", event->is_time);
	pagedata_put_number(&page->data, "rows", event->nr_rows);
	pagedata_put_sum(&page->data, "oldSamples", event->total[0].samples);
	pagedata_put_sum(&page->data, "newSamples", event->total[1].samples);
	pagedata_put_sum(&page->data, "oldPeriod", event->total[0].period);
	pagedata_put_sum(&page->data, "newPeriod", event->total[1].period);
	put_tree(page, event, &page->trees[number]);
	outfile_string(page->data.out, "}");
}

static void put_diff(struct diff_page *page)
{
	const struct diff *diff = page->diff;

	outfile_string(page->data.out, "<script type=\"application/json\" id=\"run\">");
	open_object(page, true, "version", READPERF_VERSION);
	pagedata_put_string(&page->data, "by", measure_word(diff->measure));
	pagedata_put_number(&page->data, "children", diff->children);
	pagedata_put_number(&page->data, "raw", page->view->settings->raw);
	pagedata_put_number(&page->data, "chains", have_chains(diff));
	pagedata_put_string(&page->data, "why", reason_without_paths(diff));
	put_sides(page);
	put_remarks(page);
	put_columns(page);
	outfile_string(page->data.out, ",\"events\":[\n");
	for (size_t i = 0; i < diff->nr_events; i++)
		put_event(page, i);
	outfile_string(page->data.out, "]}</script>\n");
}

/* ---- packed data ----------------------------------------------------------------------------- */

/* The cells of diff.csv as numbers of texts, one row after the other. */
static void write_cells(struct diff_page *page, const struct diff_event *event, size_t number)
{
	struct pagenumbers packed;

	if (!pagedata_start(&page->data, &packed))
		return;
	for (size_t i = 0; i < event->nr_rows; i++) {
		struct cell cells[TABLE_COLUMNS_MAX];
		struct scratch scratch = {0};

		table_diff.fill(cells, &event->rows[i], &scratch);
		for (size_t j = 0; j < table_diff.nr_columns; j++) {
			char text[CSVFORM_NUMBER_MAX];
			const bool is_text = cells[j].type == CELL_TEXT;

			if (!is_text)
				csvform_number(text, &cells[j]);
			pagenumbers_put(
				&packed,
				pagedata_string(&page->data, is_text ? cells[j].text.bytes : text));
		}
	}
	pagedata_write(&page->data, &packed, "cells", number);
}

/* The functions of the paths, one column after the other. */
static void write_functions(struct diff_page *page, const struct diff_paths *paths, size_t number)
{
	const struct function_stat *functions = paths->functions;
	struct pagedata *data = &page->data;
	struct pagenumbers packed;

	if (!pagedata_start(data, &packed))
		return;
	for (size_t i = 0; i < paths->nr_functions; i++)
		pagenumbers_put(&packed, pagedata_string(data, functions[i].function));
	for (size_t i = 0; i < paths->nr_functions; i++)
		pagenumbers_put(&packed, pagedata_string(data, functions[i].binary));
	for (size_t i = 0; i < paths->nr_functions; i++)
		pagenumbers_put(&packed, pagedata_string(data, functions[i].filename));
	for (size_t i = 0; i < paths->nr_functions; i++)
		pagenumbers_put(&packed, pagedata_string(data, functions[i].reason));
	for (size_t i = 0; i < paths->nr_functions; i++)
		pagenumbers_put(&packed, functions[i].line);
	pagedata_write(data, &packed, "functions", number);
}

/* What each side counted on the nodes of @tree itself: samples and periods of the old side, of the
 * new one. Returns the packed numbers to be written; false if memory is out. */
static bool pack_sides(struct pagenumbers *packed, const struct diff_paths *paths,
		       const struct pagetree *tree)
{
	struct path_sides *nodes = calloc(tree->nodes + 1, sizeof(*nodes));
	bool ok = nodes && pagenumbers_start(packed, SIZE_MAX, false);

	for (size_t i = 0; ok && i < paths->nr; i++)
		for (int side = 0; side < 2; side++) {
			const struct tally *self = &paths->sides[i].self[side];

			tally_add(&nodes[tree->node_of[i]].self[side], self->samples, self->period);
		}
	for (int side = 0; ok && side < 2; side++) {
		for (size_t i = 0; i < tree->nodes; i++)
			pagenumbers_put(packed, nodes[i].self[side].samples);
		for (size_t i = 0; i < tree->nodes; i++)
			pagenumbers_put(packed, nodes[i].self[side].period);
	}
	free(nodes);
	return ok && pagenumbers_end(packed);
}

/* Packs the paths of an event into at most @limit bytes, what a side has of them into @sides. */
static int make_tree(const struct diff_event *event, uint64_t limit, struct pagetree *tree,
		     struct pagenumbers *sides, struct error *err)
{
	struct pagetree_input input = {
		.paths = event->paths.rows,
		.nr_paths = event->paths.nr,
		.functions = event->paths.functions,
		.nr_functions = event->paths.nr_functions,
		.total = event->total[0],
		.limit = limit,
	};

	tally_add(&input.total, event->total[1].samples, event->total[1].period);
	for (;;) {
		uint64_t size;

		if (pagetree_make(tree, &input, err) < 0)
			return -1;
		if (!pack_sides(sides, &event->paths, tree))
			return error_nomem(err, "making the page");
		size = tree->packed.pack->size + sides->pack->size;
		if (size <= limit || input.limit <= LIMIT_MIN)
			return 0;
		input.limit = (uint64_t)((double)tree->packed.pack->size * (double)limit /
					 (double)size * 0.95);
		pagetree_free(tree);
		pagenumbers_free(sides);
	}
}

/* Writes an event's paths into their share of @room characters. */
static int write_tree(struct diff_page *page, size_t number, uint64_t room, size_t nr_paths,
		      struct error *err)
{
	const struct diff_event *event = &page->diff->events[number];
	const double share = nr_paths ? (double)event->paths.nr / (double)nr_paths : 0;
	const uint64_t limit = pagenumbers_that_fit((uint64_t)((double)room * share));
	struct pagenumbers sides = {0};
	int rc = make_tree(event, limit > LIMIT_MIN ? limit : LIMIT_MIN, &page->trees[number],
			   &sides, err);

	if (rc == 0) {
		pagedata_write(&page->data, &page->trees[number].packed, "tree", number);
		pagedata_write(&page->data, &sides, "sides", number);
	}
	pagenumbers_free(&sides);
	return rc;
}

/* Whatever else the page has comes first, so that the room for the trees is known. */
static int write_page(struct diff_page *page, struct error *err)
{
	enum { RUN_BYTES = 8192 }; /* the JSON of the comparison, a guess */
	const struct diff *diff = page->diff;
	const uint64_t limit = page->view->settings->html_bytes;
	struct pagedata *data = &page->data;
	size_t nr_paths = 0;
	uint64_t used;

	outfile_append(data->out, (const char *)pagesource_diff_head, pagesource_diff_head_len);
	for (size_t i = 0; i < diff->nr_events; i++) {
		write_cells(page, &diff->events[i], i);
		write_functions(page, &diff->events[i].paths, i);
		nr_paths += diff->events[i].paths.nr;
	}
	pagedata_write_strings(data, 0);
	used = pagedata_size(data) + pagesource_diff_tail_len + RUN_BYTES;
	for (size_t i = 0; i < diff->nr_events && diff->has_paths && !data->failed; i++) {
		if (write_tree(page, i, used < limit ? limit - used : 0, nr_paths, err) < 0)
			return -1;
	}
	put_diff(page);
	pagedata_write_strings(data, 1);
	outfile_append(data->out, (const char *)pagesource_diff_tail, pagesource_diff_tail_len);
	return data->failed ? error_nomem(err, "making the page") : 0;
}

void diffhtml_write(const struct export_view *view)
{
	struct diff_page page = {.data = {.out = view->out}, .view = view, .diff = view->diff};
	struct error err;
	int rc = -1;

	page.trees = calloc(view->diff->nr_events + 1, sizeof(*page.trees));
	if (page.trees)
		rc = write_page(&page, &err);
	else
		error_nomem(&err, "making the page");
	for (size_t i = 0; page.trees && i < view->diff->nr_events; i++)
		pagetree_free(&page.trees[i]);
	free(page.trees);
	pagedata_free(&page.data);
	if (rc < 0)
		outfile_fail(view->out, &err);
}
