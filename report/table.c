#include "report/table.h"

#include <string.h>

void table_set_run(struct table_file *to, const struct runtags *tags)
{
	struct cell *cell = to->tail;

	to->tags = tags;
	if (tags->on && !to->table->of_runs)
		cell_hex_if(cell++, tags->known, tags->run);
	for (size_t i = 0; i < tags->nr; i++)
		cell_text(cell++, tags->list[i].value);
	to->nr_tail = (size_t)(cell - to->tail);
}

/* Adds the columns that tell the run to the @nr columns. Returns the number of all. */
static size_t add_run_columns(const struct table_file *to, struct column *columns, size_t nr)
{
	if (to->nr_tail && !to->table->of_runs)
		columns[nr++] = (struct column){.name = "run", .type = CELL_HEX};
	for (size_t i = 0; to->nr_tail && i < to->tags->nr; i++)
		columns[nr++] = (struct column){.name = to->tags->list[i].key, .type = CELL_TEXT};
	return nr;
}

void table_start_split(struct table_file *to, const char *const *keys, size_t nr_keys)
{
	const struct table *table = to->table;
	struct column columns[TABLE_COLUMNS_MAX];
	size_t nr = table->nr_columns;

	memcpy(columns, table->columns, nr * sizeof(columns[0]));
	for (size_t i = 0; i < nr_keys && table->split && nr < TABLE_COLUMNS_MAX - TABLE_TAIL_MAX;
	     i++)
		columns[nr++] = (struct column){.name = keys[i], .type = CELL_MIXED};
	writer_start(&to->writer, columns, add_run_columns(to, columns, nr));
}

void table_write(struct table_file *to, const struct rows *rows, const struct results *results)
{
	const struct table *table = to->table;

	if (table->write)
		table->write(to, rows, results);
	for (size_t i = 0; table->row_bytes && i < rows->nr; i++)
		table_put_row(to, (const char *)rows->first + i * table->row_bytes);
}

bool table_start_rows(struct table_file *to, const struct row_source *rows)
{
	struct error err;

	if (rows->start(rows->arg, &err) == 0)
		return true;
	outfile_fail(to->writer.out, &err);
	return false;
}

bool table_next_row(struct table_file *to, const struct row_source *rows, void *row)
{
	struct error err;
	int rc = rows->next(rows->arg, row, &err);

	if (rc < 0)
		outfile_fail(to->writer.out, &err);
	return rc > 0;
}

struct life_events table_events_of_life(const struct results *results, const uint32_t *own,
					size_t nr_own)
{
	if (results->filtered || (results->nr_sampled > TABLE_EVENTS_MAX && nr_own))
		return (struct life_events){own, nr_own};
	if (results->nr_sampled > TABLE_EVENTS_MAX)
		return (struct life_events){results->sampled, 1};
	return (struct life_events){results->sampled, results->nr_sampled};
}
