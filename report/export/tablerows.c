#include "report/export/tablerows.h"

#include "report/table.h"

void tablerows_write(const struct tablerows *rows, int number, const struct writer *writer)
{
	const struct table_line *line = &table_list[number];
	const struct rows answer = results_rows(rows->results, line->answer);
	struct table_file to = {.table = line->table, .writer = *writer};

	table_set_run(&to, rows->tags);
	table_start_split(&to, rows->keys, rows->nr_keys);
	table_write(&to, &answer, rows->results);
	if (line->table->each_record && rows->records)
		recordlog_write(rows->records, &to);
}
