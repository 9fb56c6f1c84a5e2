/*
 * A writer of recordings for tests: perf.data in memory, byte for byte as perf record lays it out,
 * in either byte order, as a file, a pipe or a directory, compressed or not, with attrs of any
 * size.
 *
 *	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = true});
 *	unsigned cycles = mkperf_event(m, &(struct mkperf_event){.sample_type = ...});
 *	mkperf_comm(m, NULL, 0, 42, 42, "make");
 *	mkperf_sample(m, &(struct mkperf_sample){.event = cycles, .ip = 0x401000, .time = 7});
 *	mkperf_round(m);
 *	mkperf_save(m, path);
 *	mkperf_free(m);
 *
 * Events come first, then records; features at any time (in a pipe they are records, too). Nothing
 * here reads a recording or shares a layout with the reader: the constants are the kernel's own.
 * Allocation failures and impossible requests are remembered; mkperf_finish() then returns NULL.
 */
#ifndef READPERF_TESTS_WRITER_MKPERF_H
#define READPERF_TESTS_WRITER_MKPERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Of the flags of an event those that matter to a reader. */
enum {
	MKPERF_ATTR_SAMPLE_ID_ALL = 1 << 18, /* in mkperf_event.flags */
	MKPERF_ATTR_FREQ = 1 << 10,
};

/** Features (perf: HEADER_*) by their bit. */
enum mkperf_feature {
	MKPERF_TRACING_DATA = 1,
	MKPERF_BUILD_ID = 2,
	MKPERF_HOSTNAME = 3,
	MKPERF_OSRELEASE = 4,
	MKPERF_VERSION = 5,
	MKPERF_ARCH = 6,
	MKPERF_CPUID = 9,
	MKPERF_CMDLINE = 11,
	MKPERF_EVENT_DESC = 12,
	MKPERF_SAMPLE_TIME = 21,
	MKPERF_COMPRESSED = 27,
	MKPERF_CPU_PMU_CAPS = 28,
	MKPERF_CLOCK_DATA = 29,
	MKPERF_FEATURE_MAX = 256,
};

/** Record types that perf record itself writes. */
enum mkperf_user_record {
	MKPERF_RECORD_ATTR = 64,
	MKPERF_RECORD_TRACING_DATA = 66,
	MKPERF_RECORD_BUILD_ID = 67,
	MKPERF_RECORD_ROUND = 68,
	MKPERF_RECORD_ID_INDEX = 69,
	MKPERF_RECORD_AUXTRACE = 71,
	MKPERF_RECORD_EVENT_UPDATE = 78,
	MKPERF_RECORD_FEATURE = 80,
	MKPERF_RECORD_COMPRESSED = 81,
	MKPERF_RECORD_COMPRESSED2 = 83,
};

/**
 * The kernel's records as perf record -z writes them: one zstd stream that is flushed but never
 * ended. perf's own records stay plain between them.
 */
struct mkperf_packing {
	uint32_t type; /* MKPERF_RECORD_COMPRESSED or _COMPRESSED2; 0: records stay plain */
	size_t flush;  /* bytes between two flushes of zstd, wherever records end; 0: 8192 */
	uint64_t cut;  /* not 0: cuts at random places too, and a flush over several records */
	bool straddle; /* cuts a record wherever one of perf's own comes behind it */
	bool bad_size; /* COMPRESSED2 as by perf record --aio of 6.16: data_size 0, no padding */
};

struct mkperf_options {
	bool swap;	       /* the byte order that this machine does not have */
	bool pipe;	       /* header of 16 bytes, everything else as records */
	bool late;	       /* events and features come behind all other records; a pipe only */
	bool v1;	       /* PERFFILE, the names in a section of their own; a file only */
	bool long32;	       /* a perf whose unsigned long has 32 bits; a file only */
	bool unfinished;       /* as left by a killed recorder: data size 0, no features */
	uint32_t attr_size;    /* bytes of each attr, 64 or more; 0: 128, as perf 6.1 */
	uint32_t attr_padding; /* bytes between an attr and its ids section; a file only */
	struct mkperf_packing packing;
};

