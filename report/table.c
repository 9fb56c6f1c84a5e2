#include "report/table.h"

const struct table *const all_tables[NR_TABLES] = {
	[TABLE_STAT] = &stat_table,	      [TABLE_OVERVIEW] = &overview_table,
	[TABLE_PROCESSES] = &processes_table, [TABLE_RESULTS] = &results_table,
	[TABLE_EVENTS] = &events_table,	      [TABLE_HEADER] = &header_table,
	[TABLE_LINES] = &lines_table,	      [TABLE_ADDRESSES] = &addresses_table,
};

void table_put_header(struct csv *csv, const struct table *table)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		csv_ready(csv, table->columns[i].name, strlen(table->columns[i].name));
	csv_end_row(csv);
}
