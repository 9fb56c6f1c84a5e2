/*
 * The samples that were counted, one by one: when, in which thread, on which call path.
 *
 * It is only written for answers that need it. What does not fit in a buffer goes to a temporary
 * file, so memory does not grow with the samples.
 */
#ifndef READPERF_DECODE_COUNT_SAMPLELOG_H
#define READPERF_DECODE_COUNT_SAMPLELOG_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** In logged_sample.number: the sample has no call path; the other bits are its address' number. */
#define SAMPLELOG_ADDRESS (UINT32_C(1) << 31)

/** In logged_sample.time: the sample has none. */
#define SAMPLELOG_TIMELESS UINT64_MAX

struct logged_sample {
	uint64_t time; /* ns of the recording's clock */
	uint64_t period;
	uint32_t number; /* of its path in the table that was current */
	uint32_t thread; /* ordinal number of the thread's life */
};

enum { SAMPLELOG_BUFFERED = 1 << 15 };

/** Initialized by samplelog_init(). */
struct sample_log {
	bool on;
	uint64_t first, last;	      /* of all times; first > last: there is none */
	struct logged_sample *buffer; /* the last samples, of SAMPLELOG_BUFFERED */
	size_t nr_buffered;
	uint64_t nr_filed; /* samples in the file */
	int fd;		   /* -1: there is no file */
	uint64_t *ends;	   /* by table of paths: the number of samples when the next one began */
	size_t nr_ends, ends_room;
	struct logged_sample *waiting; /* those on paths of the table of waiting samples */
	size_t nr_waiting, waiting_room;
};

/** Makes an empty log. @on: whether it is written; samplelog_add() must not be called else. */
void samplelog_init(struct sample_log *log, bool on);

/** Adds @sample, on a path of the table number @table, which never falls. Returns 0, or -1 with
 * @err filled. */
int samplelog_add(struct sample_log *log, const struct logged_sample *sample, size_t table,
		  struct error *err);

/** Adds a sample on a path of the table of waiting samples; false if memory is out. */
bool samplelog_add_waiting(struct sample_log *log, const struct logged_sample *sample);

/** Removes those that samplelog_add_waiting() has added. */
void samplelog_forget_waiting(struct sample_log *log);

/** Sets [*first, *end) to the numbers of the samples of the table number @table. */
void samplelog_range(const struct sample_log *log, size_t table, uint64_t *first, uint64_t *end);

/**
 * Copies the @nr samples from number @first on, which must exist, to @to. Returns 0, or -1 with
 * @err filled.
 */
int samplelog_read(const struct sample_log *log, uint64_t first, size_t nr,
		   struct logged_sample *to, struct error *err);

void samplelog_free(struct sample_log *log);

#endif
