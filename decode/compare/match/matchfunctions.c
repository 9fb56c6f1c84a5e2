#include "decode/compare/match/matchfunctions.h"

#include "decode/compare/names/name.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- entries --------------------------------------------------------------------------------- */

/* The first place of the keys of @run: that of an earlier run that shares the keys, or @next. */
static size_t find_first_place(const struct matcher *m, size_t run, size_t next)
{
	const struct profile *runs = m->input->runs;

	for (size_t i = run; i-- > 0;)
		if (runs[i].keys == runs[run].keys)
			return m->first_place[i];
	return next;
}

/* Allocates room for all places. Returns false if memory is out. */
static bool make_room_for_places(struct matcher *m)
{
	size_t nr = 1; /* at least 1: calloc(0) may return NULL */

	m->first_place = calloc(m->input->nr_runs, sizeof(*m->first_place));
	for (size_t run = 0; m->first_place && run < m->input->nr_runs; run++) {
		const struct rowkeys *keys = m->input->runs[run].keys;

		m->first_place[run] = find_first_place(m, run, nr);
		if (m->first_place[run] == nr && keys)
			nr += 2 * keys->nr;
	}
	m->entry_of = calloc(nr, sizeof(*m->entry_of));
	return m->first_place && m->entry_of;
}

/* Returns the entry of @row of @run, made if it is new; NULL if memory is out. */
static struct match_entry *get_entry(struct matcher *m, size_t run, const struct profile_row *row)
{
	uint32_t *number = matcher_entry_of(m, run, row);

	if (!*number) {
		if (m->nr_entries >= MATCH_NONE - 1 ||
		    !array_grow(m->entries, m->entries_room, m->nr_entries + 1))
			return NULL;
		m->entries[m->nr_entries++] =
			(struct match_entry){.names = profile_key(&m->input->runs[run], row),
					     .side = matcher_side_of(m, run)};
		*number = (uint32_t)m->nr_entries;
	}
	return &m->entries[*number - 1];
}

static int make_entries(struct matcher *m)
{
	if (!make_room_for_places(m))
		return matcher_nomem(m);
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_rows; i++) {
			const struct profile_row *row = &profile->rows[i];
			struct match_entry *entry = get_entry(m, run, row);
			uint32_t event = matcher_event_of(m, run, row);

			if (!entry)
				return matcher_nomem(m);
			if (event == MATCH_NONE)
				continue;
			entry->key.event = event;
			entry->counts = true;
		}
	}
	return 0;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Finds the renamings whose NEW is a binary of the new side. */
static int find_named(struct matcher *m)
{
	const struct renames *renames = m->input->renames;

	m->named = calloc(renames->nr + 1, sizeof(*m->named));
	m->match->fitted = calloc(renames->nr + 1, sizeof(*m->match->fitted));
	if (!m->named || !m->match->fitted)
		return matcher_nomem(m);
	for (size_t i = 0; i < m->nr_entries; i++)
		if (m->entries[i].side == SIDE_NEW)
			rename_find_binary(renames, m->entries[i].names->binary, m->named);
	return 0;
}

/* The name by which the binary of @entry is matched. */
static const char *code_of(const struct matcher *m, const struct match_entry *entry)
{
	const char *binary = entry->names->binary, *renamed = NULL;

	if (entry->side == SIDE_OLD)
		renamed = rename_binary(m->input->renames, binary, m->named, m->match->fitted);
	return name_of_code(renamed ? renamed : binary);
}

static int pair_binaries(struct matcher *m)
{
	namelist_clear(&m->list);
	for (size_t i = 0; i < m->nr_entries; i++) {
		struct match_entry *entry = &m->entries[i];

		entry->key.binary =
			matcher_gather(m, code_of(m, entry), name_of_binary, entry->side);
		if (entry->key.binary == INTERN_NOMEM)
			return matcher_nomem(m);
	}
	namelist_pair(&m->list, false);
	for (size_t i = 0; i < m->nr_entries; i++)
		m->entries[i].key.binary = namelist_class(&m->list, m->entries[i].key.binary);
	return 0;
}

/* The string number for the name of the function of @entry; INTERN_NOMEM with err filled. */
static uint32_t name_of(struct matcher *m, const struct match_entry *entry)
{
	struct intern *strings = &m->match->strings;
	const struct row_key *names = entry->names;
	char *text = NULL;
	uint32_t number;
	int rc;

	if (*names->reason) {
		if (asprintf(&text, "%s (%s)", names->function, names->reason) < 0)
			text = NULL;
		number = text ? intern_string(strings, text) : INTERN_NOMEM;
	} else {
		number = namelist_intern(strings, names->function, name_of_function);
		rc = entry->side == SIDE_OLD && number != INTERN_NOMEM
			     ? rename_apply(m->input->renames, intern_get(strings, number),
					    m->match->fitted, &text, m->err)
			     : 0;
		if (rc < 0)
			return INTERN_NOMEM;
		if (rc > 0)
			number = namelist_intern(strings, text, name_of_function);
	}
	free(text);
	if (number == INTERN_NOMEM)
		matcher_nomem(m);
	return number;
}

/* The name of @entry with the values of its keys: "main {cpu=0}". */
static uint32_t function_of(struct matcher *m, const struct match_entry *entry)
{
	struct intern *strings = &m->match->strings;
	uint32_t number;
	char *text;

	if (!*entry->names->keys)
		return entry->name;
	if (asprintf(&text, "%s {%s}", intern_get(strings, entry->name), entry->names->keys) < 0)
		text = NULL;
	number = text ? intern_string(strings, text) : INTERN_NOMEM;
	free(text);
	if (number == INTERN_NOMEM)
		matcher_nomem(m);
	return number;
}

