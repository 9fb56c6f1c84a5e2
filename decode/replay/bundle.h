/*
 * Opens the archive that perf archive makes of the binaries of a recording. Binaries are then
 * looked up in it as in the build id directory that it was made from.
 *
 * It is a tar archive, plain or compressed with bzip2, gzip, xz or zstd, whatever its name is. A
 * compressed one is unpacked once into a temporary file without a name.
 */
#ifndef READPERF_DECODE_REPLAY_BUNDLE_H
#define READPERF_DECODE_REPLAY_BUNDLE_H

#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

struct archive;

/** Whether @path is a file, which may be such an archive: a directory needs none to be opened. */
bool bundle_is_file(const char *path);

/** Called with the @done of @total compressed bytes while an archive is unpacked. */
typedef void (*bundle_tick)(void *arg, uint64_t done, uint64_t total);

/**
 * Opens the archive at @path, which must outlive the archive. If it is damaged or truncated, sets
 * @note to a text on what is used of it: the part before the damage.
 *
 * @return the archive, for the symbols' settings, to be freed with bundle_close(); or NULL with
 * @err filled: ERROR_USAGE if it is not such an archive or nothing in it can be used; other errors:
 * memory is out, or there is no room.
 */
struct archive *bundle_open(const char *path, bundle_tick tick, void *arg, struct error *note,
			    struct error *err);

/** Frees @archive; NULL is accepted. */
void bundle_close(struct archive *archive);

#endif
