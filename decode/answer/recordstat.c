/* Record statistics: the number of records of each type, and what was lost. */
#include "decode/answer/aggregate.h"
#include "util/array.h"
#include "util/intern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct type_count {
	uint32_t type;
	uint64_t count;
};

/* All zero is empty. */
struct recordstat {
	uint64_t named[RECORD_NAMED_MAX]; /* by type; 0 for types without a name */
	struct type_count *unnamed;	  /* ascending by type */
	size_t nr_unnamed, unnamed_room;
	struct record_stat *rows;
	size_t nr_rows;
	struct intern strings;
};

/* Binary search for @type in `unnamed`: its index, or the index to insert it at. */
static size_t unnamed_place(const struct recordstat *stat, uint32_t type)
{
	size_t low = 0, high = stat->nr_unnamed;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stat->unnamed[middle].type < type)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool count_unnamed(struct recordstat *stat, uint32_t type)
{
	size_t at = unnamed_place(stat, type);

	if (at == stat->nr_unnamed || stat->unnamed[at].type != type) {
		if (!array_grow(stat->unnamed, stat->unnamed_room, stat->nr_unnamed + 1))
			return false;
		memmove(&stat->unnamed[at + 1], &stat->unnamed[at],
			(stat->nr_unnamed - at) * sizeof(*stat->unnamed));
		stat->unnamed[at] = (struct type_count){.type = type};
		stat->nr_unnamed++;
	}
	stat->unnamed[at].count++;
	return true;
}

static bool count_record(void *state, const struct record *rec)
{
	struct recordstat *stat = state;

	if (!record_type_name(rec->type))
		return count_unnamed(stat, rec->type);
	stat->named[rec->type]++;
	return true;
}

static bool count_plain_samples(void *state, const struct plain_samples *samples)
{
	struct recordstat *stat = state;

	stat->named[RECORD_SAMPLE] += samples->nr;
	return true;
}

static bool add_row(struct recordstat *stat, const char *record, uint64_t count)
{
	struct record_stat *row = &stat->rows[stat->nr_rows++];

	row->record = intern_keep(&stat->strings, record);
	row->count = count;
	return row->record;
}

static bool add_unnamed(struct recordstat *stat, const struct type_count *unnamed)
{
	char name[32];

	snprintf(name, sizeof(name), "UNKNOWN_%" PRIu32, unnamed->type);
	return add_row(stat, name, unnamed->count);
}

/* Adds a row [late NAME] for each type with late records. */
static bool add_late(struct recordstat *stat, const struct perffile_counts *counts)
{
	for (uint32_t type = 0; type < RECORD_USER_FIRST; type++) {
		const char *name = record_type_name(type);
		char unnamed[32], row[64];

		if (counts->late_by_type[type] == 0)
			continue;
		snprintf(unnamed, sizeof(unnamed), "UNKNOWN_%" PRIu32, type);
		snprintf(row, sizeof(row), "[late %s]", name ? name : unnamed);
		if (!add_row(stat, row, counts->late_by_type[type]))
			return false;
	}
	return true;
}

/* Adds a row [damaged CAUSE] for each cause that occurred, and one for their bytes. */
static bool add_damages(struct recordstat *stat, const struct perffile_counts *counts)
{
	uint64_t bytes = 0;

	if (counts->damaged == 0)
		return true;
	for (enum damage_cause cause = 0; cause < NR_DAMAGES; cause++) {
		char row[64];

		bytes += counts->damages[cause].bytes;
		if (counts->damages[cause].records == 0)
			continue;
		snprintf(row, sizeof(row), "[damaged %s]", counts_damage_name(cause));
		if (!add_row(stat, row, counts->damages[cause].records))
			return false;
	}
	return add_row(stat, "[damaged bytes]", bytes);
}

/*
 * Makes the rows of stat.csv: every named type, even with count 0; the types without a name; losses
 * from @counts; late types.
 */
static bool make_rows(struct recordstat *stat, const struct perffile_counts *counts)
{
	enum { NR_BOOKKEEPING = 5 + RECORD_USER_FIRST + NR_DAMAGES + 1 };
	bool ok;

	free(stat->rows);
	stat->nr_rows = 0;
	stat->rows =
		calloc(RECORD_NAMED_MAX + stat->nr_unnamed + NR_BOOKKEEPING, sizeof(*stat->rows));
	ok = stat->rows;
	for (uint32_t type = 0; ok && type < RECORD_NAMED_MAX; type++) {
		if (record_type_name(type))
			ok = add_row(stat, record_type_name(type), stat->named[type]);
	}
	for (size_t i = 0; ok && i < stat->nr_unnamed; i++)
		ok = add_unnamed(stat, &stat->unnamed[i]);
	return ok && add_row(stat, "[lost]", counts->lost) &&
	       add_row(stat, "[damaged]", counts->damaged) &&
	       add_row(stat, "[late]", counts->late) &&
	       add_row(stat, "[truncated bytes]", counts->truncated_bytes) &&
	       add_row(stat, "[missing bytes]", counts->missing_bytes) && add_late(stat, counts) &&
	       add_damages(stat, counts);
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	(void)results;
	if (!make_rows(state, perffile_counts(view->file)))
		return error_nomem(err, "adding up records");
	return 0;
}

static struct rows rows(void *state, unsigned number)
{
	const struct recordstat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static void end(void *state)
{
	struct recordstat *stat = state;

	free(stat->unnamed);
	free(stat->rows);
	intern_free(&stat->strings);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct recordstat),
	.record = count_record,
	.plain = count_plain_samples,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer recordstat_records = {&aggregate, 0};
