/* Prints the overview of functions for a terminal. */
#include "report/report.h"

#include "report/calltree.h"
#include "report/columns.h"
#include "report/counterlist.h"
#include "report/table.h"
#include "report/valuetext.h"
#include "util/digits.h"
#include "util/text.h"
#include "util/textfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	PERCENT_COLUMNS = 7,  /* "percent" and "100.00%" */
	CHILDREN_COLUMNS = 8, /* "children" */
};

/** What is shown for an event: the counts of the whole recording or of the window. */
struct console_part {
	const struct event_stat *stat; /* of the whole recording */
	uint64_t window;	       /* length in ns; 0: the whole recording is shown */
	struct tally left, taken;      /* like total and taken in event_stat */
	const struct function_stat *first;
	const struct split_row *split; /* in place of @first, if functions are split */
	size_t nr;
};

enum { KEYS_SHOWN_MAX = 8, KEY_COLUMNS_MAX = 32 };

/** The rows of one event and the widths of their columns, in terminal columns. */
struct console_listing {
	const struct function_stat *first;
	const struct split_row *split;	    /* in place of @first, if functions are split */
	const struct split_stat *keys;	    /* NULL: they are not */
	size_t key_columns[KEYS_SHOWN_MAX]; /* widths of their keys */
	size_t nr_keys;
	size_t nr_rows;	 /* rows to show */
	uint64_t period; /* period of the event */
	size_t period_columns, samples_columns, function_columns;
	size_t line_columns; /* SIZE_MAX: lines are not truncated */
	bool children;	     /* there is a column for functions with their callees */
	bool color;
};

static struct function_stat row_of(const struct console_listing *listing, size_t number)
{
	return listing->split ? split_row_function(&listing->split[number])
			      : listing->first[number];
}

/* The width of " (no-symbols)" after [unknown]. */
static size_t reason_columns(const struct function_stat *row)
{
	return *row->reason ? text_columns(row->reason) + 3 : 0;
}

/* The width of the numbers and keys, with their gaps, before the functions. */
static size_t numbers_columns(const struct console_listing *listing)
{
	size_t keys = 0;

	for (size_t i = 0; i < listing->nr_keys; i++)
		if (listing->key_columns[i])
			keys += listing->key_columns[i] + 2;
	return keys + PERCENT_COLUMNS + 2 + listing->period_columns + 2 + listing->samples_columns +
	       2 + (listing->children ? CHILDREN_COLUMNS + 2 : 0);
}

/* The name of a field without that of its event, if no other key is called so; slices with the
 * unit. */
static const char *heading_of(const struct split_stat *split, size_t key)
{
	const char *name = split->keys[key], *dot = strrchr(name, '.');

	if (strcmp(name, "slice") == 0)
		return "slice ns";
	for (size_t i = 0; dot && i < split->nr_keys; i++) {
		const char *other = strrchr(split->keys[i], '.');

		if (i != key && strcmp(other ? other + 1 : split->keys[i], dot + 1) == 0)
			return name;
	}
	return dot ? dot + 1 : name;
}

/* A key without a value in any row has no column: fields of other events are keys, too. */
static void measure_keys(struct console_listing *listing)
{
	for (size_t key = 0; key < listing->nr_keys; key++) {
		const size_t heading = text_columns(heading_of(listing->keys, key));
		size_t width = 0;

		for (size_t i = 0; i < listing->nr_rows; i++)
			width = max_size(width, text_columns(listing->split[i].values[key].text));
		if (width)
			width = min_size(max_size(width, heading), KEY_COLUMNS_MAX);
		listing->key_columns[key] = width;
	}
}

