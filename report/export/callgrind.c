/*
 * Callgrind's format, for KCachegrind and callgrind_annotate: what each function counted by line,
 * and its calls.
 *
 * Every event has two columns, its periods and its samples. A call is said to have happened as
 * often as it was sampled.
 */
#include "report/export/framename.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "util/intern.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_NAME_MAX = 64 };

/* Rows of another table by function: those of function n are order[first[n]] to before
 * order[first[n + 1]]. */
struct function_rows {
	size_t *first;
	uint32_t *order;
};

/* The file in the making. Names are written once, and have numbers from then on. */
struct callgrind {
	const struct runexport_view *view;
	struct outfile *out;
	struct intern objects, files, functions;
	struct framename name;
	struct function_rows addresses, calls;
	unsigned column; /* that the costs at hand begin at */
	bool failed;	 /* memory is out */
};

/* ---- texts and numbers ----------------------------------------------------------------------- */

/* A name ends with its line: control characters become spaces. */
static void put_text(struct callgrind *to, const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		uint32_t code;
		const size_t bytes = text_decode(text, len, &code);

		if (code == TEXT_INVALID)
			outfile_string(to->out, TEXT_REPLACEMENT);
		else if (code < ' ' || (code >= 0x7f && code < 0xa0))
			outfile_string(to->out, " ");
		else
			outfile_append(to->out, text, bytes);
		text += bytes;
		len -= bytes;
	}
}

static void put_number(struct callgrind *to, const char *before, uint64_t number)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%" PRIu64, before, number);
	outfile_string(to->out, text);
}

/* "fn=(2) name", or "fn=(2)" once that was written. */
static void put_name(struct callgrind *to, const char *key, struct intern *names, const char *name)
{
	const size_t known = names->nr_strings;
	uint32_t number;

	number = name ? intern_string(names, name) : INTERN_NOMEM;
	if (number == INTERN_NOMEM) {
		to->failed = true;
		return;
	}
	outfile_string(to->out, key);
	put_number(to, "=(", number);
	outfile_string(to->out, ")");
	if (names->nr_strings > known) {
		outfile_string(to->out, " ");
		put_text(to, name);
	}
	outfile_string(to->out, "\n");
}

static const char *known_file(const char *filename)
{
	return *filename ? filename : "???";
}

/* Columns at the end that are 0 may be left out, those before not. */
static void put_costs(struct callgrind *to, uint32_t line, const struct tally *tally)
{
	put_number(to, "", line);
	for (unsigned i = 0; i < to->column; i++)
		outfile_string(to->out, " 0");
	put_number(to, " ", tally->period);
	put_number(to, " ", tally->samples);
	outfile_string(to->out, "\n");
}

/* ---- the header ------------------------------------------------------------------------------ */

/* The name of an event's column has only letters, digits and underscores. */
static void name_column(char name[COLUMN_NAME_MAX], const struct results *results, size_t number)
{
	static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

	snprintf(name, COLUMN_NAME_MAX / 2, "e%zu_%s", number + 1,
		 results->events[results->sampled[number]].event->name);
	for (char *at = name; *(at += strspn(at, fit)); at++)
		*at = '_';
}

static void put_columns(struct callgrind *to)
{
	const struct results *results = to->view->results;
	char name[COLUMN_NAME_MAX];

	for (size_t i = 0; i < results->nr_sampled; i++) {
		const char *event = results->events[results->sampled[i]].event->name;

		name_column(name, results, i);
		outfile_string(to->out, "event: ");
		outfile_string(to->out, name);
		outfile_string(to->out, "_period : period of ");
		put_text(to, event);
		outfile_string(to->out, "\nevent: ");
		outfile_string(to->out, name);
		outfile_string(to->out, "_samples : samples of ");
		put_text(to, event);
		outfile_string(to->out, "\n");
	}
	outfile_string(to->out, results->nr_sampled ? "events:" : "events: samples");
	for (size_t i = 0; i < results->nr_sampled; i++) {
		name_column(name, results, i);
		outfile_string(to->out, " ");
		outfile_string(to->out, name);
		outfile_string(to->out, "_period ");
		outfile_string(to->out, name);
		outfile_string(to->out, "_samples");
	}
	outfile_string(to->out, "\n");
}

