#include "report/table.h"

const struct table *const all_tables[NR_TABLES] = {
	[TABLE_STAT] = &stat_table,	      [TABLE_OVERVIEW] = &overview_table,
	[TABLE_PROCESSES] = &processes_table, [TABLE_RESULTS] = &results_table,
	[TABLE_EVENTS] = &events_table,	      [TABLE_HEADER] = &header_table,
	[TABLE_THREADS] = &threads_table,     [TABLE_BINARIES] = &binaries_table,
	[TABLE_LINES] = &lines_table,	      [TABLE_ADDRESSES] = &addresses_table,
};

void table_put_header(struct csv *csv, const struct table *table)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		csv_ready(csv, table->columns[i].name, strlen(table->columns[i].name));
	csv_end_row(csv);
}

bool table_start_rows(struct csv *csv, const struct row_source *rows)
{
	struct error err;

	if (rows->start(rows->arg, &err) == 0)
		return true;
	outfile_fail(csv->out, &err);
	return false;
}

bool table_next_row(struct csv *csv, const struct row_source *rows, void *row)
{
	struct error err;
	int rc = rows->next(rows->arg, row, &err);

	if (rc < 0)
		outfile_fail(csv->out, &err);
	return rc > 0;
}

bool table_lists_event(const struct results *results, size_t number)
{
	if (results->events[number].total.samples)
		return true;
	for (size_t i = 0; i < results->nr_events; i++) {
		if (results->events[i].total.samples)
			return false;
	}
	return number == 0;
}
