/* Metric statistics: the rows of metrics.csv, ratios of events for each function. */
#include "decode/answer/aggregate.h"
#include "decode/answer/counterset.h"
#include "decode/answer/metricevents.h"
#include "decode/metric.h"
#include "util/array.h"
#include "util/intern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A ratio of fewer samples says nothing. */
enum { SAMPLES_MIN = 20 };

/* All zero is empty. */
struct metricstat {
	const struct counterset *set;
	const char *const *own; /* NAME=EVENT/EVENT */
	struct metric_events events;
	struct metric_stat *rows;
	size_t nr_rows, room;
	/* While rows are made: the numbers of functions without their events, by row of the
	 * results, and for each the rows of both events. */
	uint32_t *numbers;
	const struct function_stat **above, **below;
	size_t nr_numbers;
	struct intern strings;
};

/* A ratio to make. */
struct metric_pair {
	const char *name, *unit;
	double factor;
	const struct event *above, *below;
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct metricstat *stat = state;

	(void)wanted;
	stat->events.file = view->file;
	stat->set = view->counters;
	stat->own = view->metrics;
	return true;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool take(void *state, const struct record *rec)
{
	struct metricstat *stat = state;

	return metric_events_record(&stat->events, rec);
}

/* ---- functions ------------------------------------------------------------------------------- */

static int compare_functions(const void *left, const void *right)
{
	const struct function_stat *a = *(const struct function_stat *const *)left;
	const struct function_stat *b = *(const struct function_stat *const *)right;
	int order = strcmp(a->binary, b->binary);

	if (order == 0)
		order = strcmp(a->function, b->function);
	if (order == 0)
		order = strcmp(a->filename, b->filename);
	if (order == 0)
		order = strcmp(a->build_id, b->build_id);
	if (order == 0)
		order = strcmp(a->reason, b->reason);
	if (order == 0)
		order = a->line < b->line ? -1 : a->line > b->line;
	return order;
}

/* Gives rows of one function under several events the same number. */
static bool number_functions(struct metricstat *stat, const struct results *results)
{
	const size_t nr = results->nr_functions;
	const struct function_stat **sorted = calloc(nr + 1, sizeof(*sorted));

	stat->numbers = calloc(nr + 1, sizeof(*stat->numbers));
	stat->above = calloc(nr + 1, sizeof(*stat->above));
	stat->below = calloc(nr + 1, sizeof(*stat->below));
	stat->nr_numbers = 0;
	if (sorted && stat->numbers && stat->above && stat->below) {
		for (size_t i = 0; i < nr; i++)
			sorted[i] = &results->functions[i];
		qsort(sorted, nr, sizeof(*sorted), compare_functions);
		for (size_t i = 0; i < nr; i++) {
			if (i == 0 || compare_functions(&sorted[i - 1], &sorted[i]) != 0)
				stat->nr_numbers++;
			stat->numbers[sorted[i] - results->functions] =
				(uint32_t)stat->nr_numbers - 1;
		}
	}
	free(sorted);
	return sorted && stat->numbers && stat->above && stat->below;
}

static void forget_functions(struct metricstat *stat)
{
	free(stat->numbers);
	free(stat->above);
	free(stat->below);
	stat->numbers = NULL;
	stat->above = stat->below = NULL;
}

/* The first row of @event among the functions, which are sorted by event. */
static size_t first_of(const struct results *results, const struct event *event)
{
	size_t low = 0, high = results->nr_functions;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (results->functions[middle].event->number < event->number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Sets @to[number] to the row of each function that @event has, or to NULL if @clear. */
static void spread(struct metricstat *stat, const struct results *results,
		   const struct event *event, const struct function_stat **to, bool clear)
{
	for (size_t i = first_of(results, event);
	     i < results->nr_functions && results->functions[i].event == event; i++)
		to[stat->numbers[i]] = clear ? NULL : &results->functions[i];
}

static struct tally self_of(const struct function_stat *function)
{
	return function ? function->self : (struct tally){0};
}

/*
 * Sets the 95 % interval, as if @above and @below samples were independent: that of the ratio of
 * two counts, on a logarithmic scale.
 */
static void set_interval(struct metric_stat *row, uint64_t above, uint64_t below)
{
	const double deviation = sqrt(1 / (double)above + 1 / (double)below);

	row->has_interval = above > 0 && below > 0;
	if (!row->has_interval)
		return;
	row->low = row->value * exp(-1.96 * deviation);
	row->high = row->value * exp(1.96 * deviation);
}

static bool add_row(struct metricstat *stat, const struct metric_stat *row)
{
	if (!array_grow(stat->rows, stat->room, stat->nr_rows + 1))
		return false;
	stat->rows[stat->nr_rows++] = *row;
	return true;
}

/* Adds the row of a function, which has a row of at least one of the events. */
static bool add_function(struct metricstat *stat, const struct metric_pair *pair, bool group,
			 unsigned notes, size_t number)
{
	const struct function_stat *function =
		stat->below[number] ? stat->below[number] : stat->above[number];
	const struct tally above = self_of(stat->above[number]),
			   below = self_of(stat->below[number]);
	struct metric_stat row = {
		.function = function,
		.name = pair->name,
		.unit = pair->unit,
		.numerator = above.period,
		.denominator = below.period,
		.above = pair->above,
		.below = pair->below,
		.samples = group || below.samples < above.samples ? below.samples : above.samples,
		.method = group ? "group" : "separate",
	};

	if (above.samples == 0 && below.samples == 0)
		return true; /* only a caller */
	row.known = row.samples >= SAMPLES_MIN && below.period > 0;
	if (row.known) {
		row.value = pair->factor * (double)above.period / (double)below.period;
		set_interval(&row, group && above.samples ? row.samples : above.samples,
			     below.samples);
	} else {
		notes |= METRIC_NOTE_FEW;
	}
	row.note = metric_events_text(notes);
	return add_row(stat, &row);
}

static int compare_rows(const void *left, const void *right)
{
	const struct metric_stat *a = left, *b = right;

	if (a->denominator != b->denominator)
		return a->denominator > b->denominator ? -1 : 1;
	if (a->numerator != b->numerator)
		return a->numerator > b->numerator ? -1 : 1;
	return compare_functions(&a->function, &b->function);
}

/* Adds a row for each function of the pair. */
static bool add_pair(struct metricstat *stat, const struct results *results,
		     const struct metric_pair *pair)
{
	const bool group = metric_events_group(&stat->events, pair->above, pair->below);
	const unsigned notes = metric_events_notes(&stat->events, pair->above, pair->below, group);
	const size_t first = stat->nr_rows, from = first_of(results, pair->below),
		     also = first_of(results, pair->above);
	bool ok = true;

	spread(stat, results, pair->above, stat->above, false);
	spread(stat, results, pair->below, stat->below, false);
	for (size_t i = from;
	     ok && i < results->nr_functions && results->functions[i].event == pair->below; i++)
		ok = add_function(stat, pair, group, notes, stat->numbers[i]);
	for (size_t i = also;
	     ok && i < results->nr_functions && results->functions[i].event == pair->above; i++)
		if (!stat->below[stat->numbers[i]])
			ok = add_function(stat, pair, group, notes, stat->numbers[i]);
	spread(stat, results, pair->above, stat->above, true);
	spread(stat, results, pair->below, stat->below, true);
	if (ok && stat->nr_rows > first)
		qsort(stat->rows + first, stat->nr_rows - first, sizeof(*stat->rows), compare_rows);
	return ok;
}

/* ---- the whole run --------------------------------------------------------------------------- */

static const struct counter_total *total_of(const struct metricstat *stat,
					    const struct event *event)
{
	for (size_t i = 0; i < stat->set->nr_whole; i++)
		if (stat->set->whole[i].counter.event == event)
			return &stat->set->whole[i];
	return NULL;
}

static bool add_whole(struct metricstat *stat, const struct metric_pair *pair)
{
	const struct counter_total *above = total_of(stat, pair->above);
	const struct counter_total *below = pair->below ? total_of(stat, pair->below) : NULL;
	struct metric_stat row = {
		.name = pair->name,
		.unit = pair->unit,
		.above = pair->above,
		.below = pair->below,
		.method = "counted",
		.note = "",
	};

	if (!above || (pair->below && !below))
		return true;
	row.numerator = above->counted.scaled;
	row.denominator = below ? below->counted.scaled : above->time;
	row.known = above->counted.running && row.denominator && (!below || below->counted.running);
	if (row.known)
		row.value = pair->factor * (double)row.numerator / (double)row.denominator;
	if (above->counted.running < above->counted.enabled ||
	    (below && below->counted.running < below->counted.enabled))
		row.note = metric_events_text(METRIC_NOTE_MULTIPLEXED);
	return add_row(stat, &row);
}

/* CPUs in use, and the rates of events that no other metric tells of. */
static bool add_rates(struct metricstat *stat)
{
	bool ok = true;

	for (size_t i = 0; ok && i < stat->set->nr_whole; i++) {
		const struct event *event = stat->set->whole[i].counter.event;
		const struct metric_pair used = {"cpus_used", "CPUs", 1, event, NULL};
		const struct metric_pair rate = {"per_second", "1/s", 1e9, event, NULL};

		ok = add_whole(stat, metric_is_clock(event) ? &used : &rate);
	}
	return ok;
}

/* ---- which ratios ---------------------------------------------------------------------------- */

static bool make_pair(struct metricstat *stat, const struct results *results,
		      const struct metric_pair *pair)
{
	return stat->set->nr_whole ? add_whole(stat, pair) : add_pair(stat, results, pair);
}

/* The first event of @role that fits to @above; NULL if there is none. */
static const struct event *find_below(const struct metricstat *stat, enum metric_role role,
				      const struct event *above)
{
	for (size_t i = 0; i < perffile_nr_events(stat->events.file); i++) {
		const struct event *event = perffile_event(stat->events.file, i);

		if (metric_role(event) == role && metric_fits(above, event))
			return event;
	}
	return NULL;
}

static bool make_formula(struct metricstat *stat, const struct results *results,
			 const struct metric_formula *formula)
{
	for (size_t i = 0; i < perffile_nr_events(stat->events.file); i++) {
		struct metric_pair pair = {formula->name, formula->unit, formula->factor,
					   perffile_event(stat->events.file, i), NULL};

		if (metric_role(pair.above) != formula->above)
			continue;
		pair.below = find_below(stat, formula->below, pair.above);
		if (pair.below && !make_pair(stat, results, &pair))
			return false;
	}
	return true;
}

static bool is_called(const char *called, const char *name, size_t len)
{
	return called && strlen(called) == len && memcmp(called, name, len) == 0;
}

static const struct event *event_named(const struct metricstat *stat, const char *name, size_t len)
{
	for (size_t i = 0; i < perffile_nr_events(stat->events.file); i++) {
		const struct event *event = perffile_event(stat->events.file, i);

		if (is_called(event->name, name, len) || is_called(event->recorded, name, len))
			return event;
	}
	return NULL;
}

/* Makes the metric that the user asked for. A name of an event may contain slashes, too. */
static int make_own(struct metricstat *stat, const struct results *results, const char *text,
		    struct error *err)
{
	const char *events = strchr(text, '=') + 1, *slash = events;
	struct metric_pair pair = {.unit = "", .factor = 1};
	const uint32_t name = intern(&stat->strings, text, (size_t)(events - 1 - text));

	if (name == INTERN_NOMEM)
		return error_nomem(err, "making metrics");
	pair.name = intern_get(&stat->strings, name);
	while ((slash = strchr(slash, '/')) != NULL) {
		pair.above = event_named(stat, events, (size_t)(slash - events));
		slash++;
		pair.below = event_named(stat, slash, strlen(slash));
		if (pair.above && pair.below)
			return make_pair(stat, results, &pair) ? 0
							       : error_nomem(err, "making metrics");
	}
	return error_set(err, ERROR_USAGE,
			 "option --metric: '%s' does not name two events of the recording: "
			 "events.csv lists them",
			 text);
}

static int make_rows(struct metricstat *stat, const struct results *results, struct error *err)
{
	for (size_t i = 0; i < METRIC_FORMULAS; i++)
		if (!make_formula(stat, results, &metric_formulas[i]))
			return error_nomem(err, "making metrics");
	if (!add_rates(stat))
		return error_nomem(err, "making metrics");
	for (const char *const *own = stat->own; own && *own; own++)
		if (make_own(stat, results, *own, err) < 0)
			return -1;
	return 0;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct metricstat *stat = state;
	int rc;

	(void)view;
	stat->nr_rows = 0;
	if (number_functions(stat, results))
		rc = make_rows(stat, results, err);
	else
		rc = error_nomem(err, "making metrics");
	forget_functions(stat);
	return rc;
}

static struct rows rows(void *state, unsigned number)
{
	const struct metricstat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static void end(void *state)
{
	struct metricstat *stat = state;

	metric_events_free(&stat->events);
	free(stat->rows);
	intern_free(&stat->strings);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct metricstat),
	.start = start,
	.record = take,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer metricstat_metrics = {&aggregate, 0};
