/* The largest changes of a comparison for a terminal. */
#include "report/diff.h"

#include "report/columns.h"
#include "util/csv.h"
#include "util/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NUMBER_MAX = 32,
	SIDE_COLUMNS = 7,      /* "100.00%" */
	SIDE_COLUMNS_MAX = 16, /* for the name of a side */
	CHANGE_COLUMNS = 7,    /* "+100.00" */
	VERDICT_COLUMNS = 7,   /* "verdict" */
};

const struct diffreport_words diffreport_words[] = {
	[MEASURE_SHARE] = {"", "percentage points", "points"},
	[MEASURE_PERIOD] = {"period per run", "percent of the old period",
			    "percent of the old period"},
	[MEASURE_RATE] = {"period per second", "percent of the old period per second",
			  "percent of the old period per second"},
};

void diffreport_value(char to[DIFFREPORT_VALUE_MAX], enum measure measure, double value)
{
	const bool whole = value >= 1000 || value == floor(value);

	if (measure == MEASURE_SHARE)
		snprintf(to, DIFFREPORT_VALUE_MAX, "%.2f%%", value);
	else
		snprintf(to, DIFFREPORT_VALUE_MAX, whole ? "%.0f" : "%.2f", value);
}

/** The changes of one event and how wide their columns are, in columns of a terminal. */
struct listing {
	FILE *out;
	enum measure measure;
	bool overlap; /* values of functions have parts in common: their sum says nothing */
	const struct diff_row **rows;
	size_t nr_rows;
	const char *const *sides;
	size_t side_columns[2], interval_columns, function_columns;
	size_t line_columns; /* SIZE_MAX: lines are not cut */
};

/* "+1.25", and "0.00" without a sign. Numbers beyond reason are written as powers of ten. */
static void format_points(char to[NUMBER_MAX], double value)
{
	snprintf(to, NUMBER_MAX, fabs(value) < 1e9 ? "%+.2f" : "%+.2e", value);
	if (to[strspn(to, "+-0.")] == '\0')
		strcpy(to, "0.00");
}

/* "+1.25 to +3.50" */
static void format_interval(char to[2 * NUMBER_MAX + 8], const struct diff_row *row)
{
	char low[NUMBER_MAX], high[NUMBER_MAX];

	format_points(low, row->ci_low);
	format_points(high, row->ci_high);
	snprintf(to, 2 * NUMBER_MAX + 8, "%s to %s", low, high);
}

static size_t numbers_columns(const struct listing *listing)
{
	return listing->side_columns[0] + 2 + listing->side_columns[1] + 2 + CHANGE_COLUMNS + 2 +
	       listing->interval_columns + 2 + VERDICT_COLUMNS + 2;
}

/* Widens the columns of the sides as far as the values of @row need it. */
static void measure_values(struct listing *listing, const struct diff_row *row)
{
	const double values[2] = {row->old_value, row->new_value};
	char value[DIFFREPORT_VALUE_MAX];

	for (int i = 0; i < 2; i++) {
		diffreport_value(value, listing->measure, values[i]);
		listing->side_columns[i] = max_size(listing->side_columns[i], strlen(value));
	}
}

static void measure(struct listing *listing)
{
	size_t functions = strlen("function"), binaries = strlen("binary");
	char interval[2 * NUMBER_MAX + 8];

	for (int i = 0; i < 2; i++)
		listing->side_columns[i] = max_size(
			SIDE_COLUMNS, min_size(text_columns(listing->sides[i]), SIDE_COLUMNS_MAX));
	listing->interval_columns = strlen("95 % interval");
	for (size_t i = 0; i < listing->nr_rows; i++) {
		measure_values(listing, listing->rows[i]);
		format_interval(interval, listing->rows[i]);
		listing->interval_columns = max_size(listing->interval_columns, strlen(interval));
		functions = max_size(functions, text_columns(listing->rows[i]->function));
		binaries = max_size(binaries, text_columns(listing->rows[i]->binary));
	}
	listing->function_columns = columns_of_functions(
		listing->line_columns, numbers_columns(listing), functions, binaries);
}