static void put_totals(struct callgrind *to, const char *key)
{
	const struct results *results = to->view->results;

	outfile_string(to->out, key);
	if (!results->nr_sampled)
		outfile_string(to->out, " 0");
	for (size_t i = 0; i < results->nr_sampled; i++) {
		const struct tally *total = &results->events[results->sampled[i]].total;

		put_number(to, " ", total->period);
		put_number(to, " ", total->samples);
	}
	outfile_string(to->out, "\n");
}

static void put_header(struct callgrind *to)
{
	outfile_string(to->out,
		       "# callgrind format\nversion: 1\ncreator: readperf " READPERF_VERSION
		       "\npositions: line\n");
	put_columns(to);
	put_totals(to, "summary:");
}

/* ---- functions ------------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b, void *arg)
{
	const struct address_stat *addresses = arg;
	const struct address_stat *x = &addresses[*(const uint32_t *)a];
	const struct address_stat *y = &addresses[*(const uint32_t *)b];
	const int order = strcmp(x->filename, y->filename);

	if (order != 0)
		return order;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* What @nr addresses of a function counted by line; lines of other files are said to be inlined. */
static void put_lines(struct callgrind *to, const struct function_stat *function,
		      const uint32_t *order, size_t nr)
{
	const struct rows rows = results_rows(to->view->results, &linestat_addresses);
	const struct address_stat *addresses = rows.first;
	const char *file = known_file(function->filename);

	for (size_t i = 0, next; i < nr; i = next) {
		const struct address_stat *at = &addresses[order[i]];
		struct tally sum = {0};

		for (next = i; next < nr && addresses[order[next]].line == at->line &&
			       strcmp(addresses[order[next]].filename, at->filename) == 0;
		     next++)
			tally_add(&sum, addresses[order[next]].self.samples,
				  addresses[order[next]].self.period);
		if (*at->filename && strcmp(at->filename, file) != 0) {
			file = at->filename;
			put_name(to, "fi", &to->files, file);
		}
		put_costs(to, at->line, &sum);
	}
}

/* A call from @line of the function at hand. */
static void put_call(struct callgrind *to, const struct call_stat *call, uint32_t line)
{
	put_name(to, "cob", &to->objects, call->callee->binary);
	put_name(to, "cfi", &to->files, known_file(call->callee->filename));
	put_name(to, "cfn", &to->functions, framename_of(&to->name, call->callee));
	put_number(to, "calls=", call->total.samples);
	put_number(to, " ", call->callee->line);
	outfile_string(to->out, "\n");
	put_costs(to, line, &call->total);
}

static void put_calls(struct callgrind *to, const struct function_stat *function,
		      const uint32_t *order, size_t nr)
{
	const struct rows rows = results_rows(to->view->results, &pathstat_calls);
	const struct call_stat *calls = rows.first;

	for (size_t i = 0; i < nr; i++)
		put_call(to, &calls[order[i]], function->line);
}

static void put_function(struct callgrind *to, size_t number)
{
	const struct function_stat *function = &to->view->results->functions[number];
	const struct function_rows *of = &to->addresses, *calls = &to->calls;
	const struct rows addresses = results_rows(to->view->results, &linestat_addresses);
	const size_t nr = of->first[number + 1] - of->first[number];

	outfile_string(to->out, "\n");
	put_name(to, "ob", &to->objects, function->binary);
	put_name(to, "fl", &to->files, known_file(function->filename));
	put_name(to, "fn", &to->functions, framename_of(&to->name, function));
	if (nr)
		qsort_r(of->order + of->first[number], nr, sizeof(*of->order), compare_lines,
			(void *)(uintptr_t)addresses.first);
	put_lines(to, function, of->order + of->first[number], nr);
	put_name(to, "fe", &to->files, known_file(function->filename));
	put_calls(to, function, calls->order + calls->first[number],
		  calls->first[number + 1] - calls->first[number]);
}

