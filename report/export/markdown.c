/*
 * diff.md: a comparison for a pull request. The totals first, then the largest changes, the others
 * folded, and how it was measured.
 *
 * Names are untrusted: each is in a code span, where markup, mentions and links have no effect. A
 * comment may have 64 KiB; what does not fit into 60 KB is left out, and a line says how much.
 */
#include "report/export/export.h"
#include "report/export/forms.h"
#include "report/export/pick.h"
#include "report/export/sourcepath.h"
#include "report/export/words.h"
#include "util/text.h"
#include "util/textfile.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE_MAX = 60 * 1000,
	END_MAX = 200,	 /* reserved for the lines at the end */
	TABLE_ROWS = 20, /* changes that are not folded, over all events */
	NAME_COLUMNS = 160,
	REMARK_COLUMNS = 400,
	REMARKS_MAX = 20,
};

/** Bytes written so far, and rows left out. */
struct page {
	const struct export_view *view;
	size_t used, max;
	bool full; /* something did not fit */
	size_t rows_left_out;
};

/* Adds a piece of the page if it fits as a whole. Returns whether it fits. */
static bool add(struct page *page, struct textfile *piece)
{
	char *text = textfile_close(piece);
	size_t len = text ? strlen(text) : 0;
	bool fits = len <= page->max - page->used;

	if (!text)
		pick_nomem(page->view);
	if (fits && text)
		outfile_append(page->view->out, text, len);
	page->used += fits ? len : 0;
	page->full |= !fits;
	free(text);
	return fits;
}

static bool add_text(struct page *page, const char *text)
{
	struct textfile piece;

	if (textfile_open(&piece))
		fputs(text, piece.out);
	return add(page, &piece);
}