static void measure(struct console_listing *listing)
{
	size_t functions = strlen("function"), binaries = strlen("binary");

	listing->period_columns = strlen("period");
	listing->samples_columns = strlen("samples");
	measure_keys(listing);
	for (size_t i = 0; i < listing->nr_rows; i++) {
		const struct function_stat of = row_of(listing, i), *row = &of;

		listing->period_columns =
			max_size(listing->period_columns, columns_of_number(row->self.period));
		listing->samples_columns =
			max_size(listing->samples_columns, columns_of_number(row->self.samples));
		functions = max_size(functions, text_columns(row->function) + reason_columns(row));
		binaries = max_size(binaries, text_columns(row->binary));
	}
	listing->function_columns = columns_of_functions(
		listing->line_columns, numbers_columns(listing), functions, binaries);
}

/* Ends a line whose function used @used columns. */
static void print_binary(FILE *out, const struct console_listing *listing, size_t used,
			 const char *binary)
{
	size_t gap = minus(listing->function_columns, used) + 2;

	columns_end_line(out, gap,
			 minus(listing->line_columns, numbers_columns(listing) + used + gap),
			 binary);
}

/* Numbers are right-aligned; they fit, as no number is so wide. */
static void print_key(FILE *out, const struct console_listing *listing, size_t key,
		      const char *text, bool is_number)
{
	const size_t width = listing->key_columns[key];
	const size_t left = minus(width, text_columns(text));

	if (width == 0)
		return;
	if (is_number)
		fprintf(out, "%*s", (int)left, "");
	text_show_ends(out, text, width);
	fprintf(out, "%*s", (int)(is_number ? 2 : left + 2), "");
}

static void print_keys(FILE *out, const struct console_listing *listing, size_t number)
{
	for (size_t i = 0; i < listing->nr_keys; i++) {
		const struct split_value *value = &listing->split[number].values[i];

		print_key(out, listing, i, value->text, value->is_number);
	}
}

/* Numbers are never truncated: a wrong number is worse than a wrapped line. */
static void print_row(FILE *out, const struct console_listing *listing, size_t number)
{
	const struct function_stat of = row_of(listing, number), *row = &of;
	bool cut = listing->line_columns != SIZE_MAX;
	size_t room = cut ? listing->function_columns : SIZE_MAX, used;

	columns_put_share(out, PERCENT_COLUMNS, row->self.period, listing->period, listing->color);
	fprintf(out, "%*" PRIu64 "  %*" PRIu64 "  ", (int)listing->period_columns, row->self.period,
		(int)listing->samples_columns, row->self.samples);
	if (listing->children)
		columns_put_share(out, CHILDREN_COLUMNS, row->children.period, listing->period,
				  listing->color);
	print_keys(out, listing, number);
	used = text_show_ends(out, row->function, room);
	if (*row->reason && reason_columns(row) <= room - used)
		used += (size_t)fprintf(out, " (%s)", row->reason);
	print_binary(out, listing, used, row->binary);
}

static void print_heading(FILE *out, const struct console_listing *listing)
{
	fprintf(out, "%*s  %*s  %*s  ", PERCENT_COLUMNS, "percent", (int)listing->period_columns,
		"period", (int)listing->samples_columns, "samples");
	if (listing->children)
		fprintf(out, "%*s  ", CHILDREN_COLUMNS, "children");
	for (size_t i = 0; i < listing->nr_keys; i++)
		print_key(out, listing, i, heading_of(listing->keys, i),
			  listing->nr_rows && listing->split[0].values[i].is_number);
	print_binary(out, listing, text_show(out, "function", listing->function_columns), "binary");
}

static void print_functions(FILE *out, const struct console_part *part,
			    const struct split_stat *split, const struct console_settings *settings)
{
	struct console_listing listing = {.first = part->first, .split = part->split};
	size_t nr = part->nr;

	/* Functions without samples of their own, only callers, are in the table but not here. */
	while (nr > 0 && row_of(&listing, nr - 1).self.samples == 0)
		nr--;
	listing = (struct console_listing){
		.first = part->first,
		.split = part->split,
		.keys = split,
		.nr_keys = part->split ? min_size(split->nr_keys, KEYS_SHOWN_MAX) : 0,
		.nr_rows = settings->top ? min_size(nr, settings->top) : nr,
		.period = part->left.period,
		.line_columns = columns_of_line(settings),
		.children = part->stat->event->chains,
		.color = settings->color,
	};

	measure(&listing);
	print_heading(out, &listing);
	for (size_t i = 0; i < listing.nr_rows; i++)
		print_row(out, &listing, i);
	if (listing.nr_rows < nr)
		fprintf(out, "... %zu more row%s\n", nr - listing.nr_rows,
			nr - listing.nr_rows == 1 ? "" : "s");
}

