#include "decode/compare/match.h"

#include "decode/compare/name.h"
#include "decode/compare/namelist.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the rows of a function have in common, their source files aside. */
struct group_key {
	uint32_t event, function, binary; /* number of the event, of a string, class of a string */
};

/* A row of a run on its way to its function. */
struct entry {
	const struct profile_row *row;
	struct group_key key;
	uint32_t group, run;
	uint32_t file, file_base; /* strings */
	uint32_t file_class;
};

struct matcher {
	struct match *match;
	const struct match_input *input;
	struct error *err;
	uint32_t *event_names; /* strings, by run and event */
	uint32_t *class_of;    /* by number of the string */
	struct entry *entries;
	size_t nr_entries, entries_room;
	struct group_key *groups;
	size_t groups_room;
	struct index index;
};

static int nomem(struct matcher *m)
{
	return error_nomem(m->err, "matching functions");
}

static bool is_old(const struct matcher *m, size_t run)
{
	return run < m->input->nr_old;
}

static unsigned side_of(const struct matcher *m, size_t run)
{
	return is_old(m, run) ? SIDE_OLD : SIDE_NEW;
}

/* Pairs the names of @list and takes it away. */
static int pair_names(struct matcher *m, struct namelist *list)
{
	free(m->class_of);
	m->class_of = calloc(m->match->strings.nr_strings + 2, sizeof(*m->class_of));
	if (m->class_of)
		namelist_pair(list, false, m->class_of);
	namelist_free(list);
	return m->class_of ? 0 : nomem(m);
}

static bool gather(struct matcher *m, struct namelist *list, const char *name,
		   void (*name_of)(char *to, const char *name), size_t run)
{
	uint32_t exact = intern_string(&m->match->strings, name);
	uint32_t common = namelist_intern(&m->match->strings, name, name_of);

	return exact != INTERN_NOMEM && common != INTERN_NOMEM &&
	       namelist_add(list, exact, common, side_of(m, run));
}

/* ---- events ---------------------------------------------------------------------------------- */

/* An event without samples is none. */
static bool counts(const struct profile_event *event)
{
	return event->total.samples > 0;
}

/* Where what is known of event @i of @run is kept. */
static size_t place_of(const struct matcher *m, size_t run, size_t i)
{
	return m->match->first_event[run] + i;
}

/* Gathers the events of all runs, and keeps the numbers of their names. */
static int gather_events(struct matcher *m, struct namelist *list)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_events; i++) {
			if (!counts(&profile->events[i]))
				continue;
			if (!gather(m, list, profile->events[i].name, name_of_event, run))
				return nomem(m);
			m->event_names[place_of(m, run, i)] = list->names[list->nr - 1].exact;
		}
	}
	return 0;
}

static int pair_events(struct matcher *m)
{
	struct namelist list = {0};

	if (gather_events(m, &list) == 0)
		return pair_names(m, &list);
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
			class = &classes[m->class_of[m->event_names[place_of(m, run, i)]]];
			class->sides |= side_of(m, run);
			if (!class->names[!is_old(m, run)])
				class->names[!is_old(m, run)] = profile->events[i].name;
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
			uint32_t *number = &m->match->event_numbers[place_of(m, run, i)];
			struct event_class *class;

			*number = MATCH_NONE;
			if (!counts(&profile->events[i]))
				continue;
			class = &classes[m->class_of[m->event_names[place_of(m, run, i)]]];
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
			uint32_t number = m->match->event_numbers[place_of(m, run, i)];

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

static int match_events(struct matcher *m)
{
	struct match *match = m->match;
	struct event_class *classes;

	if (!make_room_for_events(m))
		return nomem(m);
	if (pair_events(m) < 0)
		return -1;
	classes = calloc(match->strings.nr_strings + 2, sizeof(*classes));
	if (!classes)
		return nomem(m);
	note_events(m, classes);
	number_events(m, classes);
	free(classes);
	match->totals = calloc(match->nr_events * m->input->nr_runs + 1, sizeof(*match->totals));
	if (!match->totals)
		return nomem(m);
	sum_events(m);
	return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int pair_binaries(struct matcher *m)
{
	struct namelist list = {0};

	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_rows; i++) {
			if (!gather(m, &list, name_base(profile->rows[i].binary), name_of_binary,
				    run)) {
				namelist_free(&list);
				return nomem(m);
			}
		}
	}
	return pair_names(m, &list);
}