/* Ends a line. */
static void print_names(const struct listing *listing, const char *function, const char *binary)
{
	size_t room = listing->line_columns == SIZE_MAX ? SIZE_MAX : listing->function_columns;
	size_t used = text_show(listing->out, function, room);
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
	fprintf(listing->out, "%*s  %-*s  %-*s  ", CHANGE_COLUMNS, "change",
		(int)listing->interval_columns, "95 % interval", VERDICT_COLUMNS, "verdict");
	print_names(listing, "function", "binary");
}

static void print_row(const struct listing *listing, const struct diff_row *row)
{
	char old_value[DIFFREPORT_VALUE_MAX], new_value[DIFFREPORT_VALUE_MAX];
	char change[NUMBER_MAX], interval[2 * NUMBER_MAX + 8];

	diffreport_value(old_value, listing->measure, row->old_value);
	diffreport_value(new_value, listing->measure, row->new_value);
	format_points(change, row->delta_percent);
	format_interval(interval, row);
	fprintf(listing->out, "%*s  %*s  %*s  %-*s  %-*s  ", (int)listing->side_columns[0],
		old_value, (int)listing->side_columns[1], new_value, CHANGE_COLUMNS, change,
		(int)listing->interval_columns, interval, VERDICT_COLUMNS,
		verdict_name(row->verdict, listing->measure));
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

static void print_title(const struct listing *listing, const struct diff *diff,
			const struct diff_event *event)
{
	const struct diffreport_words *words = &diffreport_words[diff->measure];

	text_show(listing->out, event->name, SIZE_MAX);
	for (int i = 0; i < 2; i++) {
		fprintf(listing->out, "%s%" PRIu64 " samples ", i ? ", " : ": ",
			event->total[i].samples);
		text_show(listing->out, listing->sides[i], SIDE_COLUMNS_MAX);
	}
	fprintf(listing->out, "; %s%schanges in %s\n", words->value, *words->value ? ", " : "",
		words->change);
}

static void print_same(const struct listing *listing, const struct diff_event *event)
{
	size_t nr = event->nr_rows - event->nr_changed;
	char value[DIFFREPORT_VALUE_MAX];

	if (!nr)
		return;
	fprintf(listing->out, "%zu function%s without a change that the data can show", nr,
		nr == 1 ? "" : "s");
	for (int i = 0; i < 2 && !listing->overlap; i++) {
		diffreport_value(value, listing->measure, event->same[i]);
		fprintf(listing->out, "%s%s ", i ? ", " : ": ", value);
		text_show(listing->out, listing->sides[i], SIDE_COLUMNS_MAX);
	}
	fputc('\n', listing->out);
}

/* Picks the rows of @event that changed. Returns false if memory is out. */
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

static int print_event(struct listing *listing, const struct diff *diff,
		       const struct diff_event *event, size_t top, struct error *err)
{
	size_t more;

	if (!pick_changes(listing, event, top))
		return error_nomem(err, "showing changes");
	measure(listing);
	print_title(listing, diff, event);
	print_changes(listing);
	more = event->nr_changed - listing->nr_rows;
	if (more)
		fprintf(listing->out, "... %zu more change%s\n", more, more == 1 ? "" : "s");
	print_same(listing, event);
	free(listing->rows);
	return 0;
}

int diffreport_console(FILE *out, const struct diff *diff, const char *const sides[2], size_t top,
		       size_t columns, struct error *err)
{
	struct listing listing = {.out = out,
				  .measure = diff->measure,
				  .overlap = diff->children,
				  .sides = sides,
				  .line_columns = columns ? columns : SIZE_MAX};

	for (size_t i = 0; i < diff->nr_events; i++) {
		if (i > 0)
			fputc('\n', out);
		if (print_event(&listing, diff, &diff->events[i], top, err) < 0)
			return -1;
	}
	if (fflush(out) || ferror(out))
		return error_io(err, "standard output", "cannot be written", errno);
	return 0;
}
