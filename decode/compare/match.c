#include "decode/compare/match.h"

#include "decode/compare/matcher.h"
#include "decode/compare/name.h"

#include <stdlib.h>

/* A noise, and its degrees of freedom. */
struct noise {
	double variance, df;
};

/* The noise of a sum: the parts count as independent. Unknown if it is of a part with samples. */
static void add_noise(struct run_share *share, uint64_t samples, struct noise more)
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

static void add_share(struct run_share *share, const struct tally *tally, struct noise noise,
		      const struct run_total *total)
{
	struct tally sum = {share->samples, share->period};

	add_noise(share, tally->samples, noise);
	profile_tally_add(&sum, tally);
	/* parts of a function that call each other count a stack twice */
	share->samples = sum.samples < total->samples ? sum.samples : total->samples;
	share->period = sum.period < total->period ? sum.period : total->period;
}

/* The names of the largest row of the new side stand for all; of the old one if there is no other.
 */
static void take_names(struct matched_function *function, const struct profile_row *row,
		       const struct tally *tally, bool is_new)
{
	if (*function->binary || *function->filename) {
		if (function->best_is_new > is_new)
			return;
		if (function->best_is_new == is_new && tally->period <= function->best.period)
			return;
	}
	function->binary = row->binary;
	function->filename = row->filename;
	function->line = row->line;
	function->best = *tally;
	function->best_is_new = is_new;
}

static void make_function(struct matcher *m, const struct entry *entries, size_t nr,
			  struct matched_function *function)
{
	const struct matched_event *event = &m->match->events[entries->key.event];

	function->event = entries->key.event;
	function->function = intern_get(&m->match->strings, entries->key.function);
	function->code = entries->key.binary;
	function->named = !*entries->row->reason;
	function->filename = function->binary = "";
	for (size_t i = 0; i < nr; i++) {
		const struct profile_row *row = entries[i].row;
		const bool children = m->input->children;
		const struct tally *tally = children ? &row->children : &row->self;
		const struct noise noise = {children ? row->children_noise : row->noise,
					    row->noise_df};
		const bool is_new = !matcher_is_old(m, entries[i].run);

		add_share(&function->shares[entries[i].run], tally, noise,
			  &event->totals[entries[i].run]);
		take_names(function, row, tally, is_new);
		if (row->size > function->size[is_new])
			function->size[is_new] = row->size;
	}
	function->kernel = name_is_kernel(function->binary);
}

static int make_functions(struct matcher *m)
{
	struct match *match = m->match;
	const size_t nr_runs = m->input->nr_runs;
	size_t nr_functions = 0, nr;

	for (size_t i = 0; i < m->nr_entries; i += matcher_count_like(m, i, true))
		nr_functions++;
	match->functions = calloc(nr_functions + 1, sizeof(*match->functions));
	match->shares = calloc(nr_functions + 1, nr_runs * sizeof(*match->shares));
	if (!match->functions || !match->shares)
		return matcher_nomem(m);
	for (size_t i = 0; i < m->nr_entries; i += nr) {
		struct matched_function *function = &match->functions[match->nr_functions];

		nr = matcher_count_like(m, i, true);
		function->shares = match->shares + match->nr_functions++ * nr_runs;
		make_function(m, &m->entries[i], nr, function);
	}
	return 0;
}

int match_make(struct match *match, const struct match_input *input, struct error *err)
{
	struct matcher m = {.match = match, .input = input, .err = err};
	int rc = -1;

	if (matcher_events(&m) == 0 && matcher_rows(&m) == 0)
		rc = make_functions(&m);
	free(m.event_names);
	free(m.class_of);
	free(m.entries);
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
	intern_free(&match->strings);
	*match = (struct match){0};
}
