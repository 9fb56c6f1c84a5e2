/* stat.csv: what the recording is made of. A row is a struct record_stat. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct record_stat *stat = row;

	(void)scratch;
	cell_text(cell++, stat->record);
	cell_u64(cell++, stat->count);
	return cell;
}

static const struct column columns[] = {
	{"record", CELL_TEXT, "",
	 "Type of the record as perf prints it, without PERF_RECORD_; UNKNOWN_<n> for a type n "
	 "without a name; or one of the bookkeeping rows: [lost] for records that the kernel "
	 "dropped for want of room, each once, [damaged] for records that could not be read and "
	 "were skipped, and places where bytes that are no records were stepped over, [late] for "
	 "records that came after later ones had been delivered, [truncated bytes] for bytes at "
	 "the end of the file that are no whole record, and [late NAME] for each type of which "
	 "records were late: their sum is [late]. Late records count where they came; if they tell "
	 "of processes or mappings, samples between may have the names of what was there before. "
	 "[damaged CAUSE] is there for each cause of damage that was met; their sum is [damaged]. "
	 "The causes: size, a record size that leads to no further record; type, an unknown record "
	 "type with no valid record after it; short, fewer bytes than the type demands; list, a "
	 "list longer than the record; string, an unterminated name; id, a sample of an event that "
	 "the recording does not describe; compressed, a compressed record that cannot be "
	 "unpacked; payload, a length of bytes behind a record that are not there. [damaged bytes] "
	 "says how many bytes were not read because of them."},
	{"count", CELL_U64, "records",
	 "How many there are; bytes in the rows [truncated bytes] and "
	 "[damaged bytes]."},
};

static void write_stat(struct table_file *to, const struct rows *rows,
		       const struct results *results)
{
	const struct record_stat *records = rows->first;

	(void)results;
	for (size_t i = 0; i < rows->nr; i++)
		table_put_row(to, &records[i]);
}

const struct table stat_table = {
	.name = "stat",
	.one_row = "one row per record type",
	.rows = "Every type that has a name is there, with count 0 too. Types ascend by their "
		"number, "
		"the bookkeeping rows come last. When a filter is set, only the records that pass "
		"it "
		"are counted; the bookkeeping rows are about the whole file.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_stat,
};
