#include "decode/compare/matcher.h"

#include "util/array.h"

#include <stdlib.h>

/* Where the places of the keys of @run begin, if an earlier run shares them; or @next. */
static size_t find_first_place(const struct matcher *m, size_t run, size_t next)
{
	const struct profile *runs = m->input->runs;

	for (size_t i = run; i-- > 0;)
		if (runs[i].keys == runs[run].keys)
			return m->first_place[i];
	return next;
}

/* Room for all places. False: no memory. */
static bool make_room_for_places(struct matcher *m)
{
	size_t nr = 1; /* none is not nothing for calloc() */

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

/* The entry of @row of @run, which is made if it has none; NULL if memory is out. */
static struct entry *get_entry(struct matcher *m, size_t run, const struct profile_row *row)
{
	uint32_t *number = matcher_entry_of(m, run, row);

	if (!*number) {
		if (m->nr_entries >= MATCH_NONE - 1 ||
		    !array_grow(m->entries, m->entries_room, m->nr_entries + 1))
			return NULL;
		m->entries[m->nr_entries++] =
			(struct entry){.names = profile_key(&m->input->runs[run], row),
				       .side = matcher_side_of(m, run)};
		*number = (uint32_t)m->nr_entries;
	}
	return &m->entries[*number - 1];
}

int matcher_entries(struct matcher *m)
{
	if (!make_room_for_places(m))
		return matcher_nomem(m);
	for (size_t run = 0; run < m->input->nr_runs; run++) {
		const struct profile *profile = &m->input->runs[run];

		for (size_t i = 0; i < profile->nr_rows; i++) {
			const struct profile_row *row = &profile->rows[i];
			struct entry *entry = get_entry(m, run, row);
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
