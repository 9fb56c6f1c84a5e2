/* traceloss.csv: what a hardware trace lacks. A row is a struct trace_loss_stat. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct trace_loss_stat *loss = row;

	(void)scratch;
	cell_text(cell++, loss->event->name);
	cell_i32_if(cell++, loss->cpu >= 0, (int32_t)loss->cpu);
	cell_i32_if(cell++, loss->tid >= 0, (int32_t)loss->tid);
	cell_text(cell++, loss->kind);
	cell_text(cell++, loss->binary);
	cell_u64_known(cell++, loss->time);
	cell_hex_if(cell++, loss->ip, loss->ip);
	cell_u64(cell++, loss->count);
	cell_u64(cell++, loss->bytes);
	cell_u64(cell++, loss->ns);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the traced event as perf prints it."},
	{"cpu", CELL_I32, "", "CPU that was traced; empty if the trace is of a thread."},
	{"tid", CELL_I32, "", "Thread that was traced; empty if the trace is of a CPU."},
	{"kind", CELL_TEXT, "",
	 "overflow: the processor could not write all packets. aux-truncated: the buffer was full "
	 "(perf record -m ,SIZE makes it larger). no-code: the code that was executed is not "
	 "known, as the file of the binary is missing, or it was made at run time without a "
	 "jitdump. mismatch: the trace does not fit to the code, as if it was changed at run "
	 "time. bad-packet: bytes that are not packets. kernel-not-traced: code of the kernel that "
	 "is not known (perf record --kcore copies it), or does not fit. aux-partial: there are "
	 "gaps. "
	 "collision: operations were not sampled, as another sample was not finished (a larger "
	 "interval helps). cut-record: records or packets without their begin or end. "
	 "unknown-source: bytes of a trace that no CPU is known to write."},
	{"binary", CELL_TEXT, "", "Binary whose code it was; empty if that is not known."},
	{"time", CELL_U64, "ns", "When it came first, by the recording's clock; empty if unknown."},
	{"ip", CELL_HEX, "", "Address where the first one came; empty if unknown."},
	{"count", CELL_U64, "", "How often it came."},
	{"bytes", CELL_U64, "bytes", "Trace that was not decoded: up to the next place to begin."},
	{"lost_ns", CELL_U64, "ns", "Time that passed until decoding went on, as far as known."},
};

const struct table table_traceloss = {
	.name = "traceloss",
	.one_row =
		"one row per reason why a part of a hardware trace is missing from trace.csv, and "
		"binary",
	.rows = "It is made as trace.csv is. Rows are sorted by kind, then by cpu, tid and binary.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct trace_loss_stat),
};