/* The string that stands for the function of @row; INTERN_NOMEM with err filled. */
static uint32_t function_of(struct matcher *m, const struct profile_row *row, bool old)
{
	struct intern *strings = &m->match->strings;
	char *text = NULL;
	uint32_t number;
	int rc;

	if (*row->reason) {
		if (asprintf(&text, "%s (%s)", row->function, row->reason) < 0)
			text = NULL;
		number = text ? intern_string(strings, text) : INTERN_NOMEM;
	} else {
		number = namelist_intern(strings, row->function, name_of_function);
		rc = old && number != INTERN_NOMEM
			     ? rename_apply(m->input->renames, intern_get(strings, number), &text,
					    m->err)
			     : 0;
		if (rc < 0)
			return INTERN_NOMEM;
		if (rc > 0)
			number = intern_string(strings, text);
	}
	free(text);
	if (number == INTERN_NOMEM)
		nomem(m);
	return number;
}

/* The number of the group with @key; MATCH_NONE if memory is out. */
static uint32_t get_group(struct matcher *m, const struct group_key *key)
{
	uint64_t hash = hash_u64(
		hash_add(hash_add(0, key->event), (uint64_t)key->function << 32 | key->binary));
	uint32_t number;

	for (size_t at = index_first(&m->index, hash); index_next(&m->index, hash, &at, &number);) {
		if (memcmp(&m->groups[number], key, sizeof(*key)) == 0)
			return number;
	}
	number = (uint32_t)m->index.nr;
	if (!array_grow(m->groups, m->groups_room, (size_t)number + 1) ||
	    !index_add(&m->index, hash))
		return MATCH_NONE;
	m->groups[number] = *key;
	return number;
}

static void name_of_file(char *to, const char *name)
{
	strcpy(to, name_base(name)); /* NOLINT: a part of what it has room for */
}

static int add_entry(struct matcher *m, const struct profile_row *row, size_t run, uint32_t event)
{
	struct intern *strings = &m->match->strings;
	struct entry entry = {.row = row, .run = (uint32_t)run, .key = {.event = event}};
	uint32_t binary = intern_string(strings, name_base(row->binary));

	entry.key.function = function_of(m, row, is_old(m, run));
	if (entry.key.function == INTERN_NOMEM)
		return -1;
	entry.file = intern_string(strings, row->filename);
	entry.file_base = namelist_intern(strings, row->filename, name_of_file);
	if (binary == INTERN_NOMEM || entry.file == INTERN_NOMEM || entry.file_base == INTERN_NOMEM)
		return nomem(m);
	entry.key.binary = m->class_of[binary];
	entry.group = get_group(m, &entry.key);
	if (entry.group == MATCH_NONE ||
	    !array_grow(m->entries, m->entries_room, m->nr_entries + 1))
		return nomem(m);
	m->entries[m->nr_entries++] = entry;
	return 0;
}

static int add_entries(struct matcher *m)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_rows; i++) {
			const struct profile_row *row = &profile->rows[i];
			uint32_t event = m->match->event_numbers[place_of(m, run, row->event)];

			if (event != MATCH_NONE && add_entry(m, row, run, event) < 0)
				return -1;
		}
	}
	return 0;
}

/* ---- functions ------------------------------------------------------------------------------- */

static int compare_u32(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = compare_u32(x->key.event, y->key.event);

	if (order == 0)
		order = compare_u32(x->group, y->group);
	if (order == 0)
		order = compare_u32(x->file_class, y->file_class);
	if (order == 0)
		order = compare_u32(x->run, y->run);
	if (order == 0)
		order = x->row < y->row ? -1 : x->row > y->row;
	return order;
}

static void sort_entries(struct matcher *m)
{
	if (m->nr_entries > 1)
		qsort(m->entries, m->nr_entries, sizeof(*m->entries), compare_entries);
}

