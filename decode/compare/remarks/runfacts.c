#include "decode/compare/remarks/runfacts.h"

#include "decode/compare/names/name.h"
#include "decode/compare/profile/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 64 };

/* The runs, and the list that remarks are added to. */
struct teller {
	struct remarks *remarks;
	const struct match_input *input;
	const struct match *match;
};

/* ---- what two runs differ by ----------------------------------------------------------------- */

/* A kind of fact: its name in the plural, and a function that formats it. */
struct fact_kind {
	const char *what;
	/* Returns the text for @run, in @room or elsewhere; NULL if unknown. @number: of the kind.
	 */
	const char *(*text_of)(const struct teller *t, size_t run, size_t number,
			       char room[SHOWN_BYTES]);
	size_t number;
};

/* Two runs whose facts of a kind differ, and these facts. */
struct unlike {
	const char *labels[2], *texts[2];
	char rooms[2][SHOWN_BYTES];
};

/* Finds the first run that has the fact and the first one whose fact differs from it. */
static bool find_unlike(const struct teller *t, const struct fact_kind *kind, struct unlike *found)
{
	int i = 0;

	for (size_t run = 0; run < t->input->nr_runs; run++) {
		const char *text = kind->text_of(t, run, kind->number, found->rooms[i]);

		if (!text || (i == 1 && strcmp(found->texts[0], text) == 0))
			continue;
		found->texts[i] = text;
		found->labels[i] = t->input->runs[run].label;
		if (i == 1)
			return true;
		i = 1;
	}
	return false;
}

static void tell_kind(const struct teller *t, const struct fact_kind *kind)
{
	struct unlike found;

	if (find_unlike(t, kind, &found))
		remarks_add(t->remarks, "%s differ: %s in %s, %s in %s", kind->what, found.texts[0],
			    found.labels[0], found.texts[1], found.labels[1]);
}

static const char *origin_text(const struct teller *t, size_t run, size_t number,
			       char room[SHOWN_BYTES])
{
	(void)room;
	return t->input->runs[run].origin[number];
}

/* The program; for old runs, its name after the renamings of binaries. */
static const char *program_text(const struct teller *t, size_t run, size_t number,
				char room[SHOWN_BYTES])
{
	const struct renames *renames = t->input->renames;
	const char *program = t->input->runs[run].origin[ORIGIN_PROGRAM];

	(void)number;
	(void)room;
	for (size_t i = 0; program && run < t->input->nr_old && i < renames->nr; i++) {
		const char *name = rename_name(renames, i);

		if (t->match->fitted[i] && name && strcmp(name_base(name), program) == 0)
			return name_base(rename_to(renames, i));
	}
	return program;
}

