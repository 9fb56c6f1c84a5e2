#include "decode/answer/topdown.h"

#include "decode/metric.h"

#include <math.h>
#include <stdio.h>

enum { TOTAL, ISSUED, RETIRED, FETCH, RECOVERY, EVENTS };
enum { RETIRING, BAD_SPECULATION, FRONTEND, BACKEND, SHARES };

/* Which events a share adds (1) and subtracts (-1); all are shares of TOTAL. */
static const struct {
	const char *name;
	int signs[EVENTS];
} shares[SHARES] = {
	[RETIRING] = {"retiring", {[RETIRED] = 1}},
	[BAD_SPECULATION] = {"bad_speculation", {[ISSUED] = 1, [RETIRED] = -1, [RECOVERY] = 1}},
	[FRONTEND] = {"frontend_bound", {[FETCH] = 1}},
	[BACKEND] = {"backend_bound", {[TOTAL] = 1, [ISSUED] = -1, [FETCH] = -1, [RECOVERY] = -1}},
};

/* The events that belong together, and how many slots each is. */
struct topdown {
	const struct event *events[EVENTS]; /* NULL: not recorded */
	double scales[EVENTS];
	bool scaled; /* the scale of TOTAL is known */
	bool group;
	unsigned notes;
};

/* What events counted: of the run or of a function. */
struct slot_counts {
	double events[EVENTS];
	uint64_t samples[EVENTS];
};

/* Whether @event has counts that a filter takes; samples are looked for later. */
static bool is_counted(const struct metric_events *events, const struct counterset *set,
		       const struct event *event)
{
	return metric_events_take(events, event) &&
	       (set->nr_whole == 0 || counterset_whole(set, event));
}

static struct topdown find_events(const struct metric_events *events, const struct counterset *set,
				  const struct event *total)
{
	struct topdown topdown = {.group = true};

	for (size_t i = 0; i < perffile_nr_events(events->file); i++) {
		const struct event *event = perffile_event(events->file, i);
		const enum metric_role role = metric_role(event);

		if (role >= METRIC_TOTAL_SLOTS && role < METRIC_TOTAL_SLOTS + EVENTS &&
		    !topdown.events[role - METRIC_TOTAL_SLOTS] && metric_fits(total, event) &&
		    is_counted(events, set, event))
			topdown.events[role - METRIC_TOTAL_SLOTS] = event;
	}
	topdown.events[TOTAL] = total;
	topdown.scaled = counterset_scale(set, total) > 0;
	for (size_t i = 0; i < EVENTS; i++) {
		const struct event *event = topdown.events[i];
		const double scale = event ? counterset_scale(set, event) : 0;

		topdown.scales[i] = scale > 0 ? scale : 1;
		if (event)
			topdown.group = topdown.group && metric_events_group(events, total, event);
	}
	for (size_t i = 0; i < EVENTS; i++)
		if (topdown.events[i])
			topdown.notes |= metric_events_notes(events, total, topdown.events[i],
							     topdown.group);
	return topdown;
}

/* Whether @share needs event @i: what the others leave needs theirs. */
static bool needs(size_t share, size_t i)
{
	return i == TOTAL || share == BACKEND || shares[share].signs[i] != 0;
}

static bool is_complete(const struct topdown *topdown, size_t share)
{
	for (size_t i = 0; i < EVENTS; i++)
		if (needs(share, i) && !topdown->events[i])
			return false;
	return true;
}

/* The names of the events of @share, with signs; NULL if memory is out. */
static const char *formula(const struct topdown *topdown, size_t share, struct intern *strings)
{
	enum { TEXT_MAX = 1024 };
	char text[TEXT_MAX] = "";
	size_t len = 0;

	for (int sign = 1; sign >= -1; sign -= 2)
		for (size_t i = 0; i < EVENTS && len < TEXT_MAX; i++)
			if (shares[share].signs[i] == sign && topdown->events[i])
				len += (size_t)snprintf(text + len, TEXT_MAX - len, "%s%s",
							sign < 0 ? " - "
							: len	 ? " + "
								 : "",
							topdown->events[i]->name);
	return intern_keep(strings, text);
}

/* The slots of @share. Backend is what the others leave, so it makes up for one that is cut off. */
static double slots_of(const double slots[EVENTS], size_t share)
{
	double sum = 0;

	for (size_t i = 0; i < EVENTS; i++)
		sum += shares[share].signs[i] * slots[i];
	if (share == BACKEND)
		sum = fmin(sum, slots[TOTAL] - slots[FETCH] - slots[RETIRED]);
	return fmax(sum, 0);
}

