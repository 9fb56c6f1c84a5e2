/* What the parts of bigsystem share: the machine, its records and the lives of its processes. */
#ifndef READPERF_TESTS_COST_BIGSYSTEM_H
#define READPERF_TESTS_COST_BIGSYSTEM_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
	TYPE_ATTR = 64,
	TYPE_FINISHED_ROUND = 68,
	FEATURE_BYTES = 32,
	NR_TYPES = 128,
	NR_EXES = 48,
	NR_LIBRARIES = 24,
	LIFE_LIBRARIES = 3,
	NR_BINARIES = 2 + NR_EXES + NR_LIBRARIES, /* the kernel, init's, the others' */
	EXEC_RECORDS = 4 + LIFE_LIBRARIES,	  /* FORK, COMM, an MMAP2 for each file, EXIT */
	FORK_RECORDS = 2,			  /* FORK, EXIT */
	TEXT_BYTES = 1 << 20,
	TEXT_PGOFF = 0x1000,
	INIT_PID = 1,
	STEP_NS = 8192, /* a record comes this long after the one before, at most */
};

#define KERNEL_START UINT64_C(0xffffffff81000000)
#define SAMPLE_TYPE                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

struct options {
	const char *out, *expect;
	uint64_t cpus, processes, records, rounds, seed, lost, stay;
	bool no_rounds, pipe;
};

struct buffer {
	uint8_t *bytes;
	size_t len, room;
};

struct sums {
	uint64_t samples, period;
};

/* What a process runs: its own program, or that of the process it was forked from. */
struct image {
	unsigned exe;			    /* a binary's number */
	unsigned libraries[LIFE_LIBRARIES]; /* the same */
	unsigned nr_libraries;
	uint64_t start[1 + LIFE_LIBRARIES]; /* of the exe, of each library */
	char comm[16];
};

struct life {
	uint32_t pid, ppid, cpu;
	unsigned todo;	 /* records until it is up: COMM and the MMAP2s */
	unsigned mapped; /* MMAP2s of its own */
	uint64_t quota;	 /* samples that it has yet to get */
	uint64_t fork;	 /* ns */
	struct sums sums;
	struct image image;
};

struct system {
	struct options options;
	FILE *out;
	FILE *lives;		/* NULL unless wanted */
	struct buffer *buffers; /* by CPU */
	struct buffer own;	/* records of perf itself */
	struct life *live;
	size_t nr_live, max_live;
	size_t *on_cpu; /* by CPU: the number of the life that has it, if lives stay */
	uint8_t *pid_used;
	uint32_t nr_pids, last_pid;
	uint64_t samples;		   /* of all lives */
	uint64_t next_life, first_of_pair; /* its samples */
	uint64_t random, time, written;
	uint64_t next_read; /* the CPU whose buffer is read next */
	uint64_t counts[NR_TYPES];
	struct sums binaries[NR_BINARIES];
};

/** Prints why and exits. */
void fail(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** @nr times @size bytes, all zero. */
void *allocate(size_t nr, size_t size);

/** A number from 0 up to, not including, @below; the next of the seed's. */
uint64_t draw(struct system *sys, uint64_t below);

/* ---- bytes and records: bigsystem_records.c ---- */

void put(struct buffer *buffer, const void *bytes, size_t len);
void put_u64(struct buffer *buffer, uint64_t value);

/** Starts a record in @buffer; returns where, for end_record(). */
size_t begin_record(struct system *sys, struct buffer *buffer, uint32_t type, uint16_t misc);
void end_record(struct buffer *buffer, size_t at);

/** Writes @buffer to the file and empties it. */
void flush(struct system *sys, struct buffer *buffer);

/** The path of a binary: 0 is the kernel, 1 init's, then programs and libraries. */
const char *binary_name(unsigned number, char *text, size_t size);

/** What a program has mapped that was just drawn; what init has. */
struct image new_image(struct system *sys);
struct image init_image(void);

/** Records of @life at the system's time, into the buffer of its CPU, or of @by's. */
void write_task(struct system *sys, uint32_t type, const struct life *life, const struct life *by);
void write_comm(struct system *sys, struct buffer *buffer, const struct life *life);
void write_map(struct system *sys, struct buffer *buffer, const struct life *life, unsigned binary,
	       uint64_t start);
void write_sample(struct system *sys, struct life *life);

/** Records of perf: what ran before, what was lost, the end of a round. */
void write_start(struct system *sys);
void write_lost_samples(struct system *sys);
void write_round(struct system *sys);

/* ---- what happens: bigsystem_lives.c ---- */

/** Time goes on: one record of somebody. */
void step(struct system *sys);

#endif
