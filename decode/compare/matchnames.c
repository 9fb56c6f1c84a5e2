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
	for (size_t i = 0; i < m->nr_entries; i++)
		if (m->entries[i].side == SIDE_NEW)
			rename_find_binary(renames, m->entries[i].names->binary, m->named);
	return 0;
}

/* What the binary of @entry is paired by. */
static const char *code_of(const struct matcher *m, const struct entry *entry)
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
		struct entry *entry = &m->entries[i];

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

/* The string that stands for the function of @entry; INTERN_NOMEM with err filled. */
static uint32_t function_of(struct matcher *m, const struct entry *entry)
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

static int name_entry(struct matcher *m, struct entry *entry)
{
	entry->key.function = function_of(m, entry);
	if (entry->key.function == INTERN_NOMEM)
		return -1;
	entry->group = get_group(m, &entry->key);
	return entry->group == MATCH_NONE ? matcher_nomem(m) : 0;
}

int matcher_names(struct matcher *m)
{
	if (find_named(m) < 0 || pair_binaries(m) < 0)
		return -1;
	for (size_t i = 0; i < m->nr_entries; i++)
		if (m->entries[i].counts && name_entry(m, &m->entries[i]) < 0)
			return -1;
	return 0;
}