static uint64_t whole_number(double value)
{
	return value < 0x1p64 ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

/* Sets the ratio of @row, if all its events are there. */
static void set_value(struct metric_stat *row, const struct topdown *topdown, size_t share,
		      const struct slot_counts *counts)
{
	double slots[EVENTS], sum;

	for (size_t i = 0; i < EVENTS; i++)
		slots[i] = counts->events[i] * topdown->scales[i];
	sum = slots_of(slots, share);
	row->denominator = whole_number(slots[TOTAL]);
	row->has_numerator = topdown->scaled && is_complete(topdown, share);
	row->known = row->known && row->has_numerator && slots[TOTAL] > 0;
	if (row->has_numerator)
		row->numerator = whole_number(sum);
	else
		row->note = topdown->scaled ? METRIC_MISSING_EVENT : "no-scale";
	if (row->known)
		row->value = 100 * sum / slots[TOTAL];
}

static struct metric_stat start_row(const struct topdown *topdown, size_t share,
				    const char *numerator_event)
{
	return (struct metric_stat){
		.name = shares[share].name,
		.unit = "%",
		.known = true,
		.has_denominator = true,
		.numerator_event = numerator_event,
		.denominator_event = topdown->events[TOTAL]->name,
	};
}

/* ---- functions ------------------------------------------------------------------------------- */

/* The samples behind @share: of TOTAL in a group, else of the rarest event. */
static uint64_t samples_of(const struct topdown *topdown, size_t share,
			   const struct slot_counts *counts)
{
	uint64_t least = counts->samples[TOTAL];

	for (size_t i = 0; i < EVENTS && !topdown->group; i++)
		if (needs(share, i) && topdown->events[i] && counts->samples[i] < least)
			least = counts->samples[i];
	return least;
}

/* Sets the interval of a share of one event. */
static void set_interval(struct metric_stat *row, const struct topdown *topdown, size_t share,
			 const struct slot_counts *counts)
{
	const size_t event = share == RETIRING ? RETIRED : FETCH;

	if (row->known && row->numerator > 0 && (share == RETIRING || share == FRONTEND))
		metric_rows_interval(row, topdown->group ? row->samples : counts->samples[event],
				     counts->samples[TOTAL]);
}

static bool add_function(struct metric_rows *rows, const struct topdown *topdown, size_t share,
			 const char *numerator_event, size_t number)
{
	struct metric_stat row = start_row(topdown, share, numerator_event);
	struct slot_counts counts;
	bool any = false;

	for (size_t i = 0; i < EVENTS; i++) {
		const struct function_stat *function = rows->of[number][i];
		const struct tally self = metric_rows_self(function);

		counts.events[i] = (double)self.period;
		counts.samples[i] = self.samples;
		if (!needs(share, i) || self.samples == 0)
			continue;
		any = true;
		row.function = row.function ? row.function : function;
	}
	if (!any)
		return true; /* only a caller */
	row.samples = samples_of(topdown, share, &counts);
	row.method = topdown->group ? "group" : "separate";
	row.known = row.samples >= METRIC_SAMPLES_MIN;
	row.note = metric_events_text(topdown->notes | (row.known ? 0 : METRIC_NOTE_FEW));
	set_value(&row, topdown, share, &counts);
	set_interval(&row, topdown, share, &counts);
	return metric_rows_add(rows, &row);
}

static bool add_functions(struct metric_rows *rows, const struct topdown *topdown, size_t share,
			  const char *numerator_event)
{
	const size_t first = rows->nr;
	bool ok = true;

	for (size_t i = 0; ok && i < rows->nr_numbers; i++)
		ok = add_function(rows, topdown, share, numerator_event, i);
	metric_rows_sort(rows, first);
	return ok;
}

/* ---- the whole run --------------------------------------------------------------------------- */

static bool add_whole(struct metric_rows *rows, const struct topdown *topdown, size_t share,
		      const char *numerator_event, const struct counterset *set)
{
	struct metric_stat row = start_row(topdown, share, numerator_event);
	struct slot_counts counts = {{0}, {0}};

	row.method = "counted";
	row.note = "";
	for (size_t i = 0; i < EVENTS; i++) {
		const struct counter_total *total;

		if (!topdown->events[i] || !needs(share, i))
			continue;
		total = counterset_whole(set, topdown->events[i]);
		row.known &= total->counted.running > 0;
		counts.events[i] = (double)total->counted.scaled;
		if (total->counted.running < total->counted.enabled)
			row.note = metric_events_text(METRIC_NOTE_MULTIPLEXED);
	}
	set_value(&row, topdown, share, &counts);
	return metric_rows_add(rows, &row);
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool add_shares(struct metric_rows *rows, const struct topdown *topdown,
		       const struct counterset *set, struct intern *strings)
{
	bool ok = set->nr_whole > 0 || metric_rows_spread(rows, topdown->events, EVENTS);

	for (size_t share = 0; ok && share < SHARES; share++) {
		const char *text = formula(topdown, share, strings);

		if (!text)
			return false;
		ok = set->nr_whole ? add_whole(rows, topdown, share, text, set)
				   : add_functions(rows, topdown, share, text);
	}
	return ok;
}

bool topdown_add_rows(struct metric_rows *rows, const struct metric_events *events,
		      const struct counterset *set, struct intern *strings)
{
	bool ok = true;

	for (size_t i = 0; ok && i < perffile_nr_events(events->file); i++) {
		const struct event *event = perffile_event(events->file, i);

		if (metric_role(event) == METRIC_TOTAL_SLOTS && is_counted(events, set, event)) {
			const struct topdown topdown = find_events(events, set, event);

			ok = add_shares(rows, &topdown, set, strings);
		}
	}
	return ok;
}
