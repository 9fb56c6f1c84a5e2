/*
 * What attempts writes: recordings that are in order but of a shape that nobody would record, each
 * meant to make a reader's work or memory grow faster than the input.
 */
#ifndef READPERF_TESTS_HOSTILE_ATTEMPTS_H
#define READPERF_TESTS_HOSTILE_ATTEMPTS_H

#include "tests/writer/mkperf.h"

#include <stdint.h>

/** One of them, of @size: about so many records, names or entries. */
struct attempt {
	const char *name;
	const char *about;
	void (*write)(uint32_t size);
	const char *args; /* how readperf is to be called in the directory with what was written */
};

/** Lists that end with a name that is NULL, and by what they are of. */
extern const struct attempt attempts_processes[];
extern const struct attempt attempts_records[];
extern const struct attempt attempts_symbols[];

/** Samples without call chains, with them, or in packed records. */
enum { ATTEMPT_PLAIN, ATTEMPT_CHAINS, ATTEMPT_PACKED };

/** A recording of one event, of that @kind; ends the program if memory is out. */
struct mkperf *attempt_new(int kind);

/** Writes and frees @m: the file perf.data. Ends the program if it cannot. */
void attempt_save(struct mkperf *m);

/** Opens the file @name to be written; ends the program if it cannot. */
void *attempt_open(const char *name);

/** The trailer of a record at @time. */
struct mkperf_id attempt_at(uint64_t time);

/** A sample of @pid, also the tid, at address @ip. */
void attempt_sample(struct mkperf *m, uint32_t pid, uint64_t ip, uint64_t time);

/** @pid maps [start, start + len) of @file. */
void attempt_map(struct mkperf *m, uint32_t pid, uint64_t start, uint64_t len, const char *file,
		 uint64_t time);

#endif
