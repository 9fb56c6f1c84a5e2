#include "report/calltree.h"

#include "report/columns.h"
#include "report/table.h"
#include "util/text.h"

#include <inttypes.h>
#include <string.h>

enum {
	PERCENT_COLUMNS = 7, /* "percent" and "100.00%" */
	INDENT = 2,	     /* of what is one call further */
	NAME_COLUMNS = 12,   /* that indents leave to names, or half of the room */
};

/* The rows of one event, and how wide their columns are. */
struct tree_listing {
	const struct focus_stat *first;
	size_t nr;
	const char *heading;
	uint64_t period; /* of the whole event */
	size_t period_columns, samples_columns, function_columns;
	size_t line_columns; /* SIZE_MAX: lines are not cut */
	size_t farthest;     /* indent of rows that would leave their names no room */
	bool color;
};

static size_t indent_of(const struct focus_stat *row)
{
	return INDENT * (size_t)row->depth;
}

static const char *binary_of(const struct focus_stat *row)
{
	return row->function ? row->function->binary : "";
}

/* Shows what is left out: so many functions, or all that is farther away. */
static size_t show_left_out(FILE *out, const struct focus_stat *row, size_t columns)
{
	char text[64] = "...";

	if (!row->beyond)
		snprintf(text, sizeof(text), "... %zu more", row->left_out);
	return text_show(out, text, columns);
}

/* Shows "[stack-cut]" where the chain is cut, and why a function has no name. */
static size_t show_name(FILE *out, const struct focus_stat *row, size_t columns)
{
	const char *const reason = row->function ? row->function->reason : "";
	char text[64];
	size_t used;

	if (row->beyond || row->left_out)
		return show_left_out(out, row, columns);
	if (!row->function) {
		snprintf(text, sizeof(text), "[%s]", row->end);
		return text_show_ends(out, text, columns);
	}
	used = text_show_ends(out, row->function->function, columns);
	snprintf(text, sizeof(text), " (%s)", reason);
	if (*reason && text_columns(text) <= columns - used)
		used += text_show(out, text, SIZE_MAX);
	return used;
}

/* The numbers, their gaps included, are left of the functions. */
static size_t numbers_columns(const struct tree_listing *listing)
{
	return PERCENT_COLUMNS + 2 + listing->period_columns + 2 + listing->samples_columns + 2;
}

/*
 * Limits the indents of rows only if names, which need @needed columns with their indents, have no
 * room: a limited one shows a call as if its caller's caller had made it.
 */
static void limit_indents(struct tree_listing *listing, size_t needed)
{
	const size_t room = listing->function_columns;

	listing->farthest = SIZE_MAX;
	if (listing->line_columns != SIZE_MAX && needed > room)
		listing->farthest = max_size(minus(room, NAME_COLUMNS), room / 2);
}

static void measure(struct tree_listing *listing)
{
	size_t functions = strlen(listing->heading), binaries = strlen("binary"), needed = 0;

	listing->period_columns = strlen("period");
	listing->samples_columns = strlen("samples");
	for (size_t i = 0; i < listing->nr; i++) {
		const struct focus_stat *row = &listing->first[i];
		const size_t name = show_name(NULL, row, SIZE_MAX);

		listing->period_columns =
			max_size(listing->period_columns, columns_of_number(row->total.period));
		listing->samples_columns =
			max_size(listing->samples_columns, columns_of_number(row->total.samples));
		functions = max_size(functions, indent_of(row) + name);
		needed = max_size(needed, indent_of(row) + min_size(name, NAME_COLUMNS));
		binaries = max_size(binaries, text_columns(binary_of(row)));
	}
	listing->function_columns = columns_of_functions(
		listing->line_columns, numbers_columns(listing), functions, binaries);
	limit_indents(listing, needed);
}

/* Ends a line whose function took @used columns. */
static void end_line(FILE *out, const struct tree_listing *listing, size_t used, const char *binary)
{
	const size_t gap = minus(listing->function_columns, used) + 2;

	columns_end_line(out, gap,
			 minus(listing->line_columns, numbers_columns(listing) + used + gap),
			 binary);
}

