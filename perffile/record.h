/*
 * A record of the data section, typed: a value over the recording's bytes, not a copy of them.
 *
 * Whatever points into the bytes (names, call chains) is borrowed until the next perffile_next().
 * The layouts are those of include/uapi/linux/perf_event.h and, from type 64 on, of
 * tools/lib/perf/include/perf/event.h.
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
	RECORD_NAMED_MAX = 87, /* types below have a name or a hole */
};

/** misc bits 0-2: in which mode the processor was (perf: cpumode). */
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
	MISC_MMAP_BUILD_ID = 1 << 14,  /* MMAP2: a build id where the inode would be */
	MISC_SWITCH_OUT = 1 << 13,     /* SWITCH, SWITCH_CPU_WIDE: off the CPU, else onto it */
	MISC_SWITCH_PREEMPT = 1 << 14, /* the same: it would have gone on */
	MISC_BUILD_ID_SIZE = 1 << 15,  /* BUILD_ID: its size byte is valid */
	MISC_LOST_BY_FILTER = 1 << 15, /* LOST_SAMPLES: dropped by a BPF filter, not lost */
};

/** Which of a record's common fields the file gave. */
enum record_has {
	HAS_PID = 1 << 0,
	HAS_TID = 1 << 1,
	HAS_TIME = 1 << 2,
	HAS_CPU = 1 << 3,
};

/** A build id of @len bytes, 0 if there is none. */
struct build_id {
	uint8_t len;
	uint8_t bytes[20];
};

/** A build id that the recording knows by the file's name (feature BUILD_ID). */
struct named_build_id {
	const char *filename;
	struct build_id id;
	int32_t pid;   /* -1 of the host's kernel */
	uint16_t misc; /* its cpumode bits say kernel or user */
};

enum {
	MAP_FLAG_HUGETLB =
		0x40000, /* in record_mmap.flags: MAP_HUGETLB of mmap(2), here as on x86 */
};

/** MMAP and MMAP2: file @filename, from byte @pgoff, is mapped at [start, start + len). */
struct record_mmap {
	uint64_t start, len, pgoff;
	uint32_t prot, flags; /* MMAP2 only; MISC_MMAP_DATA says the same of MMAP's prot */
	const char *filename;
	size_t filename_len;
	struct build_id build_id;
	struct file_id
		file; /* MMAP2 without a build id only; perf's own ones lack the generation */
};

struct record_comm {
	const char *comm;
	size_t comm_len;
};

/** FORK and EXIT; the child's own pid and tid are the record's. */
struct record_task {
	uint32_t ppid, ptid;
	uint64_t time; /* ns, the body's own, set without a trailer too */
};

struct record_lost {
	uint64_t id, lost; /* LOST_SAMPLES has no id: 0 */
};

/** THROTTLE and UNTHROTTLE. */
struct record_throttle {
	uint64_t id, stream_id;
};

/** AUX: bytes [offset, offset + len) of an AUX buffer are there now; flags 1 truncated, 4 gaps. */
struct record_aux {
	uint64_t offset, len, flags;
};

/** SWITCH_CPU_WIDE: who comes next (switch out) or was before (switch in). */
struct record_switch {
	uint32_t next_prev_pid, next_prev_tid;
};

/** NAMESPACES: {u64 device, u64 inode} of each kind: net, uts, ipc, pid, user, mnt, cgroup. */
struct record_namespaces {
	uint64_t nr;
	struct span entries;
};

enum {
	KSYMBOL_UNREGISTER = 1 << 0, /* in record_ksymbol.flags: it is gone */
};

/** KSYMBOL: code that the kernel made at run time, a BPF program mostly, at [addr, addr + len). */
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

/** TEXT_POKE: kernel code at @addr was @old_bytes and is @new_bytes. */
struct record_text_poke {
	uint64_t addr;
	struct span old_bytes, new_bytes;
};

/** CALLCHAIN_DEFERRED: the user part of chains that ended in @cookie; u64 each, without a marker.
 */
struct record_deferred {
	uint64_t cookie;
	struct span ips;
};

/** ID_INDEX, THREAD_MAP, STAT_CONFIG: @nr entries; the layouts are those of perf's event.h. */
struct record_list {
	uint64_t nr;
	struct span entries;
};

/** AUXTRACE: @len bytes of trace, which trail the record and are passed over. */
struct record_auxtrace {
	uint64_t len, offset, reference;
	uint32_t idx;
};

/** AUXTRACE_INFO: type 1 Intel PT, 2 Intel BTS, 3 CoreSight, 4 Arm SPE, 5 s390, 6 HiSilicon, 7 VPA.
 */
struct record_auxtrace_info {
	uint32_t type;
	struct span priv; /* a u64 each */
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

/** EVENT_UPDATE: type 0 unit, 1 scale, 2 name, 3 cpus, of the event with @id. */
struct record_event_update {
	uint64_t type, id;
	struct span data;
};

/** TIME_CONV: how a time stamp counter becomes ns. */
struct record_time_conv {
	uint64_t shift, mult, zero;
};

/** The sample's call chain, callee first, context markers included. */
struct callchain {
	struct span ips; /* u64 each; whole words only */
};

/** PERF_SAMPLE_READ: counter values, one or, with READ_GROUP, one for each member of the group. */
struct sample_read {
	bool given;		   /* false: the event does not record them */
	uint64_t format;	   /* attr.read_format */
	uint64_t enabled, running; /* ns, 0 if not recorded */
	struct span values;	   /* what sample_read_next() takes off */
};

/** The branches taken before the sample, newest first: {u64 from, u64 to, u64 flags} each. */
struct branch_stack {
	uint64_t nr;
	uint64_t hw_idx;      /* UINT64_MAX if not recorded */
	struct span entries;  /* 24 bytes each */
	struct span counters; /* a u64 each, or empty */
};

/** Registers: a u64 for each bit of the attr's mask, in ascending order; none if @abi is 0. */
struct sample_regs {
	uint64_t abi; /* 1: 32 bit, 2: 64 bit */
	struct span values;
};

/** The fields of a SAMPLE behind the call chain; those that its event does not record are zero. */
struct sample_extra {
	struct span raw; /* a tracepoint's record */
	struct branch_stack branches;
	struct sample_regs regs_user, regs_intr;
	struct span stack_user; /* bytes from the stack pointer upwards, as many as are valid */
	uint64_t weight;	/* WEIGHT_STRUCT: latency in the low 32 bits */
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
	uint64_t nr;	      /* index in the file, from 0, after decompression */
	uint64_t file_offset; /* bytes from the file's start */
	uint32_t type;
	uint16_t misc;
	uint32_t size; /* bytes, header included */
	unsigned has;  /* enum record_has */
	bool late;     /* it is older than a record that was given before */
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

/** The name that perf prints, without PERF_RECORD_ ("MMAP2"); NULL for a type without a name. */
const char *record_type_name(uint32_t type);

/** A counter's value and the id of its event (0 if ids are not recorded). */
struct read_value {
	uint64_t value, id;
};

/** Takes the next value off @read; false if there are no more. */
bool sample_read_next(struct sample_read *read, struct read_value *value);

static inline enum cpumode record_cpumode(const struct record *rec)
{
	return (enum cpumode)(rec->misc & CPUMODE_MASK);
}

#endif
