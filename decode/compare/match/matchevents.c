#include "decode/compare/match/matchevents.h"

#include "decode/compare/names/name.h"

#include <stdlib.h>
#include <string.h>

/* Whether @event counts: it must have samples. */
static bool counts(const struct profile_event *event)
{
	return event->total.samples > 0;
}

/* Adds the events of all runs to the list and keeps the numbers of their names. */
static int gather_events(struct matcher *m)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_events; i++) {
			uint32_t exact;

			if (!counts(&profile->events[i]))
				continue;
			exact = matcher_gather(m, profile->events[i].name, name_of_event,
					       matcher_side_of(m, run));
			if (exact == INTERN_NOMEM)
				return matcher_nomem(m);
			m->event_names[matcher_place_of(m, run, i)] = exact;
		}
	}
	return 0;
}

/* Data on a class of events. */
struct event_class {
	unsigned sides;
	const char *new_name; /* the first name on the new side */
	uint32_t number;      /* number of the matched event + 1; 0: none yet */
};

/* Data on events, by string number. */
struct event_lists {
	struct event_class *classes; /* by class */
	uint32_t *names;	     /* by name: its index among the names of the match + 1 */
};

static void note_event(const struct matcher *m, struct event_lists *lists, size_t run, size_t i)
{
	const uint32_t exact = m->event_names[matcher_place_of(m, run, i)];
	struct event_class *class = &lists->classes[namelist_class(&m->list, exact)];
	struct match *match = m->match;

	class->sides |= matcher_side_of(m, run);
	if (!class->new_name && !matcher_is_old(m, run))
		class->new_name = m->input->runs[run].events[i].name;
	if (!lists->names[exact]) {
		match->names[match->nr_names++] =
			(struct event_name){.name = m->input->runs[run].events[i].name};
		lists->names[exact] = (uint32_t)match->nr_names;
	}
	match->names[lists->names[exact] - 1].sides |= matcher_side_of(m, run);
}

static void note_events(const struct matcher *m, struct event_lists *lists)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_events; i++)
			if (counts(&profile->events[i]))
				note_event(m, lists, run, i);
	}
}

/*
 * Returns the number of the matched event of @class, assigned at the first call; MATCH_NONE if only
 * one side has it.
 */
static uint32_t number_of_class(struct match *match, struct event_class *class)
{
	if (class->sides != SIDE_BOTH)
		return MATCH_NONE;
	if (!class->number) {
		match->events[match->nr_events++] = (struct matched_event){.name = class->new_name};
		class->number = (uint32_t)match->nr_events;
	}
	return class->number - 1;
}

static void number_events(struct matcher *m, struct event_lists *lists)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_events; i++) {
			const size_t place = matcher_place_of(m, run, i);
			const uint32_t exact = m->event_names[place];
			uint32_t *number = &m->match->event_numbers[place];

			*number = MATCH_NONE;
			if (!counts(&profile->events[i]))
				continue;
			*number = number_of_class(m->match,
						  &lists->classes[namelist_class(&m->list, exact)]);
			m->match->names[lists->names[exact] - 1].event = *number;
		}
	}
}

static int compare_event_names(const void *a, const void *b)
{
	const struct event_name *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Finds the events and names of the match. Returns false if memory is out. */
static bool list_events(struct matcher *m)
{
	struct match *match = m->match;
	const size_t nr = match->strings.nr_strings + 2;
	struct event_lists lists = {.classes = calloc(nr, sizeof(*lists.classes)),
				    .names = calloc(nr, sizeof(*lists.names))};
	const bool ok = lists.classes && lists.names;

	if (ok) {
		note_events(m, &lists);
		number_events(m, &lists);
		if (match->nr_names > 1)
			qsort(match->names, match->nr_names, sizeof(*match->names),
			      compare_event_names);
	}
	free(lists.classes);
	free(lists.names);
	return ok;
}

static void add_total(struct run_total *total, const struct tally *more)
{
	struct tally sum = {total->samples, total->period};

	profile_tally_add(&sum, more);
	total->samples = sum.samples;
	total->period = sum.period;
}

static void sum_events(struct matcher *m)
{
	const size_t nr_runs = m->input->nr_runs;

	for (size_t i = 0; i < m->match->nr_events; i++)
		m->match->events[i].totals = m->match->totals + i * nr_runs;
	for (size_t run = 0; run < nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < m->match->nr_events; i++)
			m->match->events[i].totals[run].seconds = profile->seconds;
		for (size_t i = 0; i < profile->nr_events; i++) {
			uint32_t number = m->match->event_numbers[matcher_place_of(m, run, i)];

			if (number != MATCH_NONE)
				add_total(&m->match->events[number].totals[run],
					  &profile->events[i].total);
		}
	}
}

/* Allocates room for all events of all runs. Returns false if memory is out. */
static bool make_room_for_events(struct matcher *m)
{
	size_t nr = 1; /* at least 1: calloc(0) may return NULL */

	m->match->first_event = calloc(m->input->nr_runs, sizeof(*m->match->first_event));
	for (size_t run = 0; m->match->first_event && run < m->input->nr_runs; run++) {
		m->match->first_event[run] = nr;
		nr += m->input->runs[run].nr_events;
	}
	m->event_names = calloc(nr, sizeof(*m->event_names));
	m->match->event_numbers = calloc(nr, sizeof(*m->match->event_numbers));
	m->match->events = calloc(nr, sizeof(*m->match->events));
	m->match->names = calloc(nr, sizeof(*m->match->names));
	return m->match->first_event && m->event_names && m->match->event_numbers &&
	       m->match->events && m->match->names;
}

int matchevents_find(struct matcher *m)
{
	struct match *match = m->match;

	if (!make_room_for_events(m))
		return matcher_nomem(m);
	if (gather_events(m) < 0)
		return -1;
	namelist_pair(&m->list, false);
	if (!list_events(m))
		return matcher_nomem(m);
	match->totals = calloc(match->nr_events * m->input->nr_runs + 1, sizeof(*match->totals));
	if (!match->totals)
		return matcher_nomem(m);
	sum_events(m);
	return 0;
}
