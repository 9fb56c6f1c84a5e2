/*
 * A whole session for the recording writer: three events, four CPUs, processes that come and go,
 * the same records whatever the shape in which they are written.
 */
#ifndef READPERF_TESTS_WRITER_MKPERF_SESSION_H
#define READPERF_TESTS_WRITER_MKPERF_SESSION_H

#include "tests/writer/mkperf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	MKPERF_SESSION_CPUS = 4,
	MKPERF_SESSION_ROUNDS = 6,
	MKPERF_SESSION_BURST = 20, /* records of a CPU in a round */
	MKPERF_SESSION_RECORDS = MKPERF_SESSION_CPUS * MKPERF_SESSION_ROUNDS * MKPERF_SESSION_BURST,
};

/** How the records of a round are laid out; their times are all different. */
enum mkperf_order {
	MKPERF_BY_CPU,	 /* one CPU's buffer after the other, as perf record does */
	MKPERF_BY_TIME,	 /* sorted */
	MKPERF_SHUFFLED, /* in no order at all */
};

struct mkperf_session {
	uint64_t seed; /* what the records are */
	enum mkperf_order order;
	bool directory; /* a data file for each CPU, without rounds */
};

/** Puts the events, the names, the build ids and the records of the session. */
void mkperf_session(struct mkperf *m, const struct mkperf_session *session);

#endif
