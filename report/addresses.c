/* addresses.csv: which instructions were sampled. A row is an struct address_row. */
#include "report/table.h"

struct address_row {
	const struct address_stat *address;
	uint64_t total; /* period of all of the event */
};

static const struct address_stat *address_of(const void *row)
{
	return ((const struct address_row *)row)->address;
}

/* A function without a name has no offset and no function around it. */
static bool is_named(const void *row)
{
	return address_of(row)->named;
}

static void put_event(struct csv *csv, const void *row)
{
	csv_string(csv, address_of(row)->event->name);
}

static void put_binary(struct csv *csv, const void *row)
{
	csv_string(csv, address_of(row)->binary);
}

static void put_address(struct csv *csv, const void *row)
{
	csv_hex(csv, address_of(row)->address);
}

static void put_function(struct csv *csv, const void *row)
{
	csv_string(csv, address_of(row)->function);
}

static void put_offset(struct csv *csv, const void *row)
{
	if (is_named(row))
		csv_hex(csv, address_of(row)->offset);
	else
		csv_empty(csv);
}

static void put_filename(struct csv *csv, const void *row)
{
	csv_string(csv, address_of(row)->filename);
}

static void put_line(struct csv *csv, const void *row)
{
	if (address_of(row)->line)
		csv_u64(csv, address_of(row)->line);
	else
		csv_empty(csv);
}

static void put_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, address_of(row)->self.samples);
}

static void put_period(struct csv *csv, const void *row)
{
	csv_u64(csv, address_of(row)->self.period);
}

static void put_percent(struct csv *csv, const void *row)
{
	csv_percent(csv, address_of(row)->self.period, ((const struct address_row *)row)->total);
}

static void put_physical(struct csv *csv, const void *row)
{
	if (is_named(row))
		csv_string(csv, address_of(row)->physical);
	else
		csv_empty(csv);
}

static void put_build_id(struct csv *csv, const void *row)
{
	csv_string(csv, address_of(row)->build_id);
}

static void put_reason(struct csv *csv, const void *row)
{
	csv_string(csv, address_of(row)->reason);
}

static const struct column columns[] = {
	{"event", TYPE_TEXT, "", "Name of the event as perf prints it.", put_event},
	{"binary", TYPE_TEXT, "", "Path of the binary, as in results.csv.", put_binary},
	{"address", TYPE_HEX, "",
	 "The instruction's address in the binary, as nm and objdump print it; the one at run time "
	 "for the kernel, its modules and code without a file; the offset in the file where the "
	 "binary is not at hand.",
	 put_address},
	{"function", TYPE_TEXT, "", "Name of the function, as in results.csv.", put_function},
	{"offset", TYPE_HEX, "bytes", "From the start of physical; empty if that is not known.",
	 put_offset},
	{"filename", TYPE_TEXT, "",
	 "Source file of the statement, as in lines.csv; empty if it is not known.", put_filename},
	{"line", TYPE_U64, "", "Line of the statement in filename; empty if it is not known.",
	 put_line},
	{"samples", TYPE_U64, "samples", "How many samples were taken at the address.",
	 put_samples},
	{"period", TYPE_U64, "events", "Sum of the periods of those samples.", put_period},
	{"percent", TYPE_DECIMAL, "%",
	 "What period is of the period of all samples of the event; 0.0000 if that is 0.",
	 put_percent},
	{"physical", TYPE_TEXT, "",
	 "The function that the instruction is a part of: with --inline the one that function was "
	 "inlined into, else function itself; empty if it has no name.",
	 put_physical},
	{"build_id", TYPE_TEXT, "", "Build id of the binary, as in results.csv.", put_build_id},
	{"reason", TYPE_TEXT, "",
	 "Why there is no name or, of a named function, no line; empty where there is.",
	 put_reason},
};

static void write_addresses(struct csv *csv, const struct table *table,
			    const struct results *results)
{
	for (size_t i = 0; i < results->nr_addresses; i++) {
		const struct address_stat *address = &results->addresses[i];
		struct address_row row = {address, event_total(results, address->event).period};

		table_put_row(csv, table, &row);
	}
}

const struct table addresses_table = {
	.name = "addresses",
	.one_row = "one row per event, binary and address",
	.rows = "Only addresses that samples were taken at. Every sample is in exactly one row: "
		"the sums are those of results.csv. Rows are ordered by event, binary and address.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.write = write_addresses,
};
