/*
 * overview.csv: every record of the recording. A row is a struct record.
 *
 * It is written while the recording is read, once per record; its cells need no allocation and no
 * copy.
 */
#include "report/table.h"

#include "perffile/format.h"
#include "perffile/record.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_mmap(const struct record *rec)
{
	return rec->type == RECORD_MMAP || rec->type == RECORD_MMAP2;
}

/*
 * Sample fields that the event does not record are 0 in the struct, but their values are unknown.
 */
static bool sample_has(const struct record *rec, uint64_t field)
{
	return rec->type == RECORD_SAMPLE && rec->event &&
	       (rec->event->attr.sample_type & field) != 0;
}

static void set_switch(struct cell *cell, const struct record *rec)
{
	const char *how = "in";

	if (rec->misc & MISC_SWITCH_OUT)
		how = rec->misc & MISC_SWITCH_PREEMPT ? "out, preempted" : "out";
	cell_text(cell, how);
}

/* Sets the info of the less frequent types of records. */
static void set_other_info(struct cell *cell, const struct record *rec, struct scratch *scratch)
{
	switch (rec->type) {
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		cell_format(cell, scratch, "%" PRIu64 " lost", rec->lost.lost);
		break;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		set_switch(cell, rec);
		break;
	case RECORD_KSYMBOL:
		cell_bytes(cell, rec->ksymbol.name, rec->ksymbol.name_len);
		break;
	case RECORD_TEXT_POKE:
		cell_format(cell, scratch, "%zu bytes became %zu",
			    span_left(&rec->text_poke.old_bytes),
			    span_left(&rec->text_poke.new_bytes));
		break;
	case RECORD_CGROUP:
		cell_bytes(cell, rec->cgroup.path, rec->cgroup.path_len);
		break;
	case RECORD_AUXTRACE_ERROR:
		if (rec->auxtrace_error.message)
			cell_bytes(cell, rec->auxtrace_error.message,
				   rec->auxtrace_error.message_len);
		else
			cell_empty(cell);
		break;
	default:
		cell_empty(cell);
	}
}

static void set_info(struct cell *cell, const struct record *rec, struct scratch *scratch)
{
	if (sample_has(rec, SAMPLE_IP))
		cell_hex(cell, rec->sample.ip);
	else if (is_mmap(rec))
		cell_bytes(cell, rec->mmap.filename, rec->mmap.filename_len);
	else if (rec->type == RECORD_COMM)
		cell_bytes(cell, rec->comm.comm, rec->comm.comm_len);
	else if (rec->type == RECORD_FORK)
		cell_i32(cell, (int32_t)rec->task.ppid);
	else
		set_other_info(cell, rec, scratch);
}

static void set_address(struct cell *cell, const struct record *rec)
{
	if (sample_has(rec, SAMPLE_ADDR))
		cell_hex(cell, rec->sample.addr);
	else if (is_mmap(rec))
		cell_hex(cell, rec->mmap.start);
	else if (rec->type == RECORD_KSYMBOL)
		cell_hex(cell, rec->ksymbol.addr);
	else
		cell_hex_if(cell, rec->type == RECORD_TEXT_POKE, rec->text_poke.addr);
}

static void set_size(struct cell *cell, const struct record *rec)
{
	if (is_mmap(rec))
		cell_u64(cell, rec->mmap.len);
	else if (rec->type == RECORD_KSYMBOL)
		cell_u64(cell, rec->ksymbol.len);
	else if (rec->type == RECORD_AUX)
		cell_u64(cell, rec->aux.len);
	else
		cell_u64_if(cell, rec->type == RECORD_AUXTRACE, rec->auxtrace.len);
}

static void set_offset(struct cell *cell, const struct record *rec)
{
	if (is_mmap(rec))
		cell_hex(cell, rec->mmap.pgoff);
	else if (rec->type == RECORD_AUX)
		cell_hex(cell, rec->aux.offset);
	else
		cell_hex_if(cell, rec->type == RECORD_AUXTRACE, rec->auxtrace.offset);
}

/*
 * Other types have an event id only because every record has the trailer; it means nothing there.
 */
static bool is_of_event(const struct record *rec)
{
	switch (rec->type) {
	case RECORD_SAMPLE:
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
	case RECORD_READ:
		return rec->event;
	default:
		return false;
	}
}