/* How many of the entries from @first on are of one group; of one file class, too, if @by_file. */
static size_t count_like(const struct matcher *m, size_t first, bool by_file)
{
	const struct entry *entry = &m->entries[first];
	size_t i = first;

	while (i < m->nr_entries && m->entries[i].group == entry->group &&
	       (!by_file || m->entries[i].file_class == entry->file_class))
		i++;
	return i - first;
}

/* Pairs the source files of the @nr entries of a group. */
static int pair_files(struct matcher *m, struct entry *entries, size_t nr, struct namelist *list)
{
	list->nr = 0;
	for (size_t i = 0; i < nr; i++) {
		if (!namelist_add(list, entries[i].file, entries[i].file_base,
				  side_of(m, entries[i].run)))
			return nomem(m);
	}
	namelist_pair(list, true, m->class_of);
	for (size_t i = 0; i < nr; i++)
		entries[i].file_class = m->class_of[entries[i].file];
	return 0;
}

static int pair_all_files(struct matcher *m)
{
	struct namelist list = {0};
	int rc = 0;

	free(m->class_of);
	m->class_of = calloc(m->match->strings.nr_strings + 2, sizeof(*m->class_of));
	if (!m->class_of)
		return nomem(m);
	sort_entries(m);
	for (size_t i = 0, nr; i < m->nr_entries && rc == 0; i += nr) {
		nr = count_like(m, i, false);
		rc = pair_files(m, &m->entries[i], nr, &list);
	}
	namelist_free(&list);
	sort_entries(m);
	return rc;
}

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
	function->best = *tally;
	function->best_is_new = is_new;
}

static void make_function(struct matcher *m, const struct entry *entries, size_t nr,
			  struct matched_function *function)
{
	const struct matched_event *event = &m->match->events[entries->key.event];

	function->event = entries->key.event;
	function->function = intern_get(&m->match->strings, entries->key.function);
	function->filename = function->binary = "";
	for (size_t i = 0; i < nr; i++) {
		const struct profile_row *row = entries[i].row;
		const bool children = m->input->children;
		const struct tally *tally = children ? &row->children : &row->self;
		const struct noise noise = {children ? row->children_noise : row->noise,
					    row->noise_df};

		add_share(&function->shares[entries[i].run], tally, noise,
			  &event->totals[entries[i].run]);
		take_names(function, row, tally, !is_old(m, entries[i].run));
	}
}

static int make_functions(struct matcher *m)
{
	struct match *match = m->match;
	const size_t nr_runs = m->input->nr_runs;
	size_t nr_functions = 0, nr;

	for (size_t i = 0; i < m->nr_entries; i += count_like(m, i, true))
		nr_functions++;
	match->functions = calloc(nr_functions + 1, sizeof(*match->functions));
	match->shares = calloc(nr_functions + 1, nr_runs * sizeof(*match->shares));
	if (!match->functions || !match->shares)
		return nomem(m);
	for (size_t i = 0; i < m->nr_entries; i += nr) {
		struct matched_function *function = &match->functions[match->nr_functions];

		nr = count_like(m, i, true);
		function->shares = match->shares + match->nr_functions++ * nr_runs;
		make_function(m, &m->entries[i], nr, function);
	}
	return 0;
}

int match_make(struct match *match, const struct match_input *input, struct error *err)
{
	struct matcher m = {.match = match, .input = input, .err = err};
	int rc = -1;

	if (match_events(&m) == 0 && pair_binaries(&m) == 0 && add_entries(&m) == 0 &&
	    pair_all_files(&m) == 0)
		rc = make_functions(&m);
	free(m.event_names);
	free(m.class_of);
	free(m.entries);
	free(m.groups);
	index_free(&m.index);
	return rc;
}

void match_free(struct match *match)
{
	free(match->events);
	free(match->lone);
	free(match->functions);
	free(match->totals);
	free(match->event_numbers);
	free(match->first_event);
	free(match->shares);
	intern_free(&match->strings);
	*match = (struct match){0};
}
