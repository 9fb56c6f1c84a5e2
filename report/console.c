/* The overview of functions for a terminal. */
#include "report/report.h"

#include "report/columns.h"
#include "report/table.h"
#include "util/text.h"

#include <errno.h>
#include <inttypes.h>

enum {
	PERCENT_COLUMNS = 7, /* "percent" and "100.00%" */
};

/** The rows of one event and how wide their columns are, in columns of a terminal. */
struct listing {
	const struct function_stat *first;
	size_t nr_rows;	 /* shown */
	uint64_t period; /* of the whole event */
	size_t period_columns, samples_columns, function_columns;
	size_t line_columns; /* SIZE_MAX: lines are not cut */
};

static size_t digits(uint64_t value)
{
	return (size_t)snprintf(NULL, 0, "%" PRIu64, value);
}

/* " (no-symbols)" behind [unknown]. */
static size_t reason_columns(const struct function_stat *row)
{
	return *row->reason ? text_columns(row->reason) + 3 : 0;
}

/* The numbers, their gaps included, are left of the functions. */
static size_t numbers_columns(const struct listing *listing)
{
	return PERCENT_COLUMNS + 2 + listing->period_columns + 2 + listing->samples_columns + 2;
}

static void measure(struct listing *listing)
{
	size_t functions = strlen("function"), binaries = strlen("binary");

	listing->period_columns = strlen("period");
	listing->samples_columns = strlen("samples");
	for (size_t i = 0; i < listing->nr_rows; i++) {
		const struct function_stat *row = &listing->first[i];

		listing->period_columns =
			max_size(listing->period_columns, digits(row->self.period));
		listing->samples_columns =
			max_size(listing->samples_columns, digits(row->self.samples));
		functions = max_size(functions, text_columns(row->function) + reason_columns(row));
		binaries = max_size(binaries, text_columns(row->binary));
	}
	listing->function_columns = columns_of_functions(
		listing->line_columns, numbers_columns(listing), functions, binaries);
}

/* Ends a line whose function took @used columns. */
static void print_binary(FILE *out, const struct listing *listing, size_t used, const char *binary)
{
	size_t gap = minus(listing->function_columns, used) + 2;

	columns_end_line(out, gap,
			 minus(listing->line_columns, numbers_columns(listing) + used + gap),
			 binary);
}

/* Numbers are never cut: a wrong number is worse than a wrapped line. */
static void print_row(FILE *out, const struct listing *listing, const struct function_stat *row)
{
	bool cut = listing->line_columns != SIZE_MAX;
	size_t room = cut ? listing->function_columns : SIZE_MAX, used;
	char percent[PERCENT_MAX_CHARS];

	percent_format(percent, row->self.period, listing->period, 2);
	fprintf(out, "%*s%%  %*" PRIu64 "  %*" PRIu64 "  ", PERCENT_COLUMNS - 1, percent,
		(int)listing->period_columns, row->self.period, (int)listing->samples_columns,
		row->self.samples);
	used = text_show(out, row->function, room);
	if (*row->reason && reason_columns(row) <= room - used)
		used += (size_t)fprintf(out, " (%s)", row->reason);
	print_binary(out, listing, used, row->binary);
}

static void print_heading(FILE *out, const struct listing *listing)
{
	fprintf(out, "%*s  %*s  %*s  ", PERCENT_COLUMNS, "percent", (int)listing->period_columns,
		"period", (int)listing->samples_columns, "samples");
	print_binary(out, listing, text_show(out, "function", listing->function_columns), "binary");
}

static void print_event(FILE *out, const struct event_stat *event,
			const struct function_stat *first, size_t nr, size_t top, size_t columns)
{
	struct listing listing;

	/* Functions that only called others are in the table, not here. */
	while (nr > 0 && first[nr - 1].self.samples == 0)
		nr--;
	listing = (struct listing){
		.first = first,
		.nr_rows = top ? min_size(nr, top) : nr,
		.period = event->total.period,
		.line_columns = columns ? columns : SIZE_MAX,
	};

	measure(&listing);
	print_heading(out, &listing);
	for (size_t i = 0; i < listing.nr_rows; i++)
		print_row(out, &listing, &first[i]);
	if (listing.nr_rows < nr)
		fprintf(out, "... %zu more row%s\n", nr - listing.nr_rows,
			nr - listing.nr_rows == 1 ? "" : "s");
}

/* Needed to tell events apart; with one there is nothing to tell. */
static void print_event_title(FILE *out, const struct event_stat *event)
{
	text_show(out, event->event->name, SIZE_MAX);
	fprintf(out, ": %" PRIu64 " sample%s, period %" PRIu64 "\n", event->total.samples,
		event->total.samples == 1 ? "" : "s", event->total.period);
}

/* That nothing came of a dummy event tells nothing. */
static bool is_of_interest(const struct event_stat *event)
{
	return event->total.samples || !event->event->dummy;
}

/* One line for all the events that never came: there may be hundreds. */
static void print_silent_events(FILE *out, const struct results *results, bool first)
{
	enum { NAMED_MAX = 5 };
	size_t nr = 0;

	for (size_t i = 0; i < results->nr_events; i++) {
		if (results->events[i].total.samples || !is_of_interest(&results->events[i]) ||
		    nr++ >= NAMED_MAX)
			continue;
		fputs(nr > 1 ? ", " : first ? "no samples: " : "\nno samples: ", out);
		text_show(out, results->events[i].event->name, SIZE_MAX);
	}
	if (nr > NAMED_MAX)
		fprintf(out, " and %zu more events", nr - NAMED_MAX);
	if (nr)
		fputc('\n', out);
}

int report_console(FILE *out, const struct results *results, size_t top, size_t columns,
		   struct error *err)
{
	size_t at = 0, end, nr = 0;
	bool first = true;

	for (size_t i = 0; i < results->nr_events; i++)
		nr += is_of_interest(&results->events[i]);
	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *event = &results->events[i];

		for (end = at; end < results->nr_functions; end++)
			if (results->functions[end].event != event->event)
				break;
		if (event->total.samples) {
			if (!first)
				fputc('\n', out);
			first = false;
			if (nr > 1)
				print_event_title(out, event);
			print_event(out, event, &results->functions[at], end - at, top, columns);
		}
		at = end;
	}
	print_silent_events(out, results, first);
	if (fflush(out) || ferror(out))
		return error_io(err, "standard output", "cannot be written", errno);
	return 0;
}
