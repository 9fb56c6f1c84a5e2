#include "decode/compare/matcher.h"

#include <stdlib.h>

int matcher_nomem(struct matcher *m)
{
	return error_nomem(m->err, "matching functions");
}

bool matcher_gather(struct matcher *m, struct namelist *list, const char *name,
		    void (*name_of)(char *to, const char *name), size_t run)
{
	uint32_t exact = intern_string(&m->match->strings, name);
	uint32_t common = namelist_intern(&m->match->strings, name, name_of);

	return exact != INTERN_NOMEM && common != INTERN_NOMEM &&
	       namelist_add(list, exact, common, matcher_side_of(m, run));
}

int matcher_pair_names(struct matcher *m, struct namelist *list)
{
	free(m->class_of);
	m->class_of = calloc(m->match->strings.nr_strings + 2, sizeof(*m->class_of));
	if (m->class_of)
		namelist_pair(list, false, m->class_of);
	namelist_free(list);
	return m->class_of ? 0 : matcher_nomem(m);
}

size_t matcher_count_like(const struct matcher *m, size_t first, bool by_file)
{
	const struct entry *entry = &m->entries[first];
	size_t i = first;

	while (i < m->nr_entries && m->entries[i].group == entry->group &&
	       (!by_file || m->entries[i].file_class == entry->file_class))
		i++;
	return i - first;
}