static const char *cpus_text(const struct teller *t, size_t run, size_t number,
			     char room[SHOWN_BYTES])
{
	(void)number;
	snprintf(room, SHOWN_BYTES, "%" PRIu64, t->input->runs[run].cpus);
	return t->input->runs[run].cpus ? room : NULL;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Copies the first word of @words, truncated if it is long. */
static void show_word(char to[SHOWN_BYTES], const char *words)
{
	static const char cut[] = "...";
	size_t len = workload_word(words);

	if (len == 0) {
		strcpy(to, "nothing");
	} else if (len < SHOWN_BYTES) {
		memcpy(to, words, len);
		to[len] = '\0';
	} else {
		len = SHOWN_BYTES - sizeof(cut);
		while (len > 0 && ((unsigned char)words[len] & 0xc0) == 0x80)
			len--; /* inside a UTF-8 character */
		memcpy(to, words, len);
		strcpy(to + len, cut);
	}
}

/* Reports the first words in which the arguments of two programs differ. */
static void tell_inputs(const struct teller *t)
{
	const struct fact_kind kind = {"inputs", origin_text, ORIGIN_INPUT};
	struct unlike found;
	const char **words = found.texts;
	size_t len;

	if (!find_unlike(t, &kind, &found))
		return;
	while ((len = workload_word(words[0])) > 0 && len == workload_word(words[1]) &&
	       memcmp(words[0], words[1], len) == 0)
		for (int i = 0; i < 2; i++)
			words[i] = workload_rest(words[i]);
	for (int i = 0; i < 2; i++)
		show_word(found.rooms[i], words[i]);
	remarks_add(t->remarks, "inputs differ: %s in %s, %s in %s", found.rooms[0],
		    found.labels[0], found.rooms[1], found.labels[1]);
}

/* ---- sampling -------------------------------------------------------------------------------- */

/* How the runs sampled an event. */
struct sampling {
	const struct profile_event *first;   /* from the first run; NULL: none yet */
	const struct profile_event *other;   /* the first one with a different rate; or NULL */
	const struct profile_event *chained; /* the first one with other call chains; or NULL */
	size_t first_run, other_run, chained_run, last_run;
	/* smallest and largest part of samples that a run lost, in percent */
	double least, most;
	size_t least_run, most_run;
};

static bool same_rate(const struct profile_event *a, const struct profile_event *b)
{
	return a->rate == b->rate && a->is_frequency == b->is_frequency;
}

static bool same_chains(const struct profile_event *a, const struct profile_event *b)
{
	return !a->chains || !b->chains || strcmp(a->chains, b->chains) == 0;
}

static void note_loss(struct sampling *sampling, const struct profile_event *event, size_t run)
{
	double all = (double)event->taken + (double)event->dropped;
	double lost = all > 0 ? 100 * (double)event->dropped / all : 0;

	if (sampling->first == event || lost < sampling->least) {
		sampling->least = lost;
		sampling->least_run = run;
	}
	if (sampling->first == event || lost > sampling->most) {
		sampling->most = lost;
		sampling->most_run = run;
	}
}

/* If several events of a run count for the same matched event, the first one is used. */
static void note_sampling(struct sampling *sampling, const struct profile_event *event, size_t run)
{
	if (!sampling->first) {
		sampling->first = event;
		sampling->first_run = run;
	} else if (sampling->last_run == run) {
		return;
	}
	if (!sampling->other && !same_rate(sampling->first, event)) {
		sampling->other = event;
		sampling->other_run = run;
	}
	if (!sampling->chained && !same_chains(sampling->first, event)) {
		sampling->chained = event;
		sampling->chained_run = run;
	}
	sampling->last_run = run;
	note_loss(sampling, event, run);
}

static void gather_sampling(const struct teller *t, struct sampling *samplings)
{
	for (size_t run = 0; run < t->input->nr_runs; run++) {
		const struct profile *profile = &t->input->runs[run];

		for (size_t i = 0; i < profile->nr_events; i++) {
			uint32_t number = match_event(t->match, run, i);

			if (profile->events[i].recorded && number != MATCH_NONE)
				note_sampling(&samplings[number], &profile->events[i], run);
		}
	}
}

static const char *label_of(const struct teller *t, size_t run)
{
	return t->input->runs[run].label;
}

static const char *rate_unit(const struct profile_event *event)
{
	return event->is_frequency ? "Hz" : "events per sample";
}

/* Reports the first event whose sampling differs between runs. */
static void tell_rate(const struct teller *t, const struct sampling *samplings)
{
	for (size_t i = 0; i < t->match->nr_events; i++) {
		const struct sampling *s = &samplings[i];

		if (!s->other)
			continue;
		remarks_add(t->remarks,
			    "%s was sampled differently: %" PRIu64 " %s in %s, %" PRIu64
			    " %s in %s",
			    t->match->events[i].name, s->first->rate, rate_unit(s->first),
			    label_of(t, s->first_run), s->other->rate, rate_unit(s->other),
			    label_of(t, s->other_run));
		return;
	}
}

/*
 * Reports the first event whose call chains were recorded in another way: where one way has callers
 * that the other has not, they look new, or gone.
 */
static void tell_chains(const struct teller *t, const struct sampling *samplings)
{
	for (size_t i = 0; t->input->children && i < t->match->nr_events; i++) {
		const struct sampling *s = &samplings[i];

		if (!s->chained)
			continue;
		remarks_add(t->remarks,
			    "call chains of %s are from %s in %s, but from %s in %s: callers that "
			    "only one way finds look new or gone",
			    t->match->events[i].name, s->first->chains, label_of(t, s->first_run),
			    s->chained->chains, label_of(t, s->chained_run));
		return;
	}
}

/*
 * Reports the event whose losses differ most between runs, if by more than 1 % of its samples: so
 * much of a function may be missing from one of them.
 */
static void tell_loss(const struct teller *t, const struct sampling *samplings)
{
	const struct sampling *s;
	size_t widest = 0;

	for (size_t i = 1; i < t->match->nr_events; i++)
		if (samplings[i].most - samplings[i].least >
		    samplings[widest].most - samplings[widest].least)
			widest = i;
	s = &samplings[widest];
	if (s->most - s->least > 1)
		remarks_add(t->remarks,
			    "%s: the kernel dropped %.1f %% of the samples of %s, but %.1f %% of "
			    "%s",
			    t->match->events[widest].name, s->most, label_of(t, s->most_run),
			    s->least, label_of(t, s->least_run));
}

static void tell_sampling(const struct teller *t)
{
	struct sampling *samplings = calloc(t->match->nr_events + 1, sizeof(*samplings));

	if (samplings) {
		gather_sampling(t, samplings);
		tell_rate(t, samplings);
		tell_chains(t, samplings);
		tell_loss(t, samplings);
	}
	t->remarks->nomem |= !samplings;
	free(samplings);
}

/* Reports which facts are unknown for tables. */
static void tell_unknown(const struct teller *t)
{
	const char *noise = "", *last = NULL;
	size_t nr = 0;

	for (size_t run = 0; run < t->input->nr_runs; run++) {
		if (t->input->runs[run].recorded)
			continue;
		last = t->input->runs[run].label;
		nr++;
	}
	if (t->input->nr_runs == 2) /* with several runs, the noise between them is used instead */
		noise = nr > 1 ? "; their samples are taken to be independent"
			       : "; its samples are taken to be independent";
	if (nr > 1)
		remarks_add(t->remarks,
			    "%zu runs are tables, such as %s, so their programs, machines, "
			    "sampling and losses are not known%s",
			    nr, last, noise);
	else if (nr == 1)
		remarks_add(t->remarks,
			    "%s is a table, so its program, machine, sampling and losses are not "
			    "known%s",
			    last, noise);
}

/* ---- runs that are incomplete, or there twice ------------------------------------------------ */

/* Makes "; 2 more runs are WHAT, too"; nothing if there are no more. */
static void show_others(char to[SHOWN_BYTES], size_t more, const char *what)
{
	*to = '\0';
	if (more)
		snprintf(to, SHOWN_BYTES, "; %zu more run%s%s, too", more,
			 more > 1 ? "s are" : " is", what);
}

static void tell_incomplete(const struct teller *t)
{
	const struct profile *first = NULL;
	char others[SHOWN_BYTES];
	size_t more = 0;

	for (size_t run = 0; run < t->input->nr_runs; run++) {
		more += t->input->runs[run].incomplete && first;
		if (t->input->runs[run].incomplete && !first)
			first = &t->input->runs[run];
	}
	show_others(others, more, "");
	if (first)
		remarks_add(t->remarks,
			    "%s is incomplete: what is missing of it looks like work that was not "
			    "done%s",
			    first->label, others);
}

static bool same_tally(const struct tally *a, const struct tally *b)
{
	return a->samples == b->samples && a->period == b->period;
}

static bool same_totals(const struct profile *a, const struct profile *b)
{
	if (a->nr_events != b->nr_events)
		return false;
	for (size_t i = 0; i < a->nr_events; i++)
		if (!same_tally(&a->events[i].total, &b->events[i].total))
			return false;
	return true;
}

static bool same_rows(const struct profile *a, const struct profile *b)
{
	if (a->nr_rows != b->nr_rows)
		return false;
	for (size_t i = 0; i < a->nr_rows; i++) {
		const struct profile_row *x = &a->rows[i], *y = &b->rows[i];

		if (!same_tally(&x->self, &y->self) || !same_tally(&x->children, &y->children) ||
		    strcmp(profile_key(a, x)->function, profile_key(b, y)->function) != 0)
			return false;
	}
	return a->nr_rows > 0;
}

/* Whether both are the same run: no two have samples at the same nanoseconds. */
static bool are_twins(const struct profile *a, const struct profile *b)
{
	if (a->recorded != b->recorded || !same_totals(a, b))
		return false;
	if (!a->recorded)
		return same_rows(a, b);
	return a->span.last != 0 && a->span.first == b->span.first && a->span.last == b->span.last;
}

/* Returns a run before @run, on its side, that is the same; NULL if there is none. */
static const struct profile *find_twin(const struct match_input *input, size_t run)
{
	for (size_t i = run < input->nr_old ? 0 : input->nr_old; i < run; i++)
		if (are_twins(&input->runs[i], &input->runs[run]))
			return &input->runs[i];
	return NULL;
}

static void tell_twins(const struct teller *t)
{
	const struct profile *first = NULL, *again = NULL;
	char others[SHOWN_BYTES];
	size_t more = 0;

	for (size_t run = 0; run < t->input->nr_runs; run++) {
		const struct profile *twin = find_twin(t->input, run);

		more += twin && first;
		if (twin && !first) {
			first = twin;
			again = &t->input->runs[run];
		}
	}
	show_others(others, more, " there twice");
	if (first)
		remarks_add(t->remarks,
			    "%s and %s are the same run, so what differs by chance looks more "
			    "certain than it is%s",
			    first->label, again->label, others);
}

/* ---- order of time --------------------------------------------------------------------------- */

/* Whether the times of both are from the same clock, as far as is known. */
static bool share_clock(const struct profile *a, const struct profile *b)
{
	static const enum profile_origin machine[] = {ORIGIN_HOST, ORIGIN_KERNEL};

	for (size_t i = 0; i < 2; i++) {
		const char *x = a->origin[machine[i]], *y = b->origin[machine[i]];

		if (!x || !y || strcmp(x, y) != 0)
			return false;
	}
	return a->clock == b->clock;
}

/* The time from the first sample to the last of the @nr @runs. */
static struct sample_span span_of(const struct profile *runs, size_t nr)
{
	struct sample_span span = runs->span;

	for (size_t i = 1; i < nr; i++) {
		if (runs[i].span.first < span.first)
			span.first = runs[i].span.first;
		if (runs[i].span.last > span.last)
			span.last = runs[i].span.last;
	}
	return span;
}

/* If one side was recorded first, a change of the machine looks like one of the program. */
static void tell_order(const struct teller *t)
{
	const struct profile *runs = t->input->runs;
	const size_t nr_old = t->input->nr_old, nr_new = t->input->nr_runs - nr_old;
	struct sample_span old_span, new_span;
	bool old_first;

	if (nr_old < 2 || nr_new < 2)
		return;
	for (size_t i = 0; i < t->input->nr_runs; i++)
		if (!share_clock(&runs[0], &runs[i]) || runs[i].span.last == 0)
			return;
	old_span = span_of(runs, nr_old);
	new_span = span_of(runs + nr_old, nr_new);
	old_first = old_span.last < new_span.first;
	if (old_first || new_span.last < old_span.first)
		remarks_add(t->remarks,
			    "not recorded alternately: all runs of the %s side are older than "
			    "those of the %s side, so any change of the machine in between looks "
			    "like a change of the program",
			    old_first ? "old" : "new", old_first ? "new" : "old");
}

void runfacts_tell(struct remarks *remarks, const struct match_input *input,
		   const struct match *match)
{
	static const struct fact_kind program = {"programs", program_text, 0};
	static const struct fact_kind machine[] = {
		{"hosts", origin_text, ORIGIN_HOST},
		{"kernels", origin_text, ORIGIN_KERNEL},
		{"CPUs", origin_text, ORIGIN_CPU},
		{"numbers of CPUs", cpus_text, 0},
	};
	const struct teller t = {remarks, input, match};

	tell_incomplete(&t);
	tell_kind(&t, &program);
	tell_inputs(&t);
	for (size_t i = 0; i < sizeof(machine) / sizeof(machine[0]); i++)
		tell_kind(&t, &machine[i]);
	tell_sampling(&t);
	tell_unknown(&t);
	tell_twins(&t);
	tell_order(&t);
}
