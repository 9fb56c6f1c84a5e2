/*
 * A decoded record of the data section; its bytes are not copied.
 *
 * What points into the recording's bytes (names, call chains) is valid until the next
 * perffile_next(). The layouts are those of include/uapi/linux/perf_event.h and, from type 64 on,
 * of tools/lib/perf/include/perf/event.h.
 */
#ifndef READPERF_PERFFILE_RECORD_H
#define READPERF_PERFFILE_RECORD_H

#include "perffile/event.h"
#include "util/fileid.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_THROTTLE = 5,
	RECORD_UNTHROTTLE = 6,
	RECORD_FORK = 7,
	RECORD_READ = 8,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_AUX = 11,
	RECORD_ITRACE_START = 12,
	RECORD_LOST_SAMPLES = 13,
	RECORD_SWITCH = 14,
	RECORD_SWITCH_CPU_WIDE = 15,
	RECORD_NAMESPACES = 16,
	RECORD_KSYMBOL = 17,
	RECORD_BPF_EVENT = 18,
	RECORD_CGROUP = 19,
	RECORD_TEXT_POKE = 20,
	RECORD_AUX_OUTPUT_HW_ID = 21,
	RECORD_CALLCHAIN_DEFERRED = 22,
	RECORD_USER_FIRST = 64,
	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_EVENT_TYPE = 65,
	RECORD_HEADER_TRACING_DATA = 66,
	RECORD_HEADER_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_AUXTRACE_ERROR = 72,
	RECORD_THREAD_MAP = 73,
	RECORD_CPU_MAP = 74,
	RECORD_STAT_CONFIG = 75,
	RECORD_STAT = 76,
	RECORD_STAT_ROUND = 77,
	RECORD_EVENT_UPDATE = 78,
	RECORD_TIME_CONV = 79,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
	RECORD_NAMED_MAX = 87, /* all named types are below, with some numbers unused */
};

/** misc bits 0-2: the processor's mode (perf: cpumode). */
enum cpumode {
	CPUMODE_UNKNOWN = 0,
	CPUMODE_KERNEL = 1,
	CPUMODE_USER = 2,
	CPUMODE_HYPERVISOR = 3,
	CPUMODE_GUEST_KERNEL = 4,
	CPUMODE_GUEST_USER = 5,
	CPUMODE_MASK = 7,
};

enum record_misc {
	MISC_MMAP_DATA = 1 << 13,      /* MMAP, MMAP2: not executable */
	MISC_COMM_EXEC = 1 << 13,      /* COMM: set by exec */
	MISC_FORK_EXEC = 1 << 13,      /* FORK, synthesized: do not copy maps */
	MISC_MMAP_BUILD_ID = 1 << 14,  /* MMAP2: a build id in place of device and inode */
	MISC_SWITCH_OUT = 1 << 13,     /* SWITCH, SWITCH_CPU_WIDE: switched out, else in */
	MISC_SWITCH_PREEMPT = 1 << 14, /* the same: preempted while runnable */
	MISC_BUILD_ID_SIZE = 1 << 15,  /* BUILD_ID: its size byte is valid */
	MISC_LOST_BY_FILTER = 1 << 15, /* LOST_SAMPLES: dropped by a BPF filter, not lost */
};

/** Common fields that the recording has for a record. */
enum record_has {
	HAS_PID = 1 << 0,
	HAS_TID = 1 << 1,
	HAS_TIME = 1 << 2,
	HAS_CPU = 1 << 3,
};

/** A build id of @len bytes; 0: none. */
struct build_id {
	uint8_t len;
	uint8_t bytes[20];
};

/** An entry of the build id table (feature BUILD_ID). */
struct named_build_id {
	const char *filename;
	struct build_id id;
	int32_t pid;   /* -1 for the host, else of a guest */
	uint16_t misc; /* cpumode bits: kernel or user */
};

/** record_mmap.prot and .flags, as of mmap(2) on x86; not all machines have the last one so. */
enum {
	MAP_PROT_WRITE = 2,
	MAP_FLAG_PRIVATE = 2,
	MAP_FLAG_HUGETLB = 0x40000,
};

/** MMAP and MMAP2: file @filename, from byte @pgoff, is mapped at [start, start + len). */
struct record_mmap {
	uint64_t start, len, pgoff;
	uint32_t prot, flags; /* MMAP2 only; MMAP has MISC_MMAP_DATA in place of prot */
	const char *filename;
	size_t filename_len;
	struct build_id build_id;
	struct file_id
		file; /* MMAP2 without a build id; perf's synthesized ones have no generation */
};