/* Formats " (12.34 %)". */
static void put_part(FILE *out, uint64_t part, uint64_t whole)
{
	char percent[DIGITS_PERCENT_MAX];

	digits_percent(percent, part, whole, 2);
	fprintf(out, " (%s %%)", percent);
}

static void put_period(FILE *out, const struct event *event, uint64_t period)
{
	char text[VALUETEXT_MAX];

	valuetext_sum(text, (struct valuetext_kind){MEASURE_PERIOD, event->is_time},
		      (double)period);
	fprintf(out, "%s%s", text, event->is_time ? "" : period == 1 ? " event" : " events");
}

static void put_time(FILE *out, const char *before, uint64_t ns)
{
	char text[VALUETEXT_MAX];

	valuetext_sum(text, (struct valuetext_kind){MEASURE_PERIOD, true}, (double)ns);
	fprintf(out, "%s%s", before, text);
}

/* Formats "2 of 7 samples": those of @taken that the filters pass. */
static void put_samples(FILE *out, uint64_t left, uint64_t taken)
{
	fprintf(out, "%" PRIu64, left);
	if (taken > left)
		fprintf(out, " of %" PRIu64, taken);
	fprintf(out, " sample%s", (taken > left ? taken : left) == 1 ? "" : "s");
}

/* Formats the totals of an event, and which part of them the filters pass. */
static void put_whole(FILE *out, const struct console_part *part, uint64_t span)
{
	const struct event_stat *stat = part->stat;
	const struct tally *left = &part->left, *taken = &part->taken;
	const bool filtered = taken->samples > left->samples;

	put_samples(out, left->samples, taken->samples);
	if (filtered)
		put_part(out, left->samples, taken->samples);
	fputs(", period ", out);
	put_period(out, stat->event, left->period);
	if (filtered) {
		fputs(" of ", out);
		put_period(out, stat->event, taken->period);
		put_part(out, left->period, taken->period);
	}
	if (part->window) {
		fputs(", ", out);
		put_samples(out, stat->total.samples, stat->taken.samples);
		fputs(" in all", out);
	}
	if (span)
		put_time(out, ", recorded over ", span);
	fprintf(out, ", %" PRIu64 " lost", stat->dropped);
}

/* Prints @text from column @at on; breaks the line after a comma if the next part does not fit. */
static void print_parts(FILE *out, const char *text, size_t at, size_t columns)
{
	enum { INDENT = 4 };
	const char *start = text;

	while (*text) {
		const char *comma = strchr(text, ',');
		size_t len = comma ? (size_t)(comma - text) + 1 : strlen(text);

		if (text > start && len + 1 > minus(columns, at)) {
			fprintf(out, "\n%*s", INDENT, "");
			at = INDENT;
		} else if (text > start) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, len, out);
		at += len;
		text += len + (text[len] == ' ');
	}
	fputc('\n', out);
}

/* Prints the line of the event's totals. Returns false if memory is out. */
static bool print_title(FILE *out, const struct console_part *part, uint64_t span, size_t columns)
{
	enum { REST = 24 }; /* minimum of columns after a name */
	struct textfile file;
	size_t at, rest;
	char *text;

	if (textfile_open(&file)) {
		if (part->window)
			put_time(file.out, " in the last ", part->window);
		fputs(": ", file.out);
		put_whole(file.out, part, span);
	}
	text = textfile_close(&file);
	if (!text)
		return false;
	rest = max_size(REST, strcspn(text, ",") + 1);
	at = text_show_ends(out, part->stat->event->name, max_size(minus(columns, rest), REST));
	print_parts(out, text, at, columns);
	free(text);
	return true;
}

