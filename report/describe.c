/* Describes the columns, for the manual page and for programs. */
#include "report/report.h"

#include "report/csvform.h"
#include "report/table.h"
#include "util/text.h"

static void describe_csv(FILE *out, const struct table *table, const struct column *column)
{
	const char *const texts[] = {table->name, column->name, cell_type_name(column->type),
				     column->unit, column->meaning};

	csvform_print(out, texts, sizeof(texts) / sizeof(texts[0]));
}

static void describe_roff(FILE *out, const struct column *column)
{
	fputs(".TP\n\\fB", out);
	text_print_roff(out, column->name);
	fprintf(out, "\\fR (%s%s%s)\n", cell_type_name(column->type), *column->unit ? ", " : "",
		column->unit);
	text_print_roff(out, column->meaning);
	fputc('\n', out);
}

static void describe_table_roff(FILE *out, const struct table *table)
{
	fprintf(out, ".SS %s.csv: %s\n", table->name, table->one_row);
	text_print_roff(out, table->rows);
	fputc('\n', out);
	for (size_t i = 0; i < table->nr_columns; i++)
		describe_roff(out, &table->columns[i]);
}

static void describe_table(FILE *out, const struct table *table, enum report_format format)
{
	if (format == REPORT_ROFF)
		describe_table_roff(out, table);
	for (size_t i = 0; format == REPORT_CSV && i < table->nr_columns; i++)
		describe_csv(out, table, &table->columns[i]);
}

void report_describe_columns(FILE *out, enum report_format format)
{
	if (format == REPORT_CSV)
		fputs("table,column,type,unit,meaning\n", out);
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		describe_table(out, table_list[i].table, format);
	for (int i = 0; i < NR_DIFF_TABLES; i++)
		describe_table(out, diffreport_tables[i], format);
}