struct record_comm {
	const char *comm;
	size_t comm_len;
};

/** FORK and EXIT: the parent; the child's pid and tid are in struct record. */
struct record_task {
	uint32_t ppid, ptid;
	uint64_t time; /* ns, from the body; set even without a trailer */
};

struct record_lost {
	uint64_t id, lost; /* LOST_SAMPLES has no id: 0 */
};

/** THROTTLE and UNTHROTTLE. */
struct record_throttle {
	uint64_t id, stream_id;
};

enum {
	AUX_TRUNCATED = 1 << 0, /* record_aux.flags: the buffer was full, what came next is lost */
	AUX_OVERWRITE = 1 << 1, /* older bytes may have been overwritten: a snapshot */
	AUX_PARTIAL = 1 << 2,	/* there are gaps in it */
	AUX_COLLISION = 1 << 3, /* samples collided with others and were lost (Arm SPE) */
};

/** AUX: bytes [offset, offset + len) were added to an AUX buffer. */
struct record_aux {
	uint64_t offset, len, flags;
};

/** SWITCH_CPU_WIDE: the next thread (switch out) or the previous one (switch in). */
struct record_switch {
	uint32_t next_prev_pid, next_prev_tid;
};

/** NAMESPACES: {u64 device, u64 inode} for each kind: net, uts, ipc, pid, user, mnt, cgroup. */
struct record_namespaces {
	uint64_t nr;
	struct span entries;
};

enum {
	KSYMBOL_UNREGISTER = 1 << 0, /* record_ksymbol.flags: the symbol was removed */
};

/** KSYMBOL: code made by the kernel at run time, mostly BPF programs, at [addr, addr + len). */
struct record_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t type; /* 1 BPF, 2 out of line */
	uint16_t flags;
	const char *name;
	size_t name_len;
};

struct record_bpf_event {
	uint16_t type; /* 1 load, 2 unload */
	uint16_t flags;
	uint32_t id;
	uint8_t tag[8];
};

struct record_cgroup {
	uint64_t id;
	const char *path;
	size_t path_len;
};

/** TEXT_POKE: kernel code at @addr changed from @old_bytes to @new_bytes. */
struct record_text_poke {
	uint64_t addr;
	struct span old_bytes, new_bytes;
};

/** CALLCHAIN_DEFERRED: user part of chains that end in @cookie: u64 addresses, no marker. */
struct record_deferred {
	uint64_t cookie;
	struct span ips;
};

/** ID_INDEX, THREAD_MAP, STAT_CONFIG: @nr entries, laid out as in perf's event.h. */
struct record_list {
	uint64_t nr;
	struct span entries;
};

/** Where the bytes that follow an AUXTRACE are; for perffile_read_trace(). */
struct trace_place {
	uint64_t offset, len; /* bytes; @len is less than announced if the file is cut */
	uint32_t part;	      /* number of the recording's file */
	bool spooled;	      /* they were copied as they came from a pipe */
};

/** AUXTRACE: @len bytes of trace data follow the record; they are skipped. */
struct record_auxtrace {
	uint64_t len, offset, reference;
	uint32_t idx;
	struct trace_place place;
};

/** Types of record_auxtrace_info. */
enum trace_type {
	TRACE_INTEL_PT = 1,
	TRACE_INTEL_BTS = 2,
	TRACE_CORESIGHT = 3,
	TRACE_ARM_SPE = 4,
	TRACE_S390 = 5,
	TRACE_HISI_PTT = 6,
	TRACE_VPA_DTL = 7,
};

/** AUXTRACE_INFO: what the hardware trace is. */
struct record_auxtrace_info {
	uint32_t type;	  /* enum trace_type */
	struct span priv; /* u64 words */
};

struct record_auxtrace_error {
	uint32_t type, code;
	const char *message;
	size_t message_len;
};

struct record_stat_value {
	uint64_t id, value, enabled, running;
	uint32_t thread;
};

/** STAT_ROUND: type 0 interval, 1 final. */
struct record_stat_round {
	uint64_t type;
};

/** EVENT_UPDATE of the event with @id: type 0 unit, 1 scale, 2 name, 3 cpus. */
struct record_event_update {
	uint64_t type, id;
	struct span data;
};

