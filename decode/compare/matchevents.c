#include "decode/compare/matcher.h"

#include "decode/compare/name.h"

#include <stdlib.h>

/* An event without samples is none. */
static bool counts(const struct profile_event *event)
{
	return event->total.samples > 0;
}

/* Gathers the events of all runs, and keeps the numbers of their names. */
static int gather_events(struct matcher *m, struct namelist *list)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_events; i++) {
			if (!counts(&profile->events[i]))
				continue;
			if (!matcher_gather(m, list, profile->events[i].name, name_of_event, run))
				return matcher_nomem(m);
			m->event_names[matcher_place_of(m, run, i)] =
				list->names[list->nr - 1].exact;
		}
	}
	return 0;
}

static int pair_events(struct matcher *m)
{
	struct namelist list = {0};

	if (gather_events(m, &list) == 0)
		return matcher_pair_names(m, &list);
	namelist_free(&list);
	return -1;
}

/* What is known of a class of events. */
struct event_class {
	unsigned sides;
	const char *names[2]; /* on the old side, on the new */
	uint32_t number;      /* of the matched event + 1; 0: none yet */
};

static void note_events(const struct matcher *m, struct event_class *classes)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_events; i++) {
			struct event_class *class;

			if (!counts(&profile->events[i]))
				continue;
			class = &classes[m->class_of[m->event_names[matcher_place_of(m, run, i)]]];
			class->sides |= matcher_side_of(m, run);
			if (!class->names[!matcher_is_old(m, run)])
				class->names[!matcher_is_old(m, run)] = profile->events[i].name;
		}
	}
}

/* Gives a class its number when it is first seen: as a matched event, or as one of one side. */
static void number_class(struct matcher *m, struct event_class *class)
{
	struct match *match = m->match;

	if (class->number)
		return;
	if (class->sides == SIDE_BOTH) {
		match->events[match->nr_events++] = (struct matched_event){
			.name = class->names[1], .old_name = class->names[0]};
		class->number = (uint32_t)match->nr_events;
	} else {
		bool is_new = class->sides == SIDE_NEW;

		match->lone[match->nr_lone++] =
			(struct lone_event){.name = class->names[is_new], .is_new = is_new};
		class->number = MATCH_NONE;
	}
}

static void number_events(struct matcher *m, struct event_class *classes)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_events; i++) {
			uint32_t *number = &m->match->event_numbers[matcher_place_of(m, run, i)];
			struct event_class *class;

			*number = MATCH_NONE;
			if (!counts(&profile->events[i]))
				continue;
			class = &classes[m->class_of[m->event_names[matcher_place_of(m, run, i)]]];
			number_class(m, class);
			if (class->sides == SIDE_BOTH)
				*number = class->number - 1;
		}
	}
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

/* Room for all events of all runs. False: no memory. */
static bool make_room_for_events(struct matcher *m)
{
	size_t nr = 1; /* none is not nothing for calloc() */

	m->match->first_event = calloc(m->input->nr_runs, sizeof(*m->match->first_event));
	for (size_t run = 0; m->match->first_event && run < m->input->nr_runs; run++) {
		m->match->first_event[run] = nr;
		nr += m->input->runs[run].nr_events;
	}
	m->event_names = calloc(nr, sizeof(*m->event_names));
	m->match->event_numbers = calloc(nr, sizeof(*m->match->event_numbers));
	m->match->events = calloc(nr, sizeof(*m->match->events));
	m->match->lone = calloc(nr, sizeof(*m->match->lone));
	return m->match->first_event && m->event_names && m->match->event_numbers &&
	       m->match->events && m->match->lone;
}

int matcher_events(struct matcher *m)
{
	struct match *match = m->match;
	struct event_class *classes;

	if (!make_room_for_events(m))
		return matcher_nomem(m);
	if (pair_events(m) < 0)
		return -1;
	classes = calloc(match->strings.nr_strings + 2, sizeof(*classes));
	if (!classes)
		return matcher_nomem(m);
	note_events(m, classes);
	number_events(m, classes);
	free(classes);
	match->totals = calloc(match->nr_events * m->input->nr_runs + 1, sizeof(*match->totals));
	if (!match->totals)
		return matcher_nomem(m);
	sum_events(m);
	return 0;
}
