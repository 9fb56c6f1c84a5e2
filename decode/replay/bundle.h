/*
 * The archive that perf archive makes of the binaries of a recording: opened as a whole, so that
 * binaries are looked for in it as in the directory that it was made of.
 *
 * It is a tar archive, plain or packed by bzip2, gzip, xz or zstd, whatever its name is. A packed
 * one is unpacked once into a temporary file without a name.
 */
#ifndef READPERF_DECODE_REPLAY_BUNDLE_H
#define READPERF_DECODE_REPLAY_BUNDLE_H

#include "util/error.h"

#include <stdint.h>

struct archive;

/** Is called with the @done of @total packed bytes while an archive is unpacked. */
typedef void (*bundle_tick)(void *arg, uint64_t done, uint64_t total);

/**
 * Opens the archive at @path, which must live as long. If it is damaged or cut off, @note is filled
 * with what is used of it, which is what comes before.
 *
 * @return the archive for the symbols' settings and for bundle_close(), or NULL with @err filled:
 * ERROR_USAGE if it is no such archive or nothing in it can be used, else no memory or no room.
 */
struct archive *bundle_open(const char *path, bundle_tick tick, void *arg, struct error *note,
			    struct error *err);

/** NULL is fine. */
void bundle_close(struct archive *archive);

#endif