/* Returns the number of the group with @key, made if it is new; MATCH_NONE if memory is out. */
static uint32_t get_group(struct matcher *m, const struct match_group *key)
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

static int name_entry(struct matcher *m, struct match_entry *entry)
{
	entry->name = name_of(m, entry);
	if (entry->name == INTERN_NOMEM)
		return -1;
	entry->key.function = function_of(m, entry);
	if (entry->key.function == INTERN_NOMEM)
		return -1;
	entry->group = get_group(m, &entry->key);
	return entry->group == MATCH_NONE ? matcher_nomem(m) : 0;
}

static int make_groups(struct matcher *m)
{
	if (find_named(m) < 0 || pair_binaries(m) < 0)
		return -1;
	for (size_t i = 0; i < m->nr_entries; i++)
		if (m->entries[i].counts && name_entry(m, &m->entries[i]) < 0)
			return -1;
	return 0;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* The entries that count, sorted by group. */
struct grouped {
	struct match_entry **entries;
	size_t *ends; /* by group: index after its last entry */
};

/* Sorts the entries by group. Returns false if memory is out. */
static bool group_entries(const struct matcher *m, struct grouped *grouped)
{
	const size_t nr_groups = m->index.nr;
	size_t nr = 0;

	grouped->entries = calloc(m->nr_entries + 1, sizeof(struct match_entry *));
	grouped->ends = calloc(nr_groups + 1, sizeof(*grouped->ends));
	if (!grouped->entries || !grouped->ends)
		return false;
	for (size_t i = 0; i < m->nr_entries; i++)
		if (m->entries[i].counts)
			grouped->ends[m->entries[i].group]++;
	for (size_t i = 0; i < nr_groups; i++) {
		size_t size = grouped->ends[i];

		/* index of its first entry; increases as entries are added */
		grouped->ends[i] = nr;
		nr += size;
	}
	for (size_t i = 0; i < m->nr_entries; i++) {
		struct match_entry *entry = &m->entries[i];

		if (entry->counts)
			grouped->entries[grouped->ends[entry->group]++] = entry;
	}
	return true;
}

static void name_of_file(char *to, const char *name)
{
	strcpy(to, name_base(name)); /* NOLINT: the base name is a part of @name, which fits */
}

static bool are_of_one_file(struct match_entry *const *entries, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (strcmp(entries[i]->names->filename, entries[0]->names->filename) != 0)
			return false;
	return true;
}

static int compare_files(const void *a, const void *b)
{
	const struct match_entry *x = *(struct match_entry *const *)a,
				 *y = *(struct match_entry *const *)b;

	return x->file < y->file ? -1 : x->file > y->file;
}

/* Pairs the source files of the @nr entries of a group, and sorts the entries by file. */
static int pair_files(struct matcher *m, struct match_entry **entries, size_t nr)
{
	if (are_of_one_file(entries, nr))
		return 0;
	namelist_clear(&m->list);
	for (size_t i = 0; i < nr; i++) {
		entries[i]->file = matcher_gather(m, entries[i]->names->filename, name_of_file,
						  entries[i]->side);
		if (entries[i]->file == INTERN_NOMEM)
			return matcher_nomem(m);
	}
	namelist_pair(&m->list, true);
	for (size_t i = 0; i < nr; i++)
		entries[i]->file = namelist_class(&m->list, entries[i]->file);
	qsort(entries, nr, sizeof(struct match_entry *), compare_files);
	return 0;
}

/* Numbers the functions of @entries within their events. @next is the next number, by event. */
static void number_functions(struct match_entry **entries, size_t nr, uint32_t *next)
{
	for (size_t i = 0; i < nr; i++) {
		const uint32_t event = entries[i]->key.event;

		if (i == 0 || entries[i]->file != entries[i - 1]->file)
			next[event]++;
		entries[i]->function = next[event] - 1;
	}
}

/*
 * Converts numbers within an event to numbers in all functions. @nr_of, the number of functions by
 * event, becomes the number of the event's first function.
 */
static void shift_functions(struct matcher *m, uint32_t *nr_of)
{
	for (size_t i = 0; i < m->match->nr_events; i++) {
		uint32_t nr = nr_of[i];

		nr_of[i] = (uint32_t)m->match->nr_functions;
		m->match->nr_functions += nr;
	}
	for (size_t i = 0; i < m->nr_entries; i++)
		if (m->entries[i].counts)
			m->entries[i].function += nr_of[m->entries[i].key.event];
}

static int make_functions(struct matcher *m, const struct grouped *grouped, uint32_t *nr_of)
{
	size_t start = 0;

	for (size_t i = 0; i < m->index.nr; i++) {
		struct match_entry **entries = grouped->entries + start;
		const size_t nr = grouped->ends[i] - start;

		if (pair_files(m, entries, nr) < 0)
			return -1;
		number_functions(entries, nr, nr_of);
		start += nr;
	}
	shift_functions(m, nr_of);
	return 0;
}

static int split_groups(struct matcher *m)
{
	/* number of functions, by event */
	uint32_t *nr_of = calloc(m->match->nr_events + 1, sizeof(*nr_of));
	struct grouped grouped = {0};
	int rc;

	if (nr_of && group_entries(m, &grouped))
		rc = make_functions(m, &grouped, nr_of);
	else
		rc = matcher_nomem(m);
	free(grouped.entries);
	free(grouped.ends);
	free(nr_of);
	return rc;
}

int matchfunctions_find(struct matcher *m)
{
	return make_entries(m) < 0 || make_groups(m) < 0 ? -1 : split_groups(m);
}
