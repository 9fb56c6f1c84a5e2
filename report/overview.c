/*
 * overview.csv: every record of the recording. A row is a struct record.
 *
 * This is the one table that is written while the recording is read, once per record: its cells are
 * put without an allocation and without a copy.
 */
#include "report/table.h"

#include "perffile/record.h"

#include <inttypes.h>
#include <stdio.h>

/* Bits of attr.sample_type. */
enum { SAMPLE_IP = 1 << 0, SAMPLE_ADDR = 1 << 3 };

static bool is_mmap(const struct record *rec)
{
	return rec->type == RECORD_MMAP || rec->type == RECORD_MMAP2;
}

/* A sample's fields that its event does not record are 0 in the struct, not known to be 0. */
static bool sample_has(const struct record *rec, uint64_t field)
{
	return rec->type == RECORD_SAMPLE && rec->event &&
	       (rec->event->attr.sample_type & field) != 0;
}

static void put_nr(struct csv *csv, const void *row)
{
	csv_u64(csv, ((const struct record *)row)->nr);
}

static void put_type(struct csv *csv, const void *row)
{
	const struct record *rec = row;
	const char *name = record_type_name(rec->type);
	char unknown[24];

	if (!name) {
		snprintf(unknown, sizeof(unknown), "UNKNOWN_%" PRIu32, rec->type);
		name = unknown;
	}
	csv_ready(csv, name, strlen(name));
}

static void put_pid(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (rec->has & HAS_PID)
		csv_i64(csv, (int32_t)rec->pid);
	else
		csv_empty(csv);
}

static void put_tid(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (rec->has & HAS_TID)
		csv_i64(csv, (int32_t)rec->tid);
	else
		csv_empty(csv);
}

static void put_time(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (rec->has & HAS_TIME)
		csv_u64(csv, rec->time);
	else
		csv_empty(csv);
}

static void put_lost(struct csv *csv, uint64_t lost)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%" PRIu64 " lost", lost);

	csv_ready(csv, text, (size_t)len);
}

static void put_text_poke(struct csv *csv, const struct record_text_poke *poke)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "%zu bytes became %zu", span_left(&poke->old_bytes),
			   span_left(&poke->new_bytes));

	csv_ready(csv, text, (size_t)len);
}

static void put_switch(struct csv *csv, const struct record *rec)
{
	const char *how = "in";

	if (rec->misc & MISC_SWITCH_OUT)
		how = rec->misc & MISC_SWITCH_PREEMPT ? "out, preempted" : "out";
	csv_text(csv, how, strlen(how));
}

/* The rarer types of records. */
static void put_other_info(struct csv *csv, const struct record *rec)
{
	switch (rec->type) {
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		put_lost(csv, rec->lost.lost);
		break;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		put_switch(csv, rec);
		break;
	case RECORD_KSYMBOL:
		csv_text(csv, rec->ksymbol.name, rec->ksymbol.name_len);
		break;
	case RECORD_TEXT_POKE:
		put_text_poke(csv, &rec->text_poke);
		break;
	case RECORD_CGROUP:
		csv_text(csv, rec->cgroup.path, rec->cgroup.path_len);
		break;
	case RECORD_AUXTRACE_ERROR:
		if (rec->auxtrace_error.message)
			csv_text(csv, rec->auxtrace_error.message, rec->auxtrace_error.message_len);
		else
			csv_empty(csv);
		break;
	default:
		csv_empty(csv);
	}
}

static void put_info(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (sample_has(rec, SAMPLE_IP))
		csv_hex(csv, rec->sample.ip);
	else if (is_mmap(rec))
		csv_text(csv, rec->mmap.filename, rec->mmap.filename_len);
	else if (rec->type == RECORD_COMM)
		csv_text(csv, rec->comm.comm, rec->comm.comm_len);
	else if (rec->type == RECORD_FORK)
		csv_i64(csv, (int32_t)rec->task.ppid);
	else
		put_other_info(csv, rec);
}

static void put_address(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (sample_has(rec, SAMPLE_ADDR))
		csv_hex(csv, rec->sample.addr);
	else if (is_mmap(rec))
		csv_hex(csv, rec->mmap.start);
	else if (rec->type == RECORD_KSYMBOL)
		csv_hex(csv, rec->ksymbol.addr);
	else if (rec->type == RECORD_TEXT_POKE)
		csv_hex(csv, rec->text_poke.addr);
	else
		csv_empty(csv);
}