/** TIME_CONV: parameters to convert the time stamp counter to ns. */
struct record_time_conv {
	uint64_t shift, mult, zero;
	/* The counter has only the bits of @mask, and was @cycles once. Older perfs do not tell. */
	bool is_short;
	uint64_t cycles, mask;
};

/** The sample's call chain, callee first, context markers included. */
struct callchain {
	struct span ips; /* u64 each; whole words only */
};

/** PERF_SAMPLE_READ: one counter value or, with READ_GROUP, one for each member of the group. */
struct sample_read {
	bool given;		   /* false: the event does not record them */
	uint64_t format;	   /* attr.read_format */
	uint64_t enabled, running; /* ns, 0 if not recorded */
	struct span values;	   /* the values left for sample_read_next() */
};

/** The branches taken before the sample, newest first. */
struct branch_stack {
	uint64_t nr;
	uint64_t hw_idx;      /* UINT64_MAX if not recorded */
	struct span entries;  /* for sample_branch_next() */
	struct span counters; /* one u64 per entry, or empty */
};

/** A branch: from where to where, and its flags as a little-endian machine lays them out. */
struct branch_entry {
	uint64_t from, to, flags;
};

/** Registers: a u64 for each bit set in the attr's mask, in ascending order; none if @abi is 0. */
struct sample_regs {
	uint64_t abi; /* 1: 32 bit, 2: 64 bit */
	struct span values;
};

/** Fields of a SAMPLE after the call chain; zero if the event does not record them. */
struct sample_extra {
	struct span raw; /* a tracepoint's data */
	struct branch_stack branches;
	struct sample_regs regs_user, regs_intr;
	struct span stack_user; /* the valid bytes, from the stack pointer upwards */
	/* It has fewer bytes than were to be copied: the kernel copies up to a page that is not in
	 * memory (perf_output_sample_ustack()). */
	bool is_stack_short;
	uint64_t weight; /* WEIGHT_STRUCT: latency in the low 32 bits */
	uint64_t data_src, transaction, phys_addr, cgroup;
	uint64_t data_page_size, code_page_size; /* bytes */
	struct span aux;
};

struct record_sample {
	uint64_t ip;	 /* 0 if the event does not record it */
	uint64_t addr;	 /* valid if sample_type has SAMPLE_ADDR */
	uint64_t period; /* the attr's sample_period if the event does not record it */
	uint64_t id, stream_id;
	struct sample_read read;
	struct callchain callchain;
	struct sample_extra extra; /* set only if the event's layout.has_extra */
};

struct record {
	uint64_t nr;	      /* index in the recording, from 0; compressed ones count unpacked */
	uint64_t file_offset; /* bytes; of the compressed record if it is in one */
	uint32_t type;
	uint16_t misc;
	uint32_t size; /* bytes, header included */
	unsigned has;  /* enum record_has */
	bool late;     /* older than a record returned before it */
	uint32_t pid, tid, cpu;
	uint64_t time;		   /* ns of the recording's clock */
	const struct event *event; /* NULL if the record belongs to none */
	union {
		struct record_mmap mmap;
		struct record_comm comm;
		struct record_task task;
		struct record_lost lost;
		struct record_throttle throttle;
		struct record_aux aux;
		struct record_switch cpu_switch;
		struct record_namespaces namespaces;
		struct record_ksymbol ksymbol;
		struct record_bpf_event bpf_event;
		struct record_cgroup cgroup;
		struct record_text_poke text_poke;
		uint64_t hw_id; /* AUX_OUTPUT_HW_ID */
		struct record_deferred deferred;
		struct record_list list;
		struct record_auxtrace auxtrace;
		struct record_auxtrace_info auxtrace_info;
		struct record_auxtrace_error auxtrace_error;
		struct record_stat_value stat_value;
		struct record_stat_round stat_round;
		struct record_event_update event_update;
		struct record_time_conv time_conv;
		struct record_sample sample;
	};
};

/**
 * A sample that has only fields of one word, among them its address, thread and time, and none of
 * data; and, if its event records them, a call chain that is all there.
 */
struct plain_sample {
	const struct event *event;
	uint64_t nr, time, ip, period; /* as in struct record */
	const uint8_t *bytes;	       /* the whole record, in the file's byte order */
	uint32_t pid, tid;
	uint32_t cpu; /* UINT32_MAX if it is not recorded */
	uint16_t nr_ips;
	uint16_t cpumode; /* enum cpumode */
};