/* The first of the event's columns. */
static unsigned column_of(const struct results *results, const struct event *event)
{
	unsigned i = 0;

	while (i + 1 < results->nr_sampled && results->events[results->sampled[i]].event != event)
		i++;
	return 2 * i;
}

static void put_functions(struct callgrind *to)
{
	const struct results *results = to->view->results;

	for (size_t i = 0; i < results->nr_functions && !to->failed; i++) {
		to->column = column_of(results, results->functions[i].event);
		put_function(to, i);
	}
}

/* Readers take the sum of the calls of a function for what it counted with all that it calls. So
 * what nothing calls is called, too: by why its callers are not known. */
static void put_roots(struct callgrind *to)
{
	const struct rows rows = results_rows(to->view->results, &pathstat_calls);
	const struct call_stat *calls = rows.first;

	for (size_t i = 0; i < rows.nr && !to->failed; i++) {
		const struct call_stat *call = &calls[i];

		if (call->caller)
			continue;
		to->column = column_of(to->view->results, call->callee->event);
		outfile_string(to->out, "\n");
		put_name(to, "ob", &to->objects, "???");
		put_name(to, "fl", &to->files, "???");
		put_name(to, "fn", &to->functions,
			 call->cut ? framename_of_end(&to->name, call->end) : "[root]");
		put_call(to, call, 0);
	}
}

/* ---- rows by function ------------------------------------------------------------------------ */

/* The number of the function that @row of @of is of; SIZE_MAX: of none. */
typedef size_t owner_of(const struct results *results, const struct rows *of, size_t row);

static size_t owner_of_address(const struct results *results, const struct rows *of, size_t row)
{
	const struct address_stat *addresses = of->first;

	return (size_t)(addresses[row].owner - results->functions);
}

/* What a function calls within itself is in its own sum already. */
static size_t owner_of_call(const struct results *results, const struct rows *of, size_t row)
{
	const struct call_stat *call = (const struct call_stat *)of->first + row;

	if (!call->caller || call->caller == call->callee)
		return SIZE_MAX;
	return (size_t)(call->caller - results->functions);
}

/* False if memory is out. */
static bool group_rows(struct function_rows *by, const struct results *results,
		       const struct rows *of, owner_of *owner)
{
	by->first = calloc(results->nr_functions + 2, sizeof(*by->first));
	by->order = calloc(of->nr + 1, sizeof(*by->order));
	if (!by->first || !by->order)
		return false;
	for (size_t i = 0; i < of->nr; i++)
		if (owner(results, of, i) != SIZE_MAX)
			by->first[owner(results, of, i) + 2]++;
	for (size_t i = 2; i < results->nr_functions + 2; i++)
		by->first[i] += by->first[i - 1];
	for (size_t i = 0; i < of->nr; i++)
		if (owner(results, of, i) != SIZE_MAX)
			by->order[by->first[owner(results, of, i) + 1]++] = (uint32_t)i;
	return true;
}

static void free_all(struct callgrind *to)
{
	intern_free(&to->objects);
	intern_free(&to->files);
	intern_free(&to->functions);
	framename_free(&to->name);
	free(to->addresses.first);
	free(to->addresses.order);
	free(to->calls.first);
	free(to->calls.order);
}

void callgrind_write(const struct runexport_view *view)
{
	const struct rows addresses = results_rows(view->results, &linestat_addresses);
	const struct rows calls = results_rows(view->results, &pathstat_calls);
	struct callgrind to = {.view = view, .out = view->out};
	struct error err;

	to.failed = !group_rows(&to.addresses, view->results, &addresses, owner_of_address) ||
		    !group_rows(&to.calls, view->results, &calls, owner_of_call);
	if (!to.failed) {
		put_header(&to);
		put_functions(&to);
		put_roots(&to);
		outfile_string(to.out, "\n");
		put_totals(&to, "totals:");
	}
	if (to.failed) {
		error_nomem(&err, "exporting calls");
		outfile_fail(view->out, &err);
	}
	free_all(&to);
}
