/* Prints the totals and the largest changes of a comparison for a terminal. */
#include "report/diffreport.h"

#include "report/columns.h"
#include "report/valuetext.h"
#include "util/text.h"
#include "util/textfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	VALUE_COLUMNS = 7,	/* "12.3 ms" */
	SIDE_COLUMNS_MAX = 16,	/* for the name of a side */
	CHANGE_COLUMNS = 6,	/* "-100 %" */
	VERDICT_COLUMNS = 7,	/* "verdict" */
	NAMES_COLUMNS_MIN = 20, /* a change is useless without its name */
	INDENT = 2,		/* of lines that go on */
};

/** The changes of one event and the widths of their columns, in terminal columns. */
struct listing {
	FILE *out;
	struct valuetext_kind kind;
	bool overlap; /* values of functions overlap, so their sum has no meaning */
	const struct diff_row **rows;
	size_t nr_rows;
	const char *const *sides;
	size_t side_columns[2], change_columns, interval_columns, function_columns;
	size_t terminal_columns; /* SIZE_MAX: lines are not truncated */
	size_t line_columns;	 /* the same, or more if the names need it */
	bool color;
};

/** The formatted cells of a row. */
struct cells {
	char values[2][VALUETEXT_MAX], change[VALUETEXT_MAX], interval[VALUETEXT_MAX];
};

static void make_cells(struct cells *cells, const struct listing *listing,
		       const struct diff_row *row)
{
	/* cppcheck-suppress uninitvar ; valuetext_value() writes it */
	valuetext_value(cells->values[0], listing->kind, row->old_value);
	valuetext_value(cells->values[1], listing->kind, row->new_value);
	valuetext_change(cells->change, row->old_value, row->new_value);
	valuetext_interval(cells->interval, listing->kind, row->low, row->high);
}

static size_t numbers_columns(const struct listing *listing)
{
	return listing->side_columns[0] + 2 + listing->side_columns[1] + 2 +
	       listing->change_columns + 2 + listing->interval_columns + 2 + VERDICT_COLUMNS + 2;
}

static void measure(struct listing *listing)
{
	size_t functions = strlen("function"), binaries = strlen("binary");
	struct cells cells;

	for (int i = 0; i < 2; i++)
		listing->side_columns[i] = max_size(
			VALUE_COLUMNS, min_size(text_columns(listing->sides[i]), SIDE_COLUMNS_MAX));
	listing->change_columns = CHANGE_COLUMNS;
	listing->interval_columns = strlen("95 % interval");
	for (size_t i = 0; i < listing->nr_rows; i++) {
		const struct diff_row *row = listing->rows[i];

		make_cells(&cells, listing, row);
		for (int k = 0; k < 2; k++)
			listing->side_columns[k] =
				max_size(listing->side_columns[k], strlen(cells.values[k]));
		listing->change_columns = max_size(listing->change_columns, strlen(cells.change));
		listing->interval_columns =
			max_size(listing->interval_columns, strlen(cells.interval));
		functions = max_size(functions, text_columns(row->function));
		binaries = max_size(binaries, text_columns(row->binary));
	}
	listing->line_columns =
		max_size(listing->terminal_columns, numbers_columns(listing) + NAMES_COLUMNS_MIN);
	listing->function_columns = columns_of_functions(
		listing->line_columns, numbers_columns(listing), functions, binaries);
}

/* Prints the names, and ends the line. */
static void print_names(const struct listing *listing, const char *function, const char *binary)
{
	size_t room = listing->line_columns == SIZE_MAX ? SIZE_MAX : listing->function_columns;
	size_t used = text_show_ends(listing->out, function, room);
	size_t gap = minus(listing->function_columns, used) + 2;

	columns_end_line(listing->out, gap,
			 minus(listing->line_columns, numbers_columns(listing) + used + gap),
			 binary);
}

static void print_heading(const struct listing *listing)
{
	for (int i = 0; i < 2; i++) {
		size_t room = listing->side_columns[i];

		fprintf(listing->out, "%*s",
			(int)minus(room, text_show(NULL, listing->sides[i], room)), "");
		text_show(listing->out, listing->sides[i], room);
		fputs("  ", listing->out);
	}
	fprintf(listing->out, "%*s  %-*s  %-*s  ", (int)listing->change_columns, "change",
		(int)listing->interval_columns, "95 % interval", VERDICT_COLUMNS, "verdict");
	print_names(listing, "function", "binary");
}

/* Increases are red because users look for them. */
static enum color color_of(const struct listing *listing, const struct diff_row *row)
{
	if (!listing->color)
		return COLOR_NONE;
	return row->new_value > row->old_value ? COLOR_RED : COLOR_GREEN;
}

static void print_row(const struct listing *listing, const struct diff_row *row)
{
	struct cells cells;

	make_cells(&cells, listing, row);
	fprintf(listing->out, "%*s  %*s  ", (int)listing->side_columns[0], cells.values[0],
		(int)listing->side_columns[1], cells.values[1]);
	columns_put_cell(listing->out, listing->change_columns, cells.change,
			 color_of(listing, row));
	fprintf(listing->out, "%-*s  %-*s  ", (int)listing->interval_columns, cells.interval,
		VERDICT_COLUMNS, verdict_name(row->verdict, row->measure));
	print_names(listing, row->function, row->binary);
}

