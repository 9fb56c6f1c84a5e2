/* stat.csv: the numbers of records by type, and losses. A row is a struct record_stat. */
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
	 "Type of the record as perf prints it, without PERF_RECORD_, or UNKNOWN_<n> for a type n "
	 "without a name. Below them are bookkeeping rows. [lost]: records that the kernel dropped "
	 "for lack of room, each counted once. [damaged]: records that could not be read and were "
	 "skipped, and places where bytes that are not records were skipped; the rows [damaged "
	 "CAUSE] divide it by cause. [late]: records that arrived after later ones had been "
	 "delivered; the rows [late NAME] divide it by type. Late records are counted where they "
	 "arrived; if they tell of processes or mappings, samples in between may have the names of "
	 "what was there before. [truncated bytes]: bytes at the end of the file that are not a "
	 "whole record. [missing bytes]: bytes of data that are not in the file, because it was "
	 "cut off. [damaged bytes]: bytes that were not read because of damage. Causes of damage: "
	 "size, a record size that leads to no further record; type, an unknown record type with "
	 "no valid record after it; short, fewer bytes than the type needs; list, a list longer "
	 "than the record; string, an unterminated name; id, a sample of an event that the "
	 "recording does not describe; compressed, a compressed record that cannot be "
	 "decompressed; payload, a missing payload after a record."},
	{"count", CELL_U64, "records",
	 "How many there are; in the rows [truncated bytes], [missing bytes] and [damaged bytes] "
	 "the number of bytes."},
};

const struct table table_stat = {
	.name = "stat",
	.one_row = "one row per record type",
	.rows = "Every type with a name has a row, even if its count is 0. Types are in the order "
		"of their numbers, followed by the bookkeeping rows. With filters, only records "
		"that pass them are counted, but the bookkeeping rows always cover the whole file. "
		"The records inside COMPRESSED and COMPRESSED2 are counted in place of these.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct record_stat),
};