static size_t longest_run(const char *text, char c)
{
	size_t longest = 0, run = 0;

	for (; *text; text++) {
		run = *text == c ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static void repeat(FILE *out, char c, size_t times)
{
	while (times--)
		fputc(c, out);
}

/*
 * The delimiter of a code span has more backticks than any run of them in the text. In a table a
 * bar must be escaped by a backslash, and a backslash before a bar would be taken for its escape.
 */
static void put_span(FILE *out, const char *text)
{
	const size_t fence = longest_run(text, '`') + 1;
	const bool pad = *text == '`' || text[strlen(text) - 1] == '`';

	repeat(out, '`', fence);
	fputs(pad ? " " : "", out);
	for (; *text; text++) {
		if (*text == '|')
			fputs("\\|", out);
		else if (*text == '\\' && text[strspn(text, "\\")] == '|')
			fputs("\\x5c", out);
		else
			fputc(*text, out);
	}
	fputs(pad ? " " : "", out);
	repeat(out, '`', fence);
}

/*
 * Writes @text as code, truncated to @columns; control and invalid characters are shown as on a
 * terminal.
 */
static void put_code(const struct page *page, FILE *out, const char *text, size_t columns)
{
	struct textfile shown;
	char *safe;

	if (!*text)
		return;
	if (textfile_open(&shown)) {
		text_show(shown.out, text, columns);
		if (text_columns(text) > columns)
			fputs("...", shown.out);
	}
	safe = textfile_close(&shown);
	if (safe)
		put_span(out, safe);
	else
		pick_nomem(page->view);
	free(safe);
}

/* ---- the pieces ------------------------------------------------------------------------------ */

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

/* What a title tells of: totals of events, and functions. */
struct title_counts {
	size_t totals, functions;
};

static struct title_counts count_fails(const struct export_view *view)
{
	const struct diff *diff = view->diff;
	struct title_counts counts = {0};

	for (size_t i = 0; i < diff->nr_rows; i++)
		counts.functions += pick_row_fails(view->settings, &diff->rows[i]);
	for (size_t i = 0; i < diff->nr_events; i++)
		counts.totals += pick_total_fails(view, &diff->events[i]);
	return counts;
}

static struct title_counts count_changes(const struct diff *diff)
{
	struct title_counts counts = {0};

	for (size_t i = 0; i < diff->nr_events; i++) {
		counts.functions += diff->events[i].nr_changed;
		counts.totals += verdict_is_change(diff->events[i].change.verdict);
	}
	return counts;
}

/* "the total and 2 functions" */
static void put_counts(FILE *out, const struct title_counts *counts)
{
	if (counts->totals)
		fprintf(out, "the total%s", counts->functions ? " and " : "");
	if (counts->functions)
		fprintf(out, "%zu function%s", counts->functions, plural(counts->functions));
}

static void add_title(struct page *page)
{
	const bool gated = pick_is_gated(page->view->settings);
	const struct title_counts fails = count_fails(page->view),
				  changes = count_changes(page->view->diff);
	struct textfile piece;

	if (textfile_open(&piece)) {
		fprintf(piece.out, "### Performance: ");
		if (gated && fails.functions + fails.totals) {
			fprintf(piece.out, "the gate fails, for ");
			put_counts(piece.out, &fails);
		} else if (changes.functions + changes.totals) {
			put_counts(piece.out, &changes);
			fprintf(piece.out, " changed%s", gated ? ", nothing fails the gate" : "");
		} else {
			fprintf(piece.out, "no change the data can show");
		}
		fprintf(piece.out, "\n\n");
	}
	add(page, &piece);
}

static void add_totals(struct page *page)
{
	const struct diff *diff = page->view->diff;

	for (size_t i = 0; i < diff->nr_events; i++) {
		struct textfile piece;
		char words[VALUETEXT_TOTAL_MAX];

		valuetext_total(words, diff, &diff->events[i]);
		if (textfile_open(&piece)) {
			fputs("- ", piece.out);
			put_code(page, piece.out, diff->events[i].name, NAME_COLUMNS);
			fputs(": ", piece.out);
			fprintf(piece.out, "%s\n", words);
		}
		add(page, &piece);
	}
}

static void put_place(const struct page *page, FILE *out, const struct diff_row *row)
{
	struct textfile text;
	char *place;

	if (!*row->filename)
		return;
	if (textfile_open(&text)) {
		fputs(sourcepath_strip(page->view->settings, row->filename), text.out);
		if (row->line)
			fprintf(text.out, ":%u", (unsigned)row->line);
	}
	place = textfile_close(&text);
	if (place)
		put_code(page, out, place, NAME_COLUMNS);
	else
		pick_nomem(page->view);
	free(place);
}

static void add_row(struct page *page, const struct diff_row *row)
{
	const struct export_view *view = page->view;
	const char *strong = pick_row_fails(view->settings, row) ? "**" : "";
	const struct words words = words_values(row);
	struct textfile piece;

	if (textfile_open(&piece)) {
		fputs("| ", piece.out);
		put_code(page, piece.out, row->function, NAME_COLUMNS);
		fprintf(piece.out, " | %s | %s | %s | %s | %s%s%s | ", words.old_value,
			words.new_value, words.change, words.interval, strong,
			verdict_name(row->verdict, row->measure), strong);
		put_code(page, piece.out, row->binary, NAME_COLUMNS);
		fputs(" | ", piece.out);
		put_place(page, piece.out, row);
		fputs(" |\n", piece.out);
	}
	if (!add(page, &piece))
		page->rows_left_out++;
}

static void add_heading(struct page *page, const struct diff_event *event)
{
	const struct export_settings *settings = page->view->settings;
	struct textfile piece;

	if (textfile_open(&piece)) {
		fputc('\n', piece.out);
		if (page->view->diff->nr_events > 1) {
			put_code(page, piece.out, event->name, NAME_COLUMNS);
			fputs("\n\n", piece.out);
		}
		fputs("| function | ", piece.out);
		put_code(page, piece.out, settings->sides[0], NAME_COLUMNS);
		fputs(" | ", piece.out);
		put_code(page, piece.out, settings->sides[1], NAME_COLUMNS);
		fputs(" | change | 95 % interval | verdict | binary | source |\n"
		      "| --- | ---: | ---: | ---: | --- | --- | --- | --- |\n",
		      piece.out);
	}
	add(page, &piece);
}

/* Adds the changes of @event at indices [@from, @to); the largest come first. */
static void add_changes(struct page *page, const struct diff_event *event, size_t from, size_t to)
{
	size_t place = 0;

	if (from >= event->nr_changed || from == to)
		return;
	if (!page->full)
		add_heading(page, event);
	for (size_t i = 0; i < event->nr_rows && place < to; i++) {
		if (!verdict_is_change(event->rows[i].verdict) || place++ < from)
			continue;
		if (page->full)
			page->rows_left_out++;
		else
			add_row(page, &event->rows[i]);
	}
}

/*
 * Sums the samples of all events that the kernel dropped in the runs of a side. Returns false if a
 * run is a table, which does not have them.
 */
static bool count_lost(const struct diff *diff, int side, uint64_t *lost)
{
	*lost = 0;
	for (size_t i = side ? diff->nr_old : 0; i < (side ? diff->nr_runs : diff->nr_old); i++) {
		if (!diff->runs[i].recorded)
			return false;
		for (size_t event = 0; event < diff->runs[i].nr_events; event++)
			*lost += diff->runs[i].events[event].dropped;
	}
	return true;
}

static void add_side(struct page *page, int side)
{
	const struct diff *diff = page->view->diff;
	const size_t nr = side ? diff->nr_runs - diff->nr_old : diff->nr_old;
	uint64_t samples = 0, lost;
	struct textfile piece;

	for (size_t i = 0; i < diff->nr_events; i++)
		samples += diff->events[i].total[side].samples;
	if (textfile_open(&piece)) {
		fputs("- ", piece.out);
		put_code(page, piece.out, page->view->settings->sides[side], NAME_COLUMNS);
		fprintf(piece.out, ": %zu run%s, %" PRIu64 " samples", nr, plural(nr), samples);
		if (count_lost(diff, side, &lost))
			fprintf(piece.out, ", %" PRIu64 " lost", lost);
		fputc('\n', piece.out);
	}
	add(page, &piece);
}

static void add_remarks(struct page *page, const struct remarks *remarks)
{
	for (size_t i = 0; i < remarks->nr && i < REMARKS_MAX; i++) {
		struct textfile piece;

		if (textfile_open(&piece)) {
			fputs("- ", piece.out);
			put_code(page, piece.out, remarks->lines[i], REMARK_COLUMNS);
			fputc('\n', piece.out);
		}
		add(page, &piece);
	}
}

static void add_measurement(struct page *page)
{
	static const char *const compared[] = {
		[MEASURE_PERIOD] = "- what a run takes is compared",
		[MEASURE_RATE] = "- what is taken per second of the run is compared",
		[MEASURE_SHARE] = "- shares of the whole are compared",
	};

	if (!add_text(page, "\n<details><summary>How it was measured</summary>\n\n"))
		return;
	add_text(page, compared[page->view->diff->measure]);
	add_text(page, page->view->diff->children ? ", callees included\n" : "\n");
	add_side(page, 0);
	add_side(page, 1);
	add_remarks(page, &page->view->diff->remarks);
	page->max += strlen("\n</details>\n");
	add_text(page, "\n</details>\n");
}

/* How the rows that are not folded are shared: each event has @each, the first @nr_more that have
 * more changes one more. */
struct share {
	size_t each, nr_more;
};

/* What an event does not need is left to the others. */
static struct share share_rows(const struct diff *diff)
{
	struct share share = {.nr_more = TABLE_ROWS};

	for (;;) {
		size_t nr = 0;

		for (size_t i = 0; i < diff->nr_events; i++)
			nr += diff->events[i].nr_changed > share.each;
		if (!nr || nr > share.nr_more)
			return share;
		share.nr_more -= nr;
		share.each++;
	}
}

/* How many rows the next event takes of @share. */
static size_t take_rows(struct share *share, const struct diff_event *event)
{
	if (event->nr_changed <= share->each)
		return event->nr_changed;
	if (!share->nr_more)
		return share->each;
	share->nr_more--;
	return share->each + 1;
}

/* Adds the largest changes of each event. */
static void add_largest(struct page *page, struct share share)
{
	const struct diff *diff = page->view->diff;

	for (size_t i = 0; i < diff->nr_events; i++)
		add_changes(page, &diff->events[i], 0, take_rows(&share, &diff->events[i]));
}

static size_t count_others(const struct diff *diff, struct share share)
{
	size_t nr = 0;

	for (size_t i = 0; i < diff->nr_events; i++)
		nr += diff->events[i].nr_changed - take_rows(&share, &diff->events[i]);
	return nr;
}

/* Adds the changes of each event that are not among the largest. */
static void add_others(struct page *page, struct share share)
{
	const struct diff *diff = page->view->diff;
	const size_t nr = count_others(diff, share);
	char summary[96];

	snprintf(summary, sizeof(summary), "\n<details><summary>%zu more change%s</summary>\n", nr,
		 plural(nr));
	if (!nr || page->full || !add_text(page, summary)) {
		page->rows_left_out += nr;
		return;
	}
	for (size_t i = 0; i < diff->nr_events; i++)
		add_changes(page, &diff->events[i], take_rows(&share, &diff->events[i]), SIZE_MAX);
	page->max = PAGE_MAX;
	add_text(page, "\n</details>\n");
}

static void add_end(struct page *page)
{
	char text[128];

	page->max = PAGE_MAX;
	if (!page->rows_left_out)
		return;
	snprintf(text, sizeof(text), "\n%zu more change%s did not fit here: see diff.csv\n",
		 page->rows_left_out, plural(page->rows_left_out));
	add_text(page, text);
}

void markdown_write(const struct export_view *view)
{
	const struct diff *diff = view->diff;
	struct page page = {.view = view, .max = PAGE_MAX - END_MAX};
	const struct share share = share_rows(diff);

	add_title(&page);
	add_totals(&page);
	add_largest(&page, share);
	add_measurement(&page);
	add_others(&page, share);
	add_end(&page);
}