static void print_changes(const struct listing *listing)
{
	if (!listing->nr_rows)
		return;
	print_heading(listing);
	for (size_t i = 0; i < listing->nr_rows; i++)
		print_row(listing, listing->rows[i]);
}

/* Prints the lines of @text, which it frees, broken at spaces where they are too long. Returns
 * false if it is NULL, for lack of memory. */
static bool put_lines(const struct listing *listing, char *text)
{
	const bool ok = text;
	char *rest = text;

	for (char *line; (line = strsep(&rest, "\n")) != NULL;)
		if (*line)
			text_wrap(listing->out, line, 0, INDENT, listing->terminal_columns);
	free(text);
	return ok;
}

/* Prints the event's total first, then its samples on each side and what is compared. */
static void print_title(FILE *out, const struct listing *listing, const struct diff *diff,
			const struct diff_event *event)
{
	static const char *const compared[] = {
		[MEASURE_PERIOD] = "periods per run",
		[MEASURE_RATE] = "periods per second",
		[MEASURE_SHARE] = "shares",
	};
	char total[VALUETEXT_TOTAL_MAX];

	valuetext_total(total, diff, event);
	fprintf(out, "%s\n", total);
	text_show(out, event->name, SIZE_MAX);
	for (int i = 0; i < 2; i++) {
		fprintf(out, "%s%" PRIu64 " sample%s ", i ? ", " : ": ", event->total[i].samples,
			event->total[i].samples == 1 ? "" : "s");
		text_show(out, listing->sides[i], SIDE_COLUMNS_MAX);
	}
	fprintf(out, "; %s are compared\n", compared[diff->measure]);
}

/* Prints "12 functions same, 1.2 s -> 1.3 s: no change the data can show". */
static void print_rest(FILE *out, const struct listing *listing, size_t nr, const double values[2],
		       const char *verdict, const char *meaning)
{
	char old_value[VALUETEXT_MAX], new_value[VALUETEXT_MAX];

	if (!nr)
		return;
	fprintf(out, "%zu function%s %s", nr, nr == 1 ? "" : "s", verdict);
	if (!listing->overlap) {
		valuetext_value(old_value, listing->kind, values[0]);
		valuetext_value(new_value, listing->kind, values[1]);
		fprintf(out, ", %s -> %s", old_value, new_value);
	}
	fprintf(out, ": %s\n", meaning);
}

/* Picks the rows of @event that changed, at most @top. Returns false if memory is out. */
static bool pick_changes(struct listing *listing, const struct diff_event *event, size_t top)
{
	size_t max = top ? min_size(top, event->nr_changed) : event->nr_changed;

	listing->nr_rows = 0;
	listing->rows = calloc(max + 1, sizeof(*listing->rows));
	for (size_t i = 0; listing->rows && listing->nr_rows < max; i++) {
		if (verdict_is_change(event->rows[i].verdict))
			listing->rows[listing->nr_rows++] = &event->rows[i];
	}
	return listing->rows;
}

/* Prints how many changes are not shown, and all other functions. */
static void print_others(FILE *out, const struct listing *listing, const struct diff_event *event)
{
	const size_t more = event->nr_changed - listing->nr_rows;

	if (more)
		fprintf(out, "... %zu more change%s\n", more, more == 1 ? "" : "s");
	print_rest(out, listing, event->nr_unsure, event->unsure, "unsure",
		   "a change that matters cannot be ruled out");
	print_rest(out, listing, event->nr_rows - event->nr_changed - event->nr_unsure, event->same,
		   "same", "no change the data can show");
}

/* Prints @event with the changes that were picked. Returns false if memory is out. */
static bool print_picked(const struct listing *listing, const struct diff *diff,
			 const struct diff_event *event)
{
	struct textfile title, others;

	if (textfile_open(&title))
		print_title(title.out, listing, diff, event);
	if (!put_lines(listing, textfile_close(&title)))
		return false;
	print_changes(listing);
	if (textfile_open(&others))
		print_others(others.out, listing, event);
	return put_lines(listing, textfile_close(&others));
}

static int print_event(struct listing *listing, const struct diff *diff,
		       const struct diff_event *event, size_t top, struct error *err)
{
	bool ok;

	if (!pick_changes(listing, event, top))
		return error_nomem(err, "showing changes");
	listing->kind = (struct valuetext_kind){diff->measure, event->is_time};
	measure(listing);
	ok = print_picked(listing, diff, event);
	free(listing->rows);
	return ok ? 0 : error_nomem(err, "showing changes");
}

int diffconsole_print(FILE *out, const struct diff *diff, const char *const sides[2],
		      const struct console_settings *settings, struct error *err)
{
	struct listing listing = {.out = out,
				  .overlap = diff->children,
				  .sides = sides,
				  .color = settings->color,
				  .terminal_columns = columns_of_line(settings)};

	for (size_t i = 0; i < diff->nr_events; i++) {
		if (i > 0)
			fputc('\n', out);
		if (print_event(&listing, diff, &diff->events[i], settings->top, err) < 0)
			return -1;
	}
	if (fflush(out) || ferror(out))
		return error_io(err, "standard output", "cannot be written", errno);
	return 0;
}
