/* A recording replayed to its answers, for the fuzz targets. */
#ifndef READPERF_TESTS_FUZZ_REPLAY_H
#define READPERF_TESTS_FUZZ_REPLAY_H

#include "decode/process/roots.h"
#include "decode/results.h"
#include "perffile/perffile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero: the answers at the end alone, much in memory, and no file of binaries is seen. */
struct fuzz_way {
	bool inlined;
	bool spilled;	   /* next to nothing is kept in memory */
	bool gaps;	   /* plain samples many at a time, in any order between other records */
	const char *symfs; /* the directory in which recorded paths are seen */
	const struct given_roots *roots; /* of processes */
	size_t update; /* the answers so far after this many records; 0: not before the end */
};

/**
 * Reads @file to its end and checks that the sums hold: every sample of an event is in one row of
 * its functions, one of its lines, its addresses, its processes, its threads and its CPUs.
 *
 * @return a digest of the answers, the same for the same ones; 0 if the recording cannot be used.
 */
uint64_t fuzz_replay(struct perffile *file, const struct fuzz_way *way);

/** Replays @file to the answers @needs, and passes them to @check. */
void fuzz_replay_needs(struct perffile *file, const struct needs *needs,
		       void (*check)(const struct results *results, const void *arg),
		       const void *arg);

/** Opens the bytes as a file and replays it. */
uint64_t fuzz_replay_bytes(const void *bytes, size_t size, const struct fuzz_way *way);

#endif
