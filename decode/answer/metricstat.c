/* Metric statistics: the rows of metrics.csv, ratios of events for each function. */
#include "decode/answer/aggregate.h"
#include "decode/answer/counterset.h"
#include "decode/answer/metricevents.h"
#include "decode/answer/metricrows.h"
#include "decode/answer/topdown.h"
#include "decode/metric.h"
#include "util/intern.h"

#include <string.h>

/* All zero is empty. */
struct metricstat {
	const struct counterset *set;
	const char *const *own; /* NAME=EVENT/EVENT */
	struct metric_events events;
	struct metric_rows rows;
	struct intern strings;
};

/* A ratio to make. */
struct metric_pair {
	const char *name, *unit;
	double factor;
	const struct event *above, *below;
};

/* How the events of a pair were counted. */
struct pair_counts {
	bool above, below; /* the filters take them */
	bool group;
	unsigned notes;
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct metricstat *stat = state;

	(void)wanted;
	stat->events.file = view->file;
	stat->events.filter = view->filter;
	stat->events.takes_event = view->takes_event;
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

static struct pair_counts counts_of(const struct metric_events *events,
				    const struct metric_pair *pair)
{
	const bool group = metric_events_group(events, pair->above, pair->below);

	return (struct pair_counts){
		.above = metric_events_take(events, pair->above),
		.below = metric_events_take(events, pair->below),
		.group = group,
		.notes = metric_events_notes(events, pair->above, pair->below, group),
	};
}

/* What to beware of: nothing is to be said of a ratio that cannot be. */
static const char *note_of(const struct metric_stat *row, unsigned notes)
{
	if (!row->has_numerator || !row->has_denominator)
		return METRIC_MISSING_EVENT;
	return metric_events_text(row->known ? notes : notes | METRIC_NOTE_FEW);
}

/* Adds the row of a function, which has a row of at least one of the events. */
static bool add_function(struct metricstat *stat, const struct metric_pair *pair,
			 const struct pair_counts *counts, size_t number)
{
	const bool group = counts->group;
	const struct function_stat *const *of = stat->rows.of[number];
	const struct tally above = metric_rows_self(of[0]), below = metric_rows_self(of[1]);
	struct metric_stat row = {
		.function = of[1] ? of[1] : of[0],
		.name = pair->name,
		.unit = pair->unit,
		.has_numerator = counts->above,
		.numerator = above.period,
		.has_denominator = counts->below,
		.denominator = below.period,
		.numerator_event = pair->above->name,
		.denominator_event = pair->below->name,
		.samples = group || below.samples < above.samples ? below.samples : above.samples,
		.method = group ? "group" : "separate",
	};

	if (above.samples == 0 && below.samples == 0)
		return true; /* only a caller */
	row.known = counts->above && counts->below && row.samples >= METRIC_SAMPLES_MIN &&
		    below.period > 0;
	if (row.known) {
		row.value = pair->factor * (double)above.period / (double)below.period;
		metric_rows_interval(&row, group && above.samples ? row.samples : above.samples,
				     below.samples);
	}
	row.note = note_of(&row, counts->notes);
	return metric_rows_add(&stat->rows, &row);
}

/* Adds a row for each function of the pair. */
static bool add_pair(struct metricstat *stat, const struct metric_pair *pair)
{
	const struct event *const events[] = {pair->above, pair->below};
	const struct pair_counts counts = counts_of(&stat->events, pair);
	const size_t first = stat->rows.nr;
	bool ok = metric_rows_spread(&stat->rows, events, 2);

	for (size_t i = 0; ok && i < stat->rows.nr_numbers; i++)
		ok = add_function(stat, pair, &counts, i);
	metric_rows_sort(&stat->rows, first);
	return ok;
}

/* ---- the whole run --------------------------------------------------------------------------- */

static bool add_whole(struct metricstat *stat, const struct metric_pair *pair)
{
	const struct counter_total *above = counterset_whole(stat->set, pair->above);
	const struct counter_total *below =
		pair->below ? counterset_whole(stat->set, pair->below) : NULL;
	struct metric_stat row = {
		.name = pair->name,
		.unit = pair->unit,
		.has_numerator = true,
		.has_denominator = true,
		.numerator_event = pair->above->name,
		.denominator_event = pair->below ? pair->below->name : "",
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
	return metric_rows_add(&stat->rows, &row);
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

static bool make_pair(struct metricstat *stat, const struct metric_pair *pair)
{
	return stat->set->nr_whole ? add_whole(stat, pair) : add_pair(stat, pair);
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

static bool make_formula(struct metricstat *stat, const struct metric_formula *formula)
{
	for (size_t i = 0; i < perffile_nr_events(stat->events.file); i++) {
		struct metric_pair pair = {formula->name, formula->unit, formula->factor,
					   perffile_event(stat->events.file, i), NULL};

		if (metric_role(pair.above) != formula->above)
			continue;
		pair.below = find_below(stat, formula->below, pair.above);
		if (pair.below && !make_pair(stat, &pair))
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
static int make_own(struct metricstat *stat, const char *text, struct error *err)
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
			return make_pair(stat, &pair) ? 0 : error_nomem(err, "making metrics");
	}
	return error_set(err, ERROR_USAGE,
			 "option --metric: '%s' does not name two events of the recording: "
			 "events.csv lists them",
			 text);
}

static int make_rows(struct metricstat *stat, struct error *err)
{
	for (size_t i = 0; i < METRIC_FORMULAS; i++)
		if (!make_formula(stat, &metric_formulas[i]))
			return error_nomem(err, "making metrics");
	if (!topdown_add_rows(&stat->rows, &stat->events, stat->set, &stat->strings) ||
	    !add_rates(stat))
		return error_nomem(err, "making metrics");
	for (const char *const *own = stat->own; own && *own; own++)
		if (make_own(stat, *own, err) < 0)
			return -1;
	return 0;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct metricstat *stat = state;
	int rc;

	(void)view;
	metric_rows_start(&stat->rows, results);
	rc = make_rows(stat, err);
	metric_rows_finish(&stat->rows);
	return rc;
}

static struct rows rows(void *state, unsigned number)
{
	const struct metricstat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows.list, .nr = stat->rows.nr};
}

static void end(void *state)
{
	struct metricstat *stat = state;

	metric_events_free(&stat->events);
	metric_rows_free(&stat->rows);
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