static void print_row(FILE *out, const struct tree_listing *listing, const struct focus_stat *row)
{
	const bool cut = listing->line_columns != SIZE_MAX;
	const size_t room = cut ? listing->function_columns : SIZE_MAX;
	const size_t indent = min_size(indent_of(row), listing->farthest);

	columns_put_share(out, PERCENT_COLUMNS, row->total.period, listing->period, listing->color);
	fprintf(out, "%*" PRIu64 "  %*" PRIu64 "  %*s", (int)listing->period_columns,
		row->total.period, (int)listing->samples_columns, row->total.samples, (int)indent,
		"");
	end_line(out, listing, indent + show_name(out, row, minus(room, indent)), binary_of(row));
}

static void print_heading(FILE *out, const struct tree_listing *listing)
{
	fprintf(out, "%*s  %*s  %*s  ", PERCENT_COLUMNS, "percent", (int)listing->period_columns,
		"period", (int)listing->samples_columns, "samples");
	end_line(out, listing, text_show(out, listing->heading, listing->function_columns),
		 "binary");
}

/* How many of the @nr rows are of the first @top trees (0: all); *@nr_trees: how many there are. */
static size_t count_rows(const struct focus_stat *rows, size_t nr, size_t top, size_t *nr_trees)
{
	size_t shown = nr;

	*nr_trees = 0;
	for (size_t i = 0; i < nr; i++) {
		if (rows[i].depth)
			continue;
		if (top && *nr_trees == top)
			shown = i;
		++*nr_trees;
	}
	return shown;
}

static void print_trees(FILE *out, const struct focus_stat *rows, size_t nr,
			const struct event_stat *stat, const struct console_settings *settings,
			const char *heading)
{
	struct tree_listing listing = {
		.first = rows,
		.heading = heading,
		.period = stat->total.period,
		.line_columns = columns_of_line(settings),
		.color = settings->color,
	};
	size_t nr_trees;

	listing.nr = count_rows(rows, nr, settings->top, &nr_trees);
	measure(&listing);
	print_heading(out, &listing);
	for (size_t i = 0; i < listing.nr; i++)
		print_row(out, &listing, &rows[i]);
	if (listing.nr < nr)
		fprintf(out, "... %zu more function%s\n", nr_trees - settings->top,
			nr_trees - settings->top == 1 ? "" : "s");
}

/* The rows of the event of @stat that @answer has. */
static struct rows rows_of_event(const struct results *results, const struct answer *answer,
				 const struct event_stat *stat)
{
	const struct rows rows = results_rows(results, answer);
	const struct focus_stat *first = rows.first;
	size_t skipped = 0, nr = 0;

	while (skipped < rows.nr && first[skipped].event != stat->event)
		skipped++;
	while (skipped + nr < rows.nr && first[skipped + nr].event == stat->event)
		nr++;
	return (struct rows){.first = nr ? first + skipped : NULL, .nr = nr};
}

bool calltree_exists(const struct results *results, const struct event_stat *stat)
{
	return rows_of_event(results, &focusstat_callers, stat).nr ||
	       rows_of_event(results, &focusstat_callees, stat).nr;
}

void calltree_print(FILE *out, const struct results *results, const struct event_stat *stat,
		    const struct console_settings *settings)
{
	struct rows callers = {0}, callees = {0};

	if (settings->callers)
		callers = rows_of_event(results, &focusstat_callers, stat);
	if (settings->callees)
		callees = rows_of_event(results, &focusstat_callees, stat);
	if (callers.nr)
		print_trees(out, callers.first, callers.nr, stat, settings, "callers");
	if (callers.nr && callees.nr)
		fputc('\n', out);
	if (callees.nr)
		print_trees(out, callees.first, callees.nr, stat, settings, "callees");
}

/* Says that no function matches one of the @patterns of the @option. */
static void print_missing(FILE *out, const char *option, char *const *patterns)
{
	fprintf(out, "no function with samples, or that called one, matches --%s=", option);
	for (size_t i = 0; patterns[i]; i++) {
		fputs(i ? "," : "", out);
		text_show(out, patterns[i], SIZE_MAX);
	}
	fputc('\n', out);
}

void calltree_print_missing(FILE *out, const struct results *results,
			    const struct console_settings *settings)
{
	if (settings->callers && !results_rows(results, &focusstat_callers).nr)
		print_missing(out, "callers", settings->callers);
	if (settings->callees && !results_rows(results, &focusstat_callees).nr)
		print_missing(out, "callees", settings->callees);
}

void report_add_console_needs(const struct console_settings *settings, struct needs *needs)
{
	if (settings->callers)
		needs_add(needs, &focusstat_callers);
	if (settings->callees)
		needs_add(needs, &focusstat_callees);
	needs_add(needs, &counterstat_totals);
}
