/* addresses.csv: which instructions were sampled. A row is a struct address_row. */
#include "report/table.h"

struct address_row {
	const struct address_stat *address;
	uint64_t total; /* period of the whole event */
};

/* A function without a name has no offset and no physical function. */
static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct address_row *of = row;
	const struct address_stat *address = of->address;

	(void)scratch;
	cell_text(cell++, address->event->name);
	cell_text(cell++, address->binary);
	cell_hex(cell++, address->address);
	cell_text(cell++, address->function);
	cell_hex_if(cell++, address->named, address->offset);
	cell_text(cell++, address->filename);
	cell_u64_known(cell++, address->line);
	cell_u64(cell++, address->self.samples);
	cell_u64(cell++, address->self.period);
	cell_percent(cell++, address->self.period, of->total);
	cell_text(cell++, address->named ? address->physical : "");
	cell_text(cell++, address->build_id);
	cell_text(cell++, address->reason);
	cell_text(cell++, address->instruction);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"binary", CELL_TEXT, "", "Path of the binary, as in results.csv."},
	{"address", CELL_HEX, "",
	 "Address of the instruction in the binary, as nm and objdump print it; for the kernel, "
	 "its modules and code without a file, the address at run time; if the binary is not "
	 "available, the offset in the file."},
	{"function", CELL_TEXT, "", "Name of the function, as in results.csv."},
	{"offset", CELL_HEX, "bytes",
	 "Offset from the start of physical; empty if that is unknown."},
	{"filename", CELL_TEXT, "",
	 "Source file of the statement, as in lines.csv; empty if unknown."},
	{"line", CELL_U64, "", "Line of the statement in filename; empty if unknown."},
	{"samples", CELL_U64, "samples", "Number of samples at the address."},
	{"period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"percent", CELL_PERCENT, "%",
	 "period as a percentage of the period of all samples of the event; 0.0000 if that is 0."},
	{"physical", CELL_TEXT, "",
	 "The function that contains the instruction: with --inline the one that function was "
	 "inlined into, otherwise function itself; empty if it has no name."},
	{"build_id", CELL_TEXT, "", "Build id of the binary, as in results.csv."},
	{"reason", CELL_TEXT, "",
	 "Why there is no name or, for a named function, no line; empty if there are both."},
	{"instruction", CELL_TEXT, "",
	 "Text of the instruction, with the name of what it jumps to or calls beyond its function; "
	 "of a kernel module as in its file, with the names of what is linked when it is loaded; "
	 "empty if the binary is not available, or there is no capstone."},
};

static void write_addresses(struct table_file *to, const struct rows *rows,
			    const struct results *results)
{
	const struct address_stat *addresses = rows->first;

	for (size_t i = 0; i < rows->nr; i++) {
		struct address_row row = {&addresses[i],
					  event_total(results, addresses[i].event).period};

		table_put_row(to, &row);
	}
}

const struct table table_addresses = {
	.name = "addresses",
	.one_row = "one row per event, binary and address",
	.rows = "Only addresses with samples have rows. Every sample is in exactly one row, so the "
		"sums equal those of results.csv. Rows are sorted by event, binary and address.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_addresses,
};