/** An event: what its perf_event_attr holds, its ids and its name. */
struct mkperf_event {
	const char *name; /* for EVENT_DESC or EVENT_UPDATE; NULL: none */
	uint32_t type;
	uint64_t config;
	uint64_t sample_period; /* a frequency with MKPERF_ATTR_FREQ */
	uint64_t sample_type, read_format;
	uint64_t flags;			    /* bit 0 = disabled, as on a little-endian machine */
	uint64_t config1, config2, config3; /* config3: with an attr_size of 136 at least */
	uint64_t branch_sample_type;
	uint64_t sample_regs_user, sample_regs_intr;
	uint32_t sample_stack_user;
	int32_t clockid;
	uint16_t sample_max_stack;
	const uint64_t *ids;
	size_t nr_ids;
};

/** The sample_id trailer of a record that is no sample; what the event lacks is left out. */
struct mkperf_id {
	unsigned event; /* whose sample_type says what is written */
	uint32_t pid, tid, cpu;
	uint64_t time;
	uint64_t id; /* 0: the event's first */
	uint64_t stream_id;
};

struct mkperf_branch {
	uint64_t from, to, flags;
};

/** A sample; what its event's sample_type lacks is left out. */
struct mkperf_sample {
	unsigned event;
	uint16_t misc;
	uint32_t pid, tid, cpu;
	uint64_t ip, time, addr;
	uint64_t id; /* 0: the event's first */
	uint64_t stream_id, period;
	const uint64_t *read; /* words as read_format wants them; NULL: a group of one, value 0 */
	size_t nr_read;
	const uint64_t *ips; /* call chain, callee first, markers included */
	size_t nr_ips;
	const void *raw;
	uint32_t raw_size; /* bytes; 4 more must make a multiple of 8 */
	const struct mkperf_branch *branches;
	const uint64_t *branch_counters; /* one per branch */
	size_t nr_branches;
	uint64_t hw_idx;
	uint64_t regs_user_abi, regs_intr_abi;
	const uint64_t *regs_user, *regs_intr; /* a word per bit of the event's mask */
	const void *stack;
	uint64_t stack_size, stack_dyn_size; /* bytes */
	uint64_t weight, data_src, transaction, phys_addr, cgroup;
	uint64_t data_page_size, code_page_size;
	const void *aux;
	uint64_t aux_size; /* bytes, a multiple of 8 */
};

struct mkperf_mmap {
	uint16_t misc;
	uint32_t pid, tid;
	uint64_t start, len, pgoff; /* bytes */
	const char *filename;
	/* the rest: MMAP2 only */
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	const uint8_t *build_id; /* in place of the inode, misc bit 14 is set for it; or NULL */
	uint8_t build_id_size;	 /* 0..20 bytes */
	uint32_t prot, flags;
};

