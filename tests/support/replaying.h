/* A written recording, replayed: what the tests of decode/ share. */
#ifndef READPERF_TESTS_SUPPORT_REPLAYING_H
#define READPERF_TESTS_SUPPORT_REPLAYING_H

#include "decode/replay.h"
#include "tests/writer/mkperf.h"

/** All zero is empty. */
struct replaying {
	struct perffile *file;
	struct replay *replay;
	const struct results *results; /* NULL until replaying_finish() */
};

/**
 * Replays what @m writes, and frees @m. Binaries are not looked for; @settings, borrowed, have the
 * rest. The test fails if it cannot be done.
 */
struct replaying replaying_begin(struct mkperf *m, struct replay_settings *settings);

/** Makes the results; the test fails if there are none. */
void replaying_finish(struct replaying *replaying);

/** Frees all; @replaying is empty then. */
void replaying_end(struct replaying *replaying);

#endif