static void put_size(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (is_mmap(rec))
		csv_u64(csv, rec->mmap.len);
	else if (rec->type == RECORD_KSYMBOL)
		csv_u64(csv, rec->ksymbol.len);
	else if (rec->type == RECORD_AUX)
		csv_u64(csv, rec->aux.len);
	else if (rec->type == RECORD_AUXTRACE)
		csv_u64(csv, rec->auxtrace.len);
	else
		csv_empty(csv);
}

static void put_offset(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (is_mmap(rec))
		csv_hex(csv, rec->mmap.pgoff);
	else if (rec->type == RECORD_AUX)
		csv_hex(csv, rec->aux.offset);
	else if (rec->type == RECORD_AUXTRACE)
		csv_hex(csv, rec->auxtrace.offset);
	else
		csv_empty(csv);
}

static void put_period(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (rec->type == RECORD_SAMPLE)
		csv_u64(csv, rec->sample.period);
	else
		csv_empty(csv);
}

static void put_cpu(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (rec->has & HAS_CPU)
		csv_i64(csv, (int32_t)rec->cpu);
	else
		csv_empty(csv);
}

/* The other types carry an event's id only because each trailer does; it says nothing of them. */
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

static void put_event(struct csv *csv, const void *row)
{
	const struct record *rec = row;

	if (is_of_event(rec))
		csv_string(csv, rec->event->name);
	else
		csv_empty(csv);
}

static const struct column columns[] = {
	{"nr", TYPE_U64, "", "Index of the record in the file, from 0, after decompression.",
	 put_nr},
	{"type", TYPE_TEXT, "",
	 "Type of the record as perf prints it, without PERF_RECORD_; UNKNOWN_<n> for a type n "
	 "without a "
	 "name.",
	 put_type},
	{"pid", TYPE_I32, "",
	 "Process that the record is about; the new one of a FORK. -1 if the kernel could not say. "
	 "Empty "
	 "if the record does not have it.",
	 put_pid},
	{"tid", TYPE_I32, "", "Thread that the record is about, as pid.", put_tid},
	{"time", TYPE_U64, "ns",
	 "Time of the record by the recording's clock; empty if it has none.", put_time},
	{"info", TYPE_TEXT, "",
	 "MMAP and MMAP2: the file's name. COMM: the name of the command. FORK: pid of the parent. "
	 "SAMPLE: the instruction pointer, as hex, empty if the event does not record it. LOST and "
	 "LOST_SAMPLES: how many records were lost, as in \"12 lost\". SWITCH and SWITCH_CPU_WIDE: "
	 "in "
	 "or out (of the CPU), out with \", preempted\" if the thread would have gone on. KSYMBOL: "
	 "the "
	 "symbol. TEXT_POKE: how the size of the code changed, as in \"5 bytes became 2\". CGROUP: "
	 "its path. AUXTRACE_ERROR: the message. Empty for all others.",
	 put_info},
	{"address", TYPE_HEX, "",
	 "MMAP and MMAP2: address of the first byte of the mapping. SAMPLE: the data address, "
	 "empty if the event does not record it. KSYMBOL and TEXT_POKE: address of the code. Empty "
	 "for all others.",
	 put_address},
	{"size", TYPE_U64, "bytes",
	 "MMAP and MMAP2: length of the mapping. KSYMBOL: of the code. AUX and AUXTRACE: of the "
	 "trace. Empty for all others.",
	 put_size},
	{"offset", TYPE_HEX, "bytes",
	 "MMAP and MMAP2: where in the file the mapping starts. AUX and AUXTRACE: where in the "
	 "trace. Empty for all others.",
	 put_offset},
	{"period", TYPE_U64, "events",
	 "SAMPLE: how many events the sample stands for, in the event's own unit. Empty for all "
	 "others.",
	 put_period},
	{"cpu", TYPE_I32, "",
	 "Processor on which the record was made, -1 if the kernel could not say; empty if the "
	 "record "
	 "does not have it.",
	 put_cpu},
	{"event", TYPE_TEXT, "",
	 "SAMPLE, LOST, LOST_SAMPLES, THROTTLE, UNTHROTTLE and READ: name of the event that the "
	 "record "
	 "belongs to, as perf prints it; empty if it is not known, and for all others. A sample of "
	 "a group (:S) has its leader here; sums and --event have it for each member that "
	 "counted.",
	 put_event},
};

const struct table overview_table = {
	.name = "overview",
	.one_row = "one row per record",
	.rows = "Rows are in the order of time; those of the same time, and those without one, "
		"stand as "
		"in the file.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
};
