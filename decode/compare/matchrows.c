#include "decode/compare/matcher.h"

#include "decode/compare/name.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds out which renamings have a binary of the new side to rename to. */
static int find_named(struct matcher *m)
{
	const struct renames *renames = m->input->renames;

	m->named = calloc(renames->nr + 1, sizeof(*m->named));
	m->match->fitted = calloc(renames->nr + 1, sizeof(*m->match->fitted));
	if (!m->named || !m->match->fitted)
		return matcher_nomem(m);
	for (size_t run = m->input->nr_old; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_rows; i++)
			rename_find_binary(renames, profile->rows[i].binary, m->named);
	}
	return 0;
}

/* What the binary of @row of @run is paired by. */
static const char *code_of(const struct matcher *m, const struct profile_row *row, size_t run)
{
	const char *renamed = NULL;

	if (matcher_is_old(m, run))
		renamed = rename_binary(m->input->renames, row->binary, m->named, m->match->fitted);
	return name_of_code(renamed ? renamed : row->binary);
}

static int pair_binaries(struct matcher *m)
{
	struct namelist list = {0};

	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_rows; i++) {
			if (!matcher_gather(m, &list, code_of(m, &profile->rows[i], run),
					    name_of_binary, run)) {
				namelist_free(&list);
				return matcher_nomem(m);
			}
		}
	}
	return matcher_pair_names(m, &list);
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
			     ? rename_apply(m->input->renames, intern_get(strings, number),
					    m->match->fitted, &text, m->err)
			     : 0;
		if (rc < 0)
			return INTERN_NOMEM;
		if (rc > 0)
			number = intern_string(strings, text);
	}
	free(text);
	if (number == INTERN_NOMEM)
		matcher_nomem(m);
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
	uint32_t binary = intern_string(strings, code_of(m, row, run));

	entry.key.function = function_of(m, row, matcher_is_old(m, run));
	if (entry.key.function == INTERN_NOMEM)
		return -1;
	entry.file = intern_string(strings, row->filename);
	entry.file_base = namelist_intern(strings, row->filename, name_of_file);
	if (binary == INTERN_NOMEM || entry.file == INTERN_NOMEM || entry.file_base == INTERN_NOMEM)
		return matcher_nomem(m);
	entry.key.binary = m->class_of[binary];
	entry.group = get_group(m, &entry.key);
	if (entry.group == MATCH_NONE ||
	    !array_grow(m->entries, m->entries_room, m->nr_entries + 1))
		return matcher_nomem(m);
	m->entries[m->nr_entries++] = entry;
	return 0;
}

static int add_entries(struct matcher *m)
{
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_rows; i++) {
			const struct profile_row *row = &profile->rows[i];
			uint32_t event =
				m->match->event_numbers[matcher_place_of(m, run, row->event)];

			if (event != MATCH_NONE && add_entry(m, row, run, event) < 0)
				return -1;
		}
	}
	return 0;
}

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

/* Pairs the source files of the @nr entries of a group. */
static int pair_files(struct matcher *m, struct entry *entries, size_t nr, struct namelist *list)
{
	list->nr = 0;
	for (size_t i = 0; i < nr; i++) {
		if (!namelist_add(list, entries[i].file, entries[i].file_base,
				  matcher_side_of(m, entries[i].run)))
			return matcher_nomem(m);
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
		return matcher_nomem(m);
	sort_entries(m);
	for (size_t i = 0, nr; i < m->nr_entries && rc == 0; i += nr) {
		nr = matcher_count_like(m, i, false);
		rc = pair_files(m, &m->entries[i], nr, &list);
	}
	namelist_free(&list);
	sort_entries(m);
	return rc;
}

int matcher_rows(struct matcher *m)
{
	if (find_named(m) < 0 || pair_binaries(m) < 0 || add_entries(m) < 0)
		return -1;
	return pair_all_files(m);
}