/** FORK and EXIT. */
struct mkperf_task {
	uint16_t misc;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

struct mkperf;

/** @options may be NULL: a finished file in this machine's byte order. NULL if memory is out. */
struct mkperf *mkperf_new(const struct mkperf_options *options);

/** Adds an event; its ids and name are copied. Returns its number, from 0. */
unsigned mkperf_event(struct mkperf *m, const struct mkperf_event *event);

/** The event with @number, which must exist; valid until the next one is added. */
const struct mkperf_event *mkperf_event_at(const struct mkperf *m, unsigned number);

/*
 * Records. @at is the trailer, written if its event (for NULL: the first event, all zero, as perf
 * record synthesizes records) has MKPERF_ATTR_SAMPLE_ID_ALL.
 */
void mkperf_sample(struct mkperf *m, const struct mkperf_sample *sample);
void mkperf_mmap(struct mkperf *m, const struct mkperf_id *at, const struct mkperf_mmap *map);
void mkperf_mmap2(struct mkperf *m, const struct mkperf_id *at, const struct mkperf_mmap *map);
void mkperf_comm(struct mkperf *m, const struct mkperf_id *at, uint16_t misc, uint32_t pid,
		 uint32_t tid, const char *comm);
void mkperf_fork(struct mkperf *m, const struct mkperf_id *at, const struct mkperf_task *task);
void mkperf_exit(struct mkperf *m, const struct mkperf_id *at, const struct mkperf_task *task);
void mkperf_lost(struct mkperf *m, const struct mkperf_id *at, uint64_t id, uint64_t lost);
void mkperf_lost_samples(struct mkperf *m, const struct mkperf_id *at, uint16_t misc,
			 uint64_t lost);
/** THROTTLE, or UNTHROTTLE if @un; the body's time is @at's. */
void mkperf_throttle(struct mkperf *m, const struct mkperf_id *at, bool un, uint64_t id,
		     uint64_t stream_id);
void mkperf_round(struct mkperf *m);

/** A record of any type over a body of @len bytes, written as they are. */
void mkperf_record(struct mkperf *m, uint32_t type, uint16_t misc, const void *body, size_t len);

/*
 * A record field by field: begin, put, end. A string is written with its NUL and padded with NULs
 * to a multiple of 8. Bytes from NULL are zeros. The trailer goes last.
 */
void mkperf_begin(struct mkperf *m, uint32_t type, uint16_t misc);
void mkperf_u8(struct mkperf *m, uint8_t value);
void mkperf_u16(struct mkperf *m, uint16_t value);
void mkperf_u32(struct mkperf *m, uint32_t value);
void mkperf_u64(struct mkperf *m, uint64_t value);
void mkperf_bytes(struct mkperf *m, const void *bytes, size_t len);
void mkperf_string(struct mkperf *m, const char *str);
void mkperf_trailer(struct mkperf *m, const struct mkperf_id *at);
void mkperf_end(struct mkperf *m);

/** What trails an AUXTRACE or TRACING_DATA record, which must announce as many bytes. */
void mkperf_payload(struct mkperf *m, const void *bytes, size_t len);

enum { MKPERF_STREAMS = 16 };

/**
 * The next records go to data file @number of a directory recording: 0 is "data", which has the
 * header, N + 1 is "data.N"; less than MKPERF_STREAMS.
 */
void mkperf_stream(struct mkperf *m, unsigned number);

/**
 * Appends the records of the other data files to those of "data", in their order: a single file.
 * Those of a file that mkperf_stream() knows by number N are left out if bit N of @lost is set.
 */
void mkperf_join(struct mkperf *m, unsigned lost);

/** The offset, in bytes of the recording, at which the next record will start. */
uint64_t mkperf_offset(const struct mkperf *m);

/** The body of feature @bit, put like a record's between begin and end; in a pipe a record. */
void mkperf_feature_begin(struct mkperf *m, unsigned bit);
void mkperf_feature_end(struct mkperf *m);

/** A feature that is one string (HOSTNAME, ARCH, ...). */
void mkperf_feature_string(struct mkperf *m, unsigned bit, const char *str);

/** Adds to the table of build ids. @misc has the cpumode; @len 0..20 bytes, its size byte is set.
 */
void mkperf_build_id(struct mkperf *m, uint16_t misc, int32_t pid, const uint8_t *id, uint8_t len,
		     const char *filename);

/** Tracepoints of @system: the texts of their formats. */
struct mkperf_tracepoints {
	const char *system;
	const char *const *formats;
	uint32_t nr;
};

/** The formats of tracepoints as perf record stores them, in little endian, of 64 bits. */
void mkperf_tracing(struct mkperf *m, const struct mkperf_tracepoints *systems, uint32_t nr);

/** EVENT_DESC for all the events so far that have a name (the others are named ""). */
void mkperf_event_desc(struct mkperf *m);

/**
 * The recording; it belongs to @m, which takes no more calls but mkperf_save() and mkperf_free().
 * Returns NULL if something went wrong on the way.
 */
const uint8_t *mkperf_finish(struct mkperf *m, size_t *len);

/** Finishes the recording and writes it to @path, replaced if it exists. */
bool mkperf_save(struct mkperf *m, const char *path);

/** As mkperf_save(), but only the first @len bytes, if it has as many. */
bool mkperf_save_cut(struct mkperf *m, const char *path, size_t len);

/** Finishes the recording as the directory @path, which must not exist yet. */
bool mkperf_save_directory(struct mkperf *m, const char *path);

void mkperf_free(struct mkperf *m);

/** Wrappers of whole files. */
enum mkperf_wrapper { MKPERF_GZIP, MKPERF_XZ, MKPERF_ZSTD, MKPERF_BZIP2, MKPERF_WRAPPERS };

/** The @len bytes at @bytes wrapped, in a heap block that the caller frees; NULL if it fails. */
uint8_t *mkperf_wrap(enum mkperf_wrapper wrapper, const uint8_t *bytes, size_t len,
		     size_t *wrapped_len);

#endif