/** What @sample has: HAS_, as in struct record. */
static inline unsigned plain_sample_has(const struct plain_sample *sample)
{
	return HAS_PID | HAS_TID | HAS_TIME | (sample->cpu < UINT32_MAX ? HAS_CPU : 0);
}

/** A sample of a struct packed_run. */
struct packed_sample {
	uint64_t ip;
	uint64_t rest; /* its time, period and mode: packed_sample_since() and the next two */
};

enum { PACKED_MODE_BITS = 3, PACKED_PERIOD_BITS = 33, PACKED_TIME_BITS = 28 };

/** Plain samples without call chains in a row, of one thread and event on one CPU, in time order,
 * at least one. */
struct packed_run {
	const struct event *event;
	const struct packed_sample *samples;
	const uint8_t *bytes; /* of their records, which follow each other */
	uint64_t first_nr;    /* of the first record; the others follow */
	uint64_t first, last; /* ns */
	uint64_t period;      /* of all; it cannot overflow */
	uint32_t pid, tid;
	uint32_t cpu; /* as in struct plain_sample */
	uint32_t nr;
};

/** In ns after the first one of the run. */
static inline uint64_t packed_sample_since(const struct packed_sample *sample)
{
	return sample->rest >> (PACKED_PERIOD_BITS + PACKED_MODE_BITS);
}

static inline uint64_t packed_sample_period(const struct packed_sample *sample)
{
	return sample->rest >> PACKED_MODE_BITS & ((1ull << PACKED_PERIOD_BITS) - 1);
}

/** Returns an enum cpumode. */
static inline unsigned packed_sample_cpumode(const struct packed_sample *sample)
{
	return sample->rest & ((1u << PACKED_MODE_BITS) - 1);
}

/** Sample number @i of @run, without its record. */
static inline struct plain_sample packed_run_at(const struct packed_run *run, size_t i)
{
	const struct packed_sample *packed = &run->samples[i];

	return (struct plain_sample){
		.event = run->event,
		.nr = run->first_nr + i,
		.time = run->first + packed_sample_since(packed),
		.ip = packed->ip,
		.period = packed_sample_period(packed),
		.pid = run->pid,
		.tid = run->tid,
		.cpu = run->cpu,
		.cpumode = (uint16_t)packed_sample_cpumode(packed),
	};
}

enum { PLAIN_SAMPLES_MAX = 256, PACKED_RUNS_MAX = 64 };

/** Plain samples, at least one. */
struct plain_samples {
	const struct plain_sample *samples; /* NULL: they are packed */
	size_t nr;
	const struct packed_run *runs; /* if they are packed: @nr_runs have the @nr samples */
	size_t nr_runs;
	uint64_t first, last; /* ns, times of the earliest and the newest one */
	/*
	 * ns, the end of the gap between two other records that they are in, or of the leap; no
	 * sample in it is newer. Those in a row that have the same one come in any order. 0:
	 * samples come in order.
	 */
	uint64_t gap_end;
	bool swap;     /* the words of call chains have the other byte order */
	bool are_held; /* they are in what perffile_hold() keeps */
};

/** The call chain of @sample, whose event has chains; @swap: as in struct plain_samples. */
static inline struct span plain_sample_chain(const struct plain_sample *sample, bool swap)
{
	const uint8_t *words = sample->bytes + 8 /* the header */ +
			       sample->event->layout.words_bytes + sizeof(uint64_t);

	return span_make(words, sample->nr_ips * sizeof(uint64_t), swap);
}

/** Returns perf's name of @type, without PERF_RECORD_ ("MMAP2"), or NULL if it has none. */
const char *record_type_name(uint32_t type);

/** A counter's value and the id of its event (0 if ids are not recorded). */
struct read_value {
	uint64_t value, id;
};

/** Takes the next value from @read. Returns false if there are no more. */
bool sample_read_next(struct sample_read *read, struct read_value *value);

/** Takes the next branch from @entries. Returns false if there are no more. */
bool sample_branch_next(struct span *entries, struct branch_entry *entry);

static inline enum cpumode record_cpumode(const struct record *rec)
{
	return (enum cpumode)(rec->misc & CPUMODE_MASK);
}

/** The CPU of @rec; UINT32_MAX if it is not recorded. */
static inline uint32_t record_cpu(const struct record *rec)
{
	return rec->has & HAS_CPU ? rec->cpu : UINT32_MAX;
}

#endif
