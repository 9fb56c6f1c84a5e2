#include "decode/compare/match/match.h"

#include "decode/compare/match/matchevents.h"
#include "decode/compare/match/matchfunctions.h"
#include "decode/compare/names/name.h"

#include <stdlib.h>

/* The variance of a row's noise, and its degrees of freedom. */
struct row_noise {
	double variance, df;
};

/*
 * Adds the noise of a part with @samples, assuming that parts are independent. If the noise of a
 * part with samples is unknown, so is that of the sum.
 */
static void add_noise(struct run_share *share, uint64_t samples, struct row_noise more)
{
	double parts;

	if (share->samples == 0) {
		share->noise = more.variance;
		share->noise_df = more.df;
	} else if (samples && (share->noise <= 0 || more.variance <= 0)) {
		share->noise = share->noise_df = 0;
	} else if (samples) {
		/* Satterthwaite's degrees of freedom of a sum of variances */
		parts = share->noise * share->noise / share->noise_df +
			more.variance * more.variance / more.df;
		share->noise += more.variance;
		share->noise_df = share->noise * share->noise / parts;
	}
}

static void add_share(struct run_share *share, const struct tally *tally, struct row_noise noise,
		      const struct run_total *total)
{
	struct tally sum = {share->samples, share->period};

	add_noise(share, tally->samples, noise);
	profile_tally_add(&sum, tally);
	/* parts of a function may call each other: their children then count a stack twice */
	share->samples = sum.samples < total->samples ? sum.samples : total->samples;
	share->period = sum.period < total->period ? sum.period : total->period;
}

/* A function gets its names from the largest row of the new side, or if none, of the old side. */
static void take_names(struct matched_function *function, const struct row_key *names,
		       const struct tally *tally, bool is_new)
{
	if (function->binary && (*function->binary || *function->filename)) {
		if (function->best_is_new > is_new)
			return;
		if (function->best_is_new == is_new && tally->period <= function->best.period)
			return;
	}
	function->binary = names->binary;
	function->filename = names->filename;
	function->line = names->line;
	function->best = *tally;
	function->best_is_new = is_new;
}

static void add_entry(const struct matcher *m, const struct match_entry *entry)
{
	struct match *match = m->match;
	struct matched_function *function = &match->functions[entry->function];
	uint64_t *size = &function->size[entry->side == SIDE_NEW];

	function->event = entry->key.event;
	function->function = intern_get(&match->strings, entry->key.function);
	function->name = intern_get(&match->strings, entry->name);
	function->code = entry->key.binary;
	function->named = !*entry->names->reason;
	function->shares = match->shares + entry->function * m->input->nr_runs;
	*size = entry->names->size > *size ? entry->names->size : *size;
}

/* Makes the functions without counts and places, which add_rows() sets: every function has rows. */
static int make_functions(struct matcher *m)
{
	struct match *match = m->match;
	const size_t nr = match->nr_functions, nr_runs = m->input->nr_runs;

	match->functions = calloc(nr + 1, sizeof(*match->functions));
	match->shares = calloc(nr + 1, nr_runs * sizeof(*match->shares));
	if (!match->functions || !match->shares)
		return matcher_nomem(m);
	for (size_t i = 0; i < m->nr_entries; i++) {
		const struct match_entry *entry = &m->entries[i];

		if (entry->counts)
			add_entry(m, entry);
	}
	return 0;
}

static void add_row(struct matcher *m, size_t run, const struct profile_row *row,
		    const struct match_entry *entry)
{
	const bool children = m->input->children;
	const struct tally *tally = children ? &row->children : &row->self;
	const struct row_noise noise = {children ? row->children_noise : row->noise, row->noise_df};
	struct run_share *shares = m->match->shares + entry->function * m->input->nr_runs;

	add_share(&shares[run], tally, noise, &m->match->events[entry->key.event].totals[run]);
	take_names(&m->match->functions[entry->function], entry->names, tally,
		   entry->side == SIDE_NEW);
}

static void add_rows(struct matcher *m)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_rows; i++) {
			const struct profile_row *row = &profile->rows[i];

			if (matcher_event_of(m, run, row) != MATCH_NONE)
				add_row(m, run, row,
					&m->entries[*matcher_entry_of(m, run, row) - 1]);
		}
	}
}

/* Keeps the functions of the keys, which all runs share, in the place of their entries. */
static void keep_functions(struct matcher *m)
{
	const struct rowkeys *keys = m->input->runs[0].keys;
	const size_t nr = keys ? 2 * keys->nr : 0;

	for (size_t i = 0; i < nr; i++) {
		const uint32_t number = m->entry_of[m->first_place[0] + i];
		const bool counts = number && m->entries[number - 1].counts;

		m->entry_of[i] = counts ? m->entries[number - 1].function : MATCH_NONE;
	}
	m->match->function_of = m->entry_of;
	m->entry_of = NULL;
}

int match_make(struct match *match, const struct match_input *input, struct error *err)
{
	struct matcher m = {.match = match, .input = input, .err = err};
	int rc = -1;

	if (matchevents_find(&m) == 0 && matchfunctions_find(&m) == 0)
		rc = make_functions(&m);
	if (rc == 0)
		add_rows(&m);
	for (size_t i = 0; rc == 0 && i < match->nr_functions; i++)
		match->functions[i].kernel = name_is_kernel(match->functions[i].binary);
	if (rc == 0 && input->by_key)
		keep_functions(&m);
	free(m.event_names);
	namelist_free(&m.list);
	free(m.entries);
	free(m.first_place);
	free(m.entry_of);
	free(m.groups);
	free(m.named);
	index_free(&m.index);
	return rc;
}

void match_free(struct match *match)
{
	free(match->events);
	free(match->names);
	free(match->functions);
	free(match->totals);
	free(match->event_numbers);
	free(match->first_event);
	free(match->shares);
	free(match->fitted);
	free(match->function_of);
	intern_free(&match->strings);
	*match = (struct match){0};
}