/* Whether the event is worth a line: a dummy event without samples is not. */
static bool is_of_interest(const struct event_stat *event)
{
	return event->total.samples || !event->event->dummy;
}

/* Prints one line for all events without samples: there may be hundreds. */
static void print_silent_events(FILE *out, const struct results *results, bool first)
{
	enum { NAMED_MAX = 5 };
	size_t nr = 0;

	for (size_t i = 0; i < results->nr_events; i++) {
		if (results->events[i].total.samples || !is_of_interest(&results->events[i]) ||
		    nr++ >= NAMED_MAX)
			continue;
		fputs(nr > 1 ? ", " : first ? "no samples" : "\nno samples", out);
		if (nr == 1)
			fputs(results->filtered ? " left: " : ": ", out);
		text_show(out, results->events[i].event->name, SIZE_MAX);
	}
	if (nr > NAMED_MAX)
		fprintf(out, " and %zu more event%s", nr - NAMED_MAX,
			nr - NAMED_MAX == 1 ? "" : "s");
	if (nr)
		fputc('\n', out);
}

/* Sets the functions of the event, which begin at *@at, and moves that past them. */
static void take_functions(struct console_part *part, const struct results *results, size_t *at)
{
	const struct window_stat *window = results->window;
	const struct function_stat *rows = window ? window->functions : results->functions;
	const size_t nr = window ? window->nr_functions : results->nr_functions, first = *at;

	while (*at < nr && rows[*at].event == part->stat->event)
		++*at;
	part->nr = *at - first;
	part->first = part->nr ? &rows[first] : NULL;
}

/* As take_functions(), where functions are split. */
static void take_split(struct console_part *part, const struct split_stat *split, size_t *at)
{
	const size_t first = *at;

	while (*at < split->nr_rows && split->rows[*at].function->event == part->stat->event)
		++*at;
	part->nr = *at - first;
	part->split = part->nr ? &split->rows[first] : NULL;
}

/* Returns what is shown of event @number; its functions begin at *@at, which is moved past them. */
static struct console_part take_part(const struct results *results, size_t number, size_t *at)
{
	const struct window_stat *window = results->window;
	struct console_part part = {.stat = &results->events[number]};

	if (results->split)
		take_split(&part, window ? window->split : results->split, at);
	else
		take_functions(&part, results, at);
	part.window = window ? window->length : 0;
	part.left = window ? window->events[number].total : part.stat->total;
	part.taken = window ? window->events[number].taken : part.stat->taken;
	return part;
}

int report_console(FILE *out, const struct results *results, uint64_t span,
		   const struct console_settings *settings, struct error *err)
{
	const bool trees = settings->callers || settings->callees;
	size_t at = 0;
	bool first = true;

	for (size_t i = 0; i < results->nr_events; i++) {
		const struct console_part part = take_part(results, i, &at);

		if (!part.stat->total.samples || (trees && !calltree_exists(results, part.stat)))
			continue;
		if (!first && !settings->totals)
			fputc('\n', out);
		first = false;
		if (!print_title(out, &part, span, columns_of_line(settings)))
			return error_nomem(err, "showing the overview");
		if (trees)
			calltree_print(out, results, part.stat, settings);
		else if (part.nr && !settings->totals)
			print_functions(out, &part, results->split, settings);
	}
	if (trees)
		calltree_print_missing(out, results, settings);
	else if (counterlist_exists(results))
		counterlist_print(out, results, settings);
	else
		print_silent_events(out, results, first);
	if (fflush(out) || ferror(out))
		return error_io(err, settings->called ? settings->called : "standard output",
				"cannot be written", errno);
	return 0;
}
