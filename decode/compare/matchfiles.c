#include "decode/compare/matcher.h"

#include "decode/compare/name.h"

#include <stdlib.h>
#include <string.h>

/* The entries that count, by group. */
struct grouped {
	struct entry **entries;
	size_t *ends; /* by group: the place behind its last entry */
};

/* False: no memory. */
static bool group_entries(const struct matcher *m, struct grouped *grouped)
{
	const size_t nr_groups = m->index.nr;
	size_t nr = 0;

	grouped->entries = calloc(m->nr_entries + 1, sizeof(struct entry *));
	grouped->ends = calloc(nr_groups + 1, sizeof(*grouped->ends));
	if (!grouped->entries || !grouped->ends)
		return false;
	for (size_t i = 0; i < m->nr_entries; i++)
		if (m->entries[i].counts)
			grouped->ends[m->entries[i].group]++;
	for (size_t i = 0; i < nr_groups; i++) {
		size_t size = grouped->ends[i];

		grouped->ends[i] = nr; /* its begin: it moves as its entries come */
		nr += size;
	}
	for (size_t i = 0; i < m->nr_entries; i++) {
		struct entry *entry = &m->entries[i];

		if (entry->counts)
			grouped->entries[grouped->ends[entry->group]++] = entry;
	}
	return true;
}

static void name_of_file(char *to, const char *name)
{
	strcpy(to, name_base(name)); /* NOLINT: a part of what it has room for */
}

static bool are_of_one_file(struct entry *const *entries, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (strcmp(entries[i]->names->filename, entries[0]->names->filename) != 0)
			return false;
	return true;
}

static int compare_files(const void *a, const void *b)
{
	const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;

	return x->file < y->file ? -1 : x->file > y->file;
}

/* Pairs the source files of the @nr entries of a group, and sorts these by their files' classes. */
static int pair_files(struct matcher *m, struct entry **entries, size_t nr)
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
	qsort(entries, nr, sizeof(struct entry *), compare_files);
	return 0;
}

/* Numbers the functions of each event by themselves, in the order of @entries; *@next is by event
 * the number of its next one. */
static void number_functions(struct entry **entries, size_t nr, uint32_t *next)
{
	for (size_t i = 0; i < nr; i++) {
		const uint32_t event = entries[i]->key.event;

		if (i == 0 || entries[i]->file != entries[i - 1]->file)
			next[event]++;
		entries[i]->function = next[event] - 1;
	}
}

/* Numbers those of all events: what @nr_of is for an event becomes its first number. */
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
		struct entry **entries = grouped->entries + start;
		const size_t nr = grouped->ends[i] - start;

		if (pair_files(m, entries, nr) < 0)
			return -1;
		number_functions(entries, nr, nr_of);
		start += nr;
	}
	shift_functions(m, nr_of);
	return 0;
}

int matcher_functions(struct matcher *m)
{
	uint32_t *nr_of = calloc(m->match->nr_events + 1, sizeof(*nr_of)); /* functions, by event */
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