static void set_event(struct cell *cell, const struct record *rec)
{
	if (is_of_event(rec))
		cell_text(cell, rec->event->name);
	else
		cell_empty(cell);
}

static void set_type(struct cell *cell, const struct record *rec, struct scratch *scratch)
{
	const char *name = record_type_name(rec->type);

	if (name)
		cell_text(cell, name);
	else
		cell_format(cell, scratch, "UNKNOWN_%" PRIu32, rec->type);
}

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct record *rec = row;

	cell_u64(cell++, rec->nr);
	set_type(cell++, rec, scratch);
	cell_i32_if(cell++, rec->has & HAS_PID, (int32_t)rec->pid);
	cell_i32_if(cell++, rec->has & HAS_TID, (int32_t)rec->tid);
	cell_u64_if(cell++, rec->has & HAS_TIME, rec->time);
	set_info(cell++, rec, scratch);
	set_address(cell++, rec);
	set_size(cell++, rec);
	set_offset(cell++, rec);
	cell_u64_if(cell++, rec->type == RECORD_SAMPLE, rec->sample.period);
	cell_i32_if(cell++, rec->has & HAS_CPU, (int32_t)rec->cpu);
	set_event(cell++, rec);
	return cell;
}

static const struct column columns[] = {
	{"nr", CELL_U64, "",
	 "Index of the record in the file, counted from 0 after decompression."},
	{"type", CELL_TEXT, "",
	 "Type of the record as perf prints it, without PERF_RECORD_; UNKNOWN_<n> for a type n "
	 "without a "
	 "name."},
	{"pid", CELL_I32, "",
	 "Process the record is about; for a FORK the new one. -1 if the kernel did not know it, "
	 "empty if the record has none."},
	{"tid", CELL_I32, "", "Thread the record is about, in the same way."},
	{"time", CELL_U64, "ns",
	 "Time of the record, by the recording's clock; empty if it has none."},
	{"info", CELL_MIXED, "",
	 "MMAP and MMAP2: the file's name. COMM: the name of the command. FORK: pid of the parent. "
	 "SAMPLE: the instruction pointer in hexadecimal, empty if the event does not record it. "
	 "LOST and LOST_SAMPLES: how many records were lost, as in \"12 lost\". SWITCH and "
	 "SWITCH_CPU_WIDE: in or out (of the CPU), with \", preempted\" after out if the thread "
	 "could "
	 "have continued. KSYMBOL: the symbol. TEXT_POKE: how the size of the code changed, as in "
	 "\"5 bytes became 2\". CGROUP: its path. AUXTRACE_ERROR: the message. Empty for all "
	 "others."},
	{"address", CELL_HEX, "",
	 "MMAP and MMAP2: address of the first byte of the mapping. SAMPLE: the data address, "
	 "empty if the event does not record it. KSYMBOL and TEXT_POKE: address of the code. Empty "
	 "for all others."},
	{"size", CELL_U64, "bytes",
	 "MMAP and MMAP2: length of the mapping. KSYMBOL: of the code. AUX and AUXTRACE: of the "
	 "trace. Empty for all others."},
	{"offset", CELL_HEX, "bytes",
	 "MMAP and MMAP2: offset of the mapping in the file. AUX and AUXTRACE: offset in the "
	 "trace. Empty for all others."},
	{"period", CELL_U64, "events",
	 "SAMPLE: how many events the sample stands for, in the event's unit. Empty for all "
	 "others."},
	{"cpu", CELL_I32, "",
	 "CPU on which the record was made; -1 if the kernel did not know it, empty if the record "
	 "has none."},
	{"event", CELL_TEXT, "",
	 "SAMPLE, LOST, LOST_SAMPLES, THROTTLE, UNTHROTTLE and READ: name of the event that the "
	 "record belongs to, as perf prints it; empty if unknown, and for all others. For a sample "
	 "of a group (:S) it is the leader; sums and --event count the sample for each member that "
	 "counted."},
};

const struct table table_overview = {
	.name = "overview",
	.one_row = "one row per record",
	.rows = "Rows are sorted by time; those with the same time, and those without one, are in "
		"the order of the file.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.each_record = true,
	.fill = fill_row,
};
