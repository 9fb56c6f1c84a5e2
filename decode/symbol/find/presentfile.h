/* The identity of the file that is at a recorded path now. */
#ifndef READPERF_DECODE_SYMBOL_FIND_PRESENTFILE_H
#define READPERF_DECODE_SYMBOL_FIND_PRESENTFILE_H

#include "decode/symbol/symbolsettings.h"
#include "util/fileid.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Returns the identity, without a generation, of the file at @path below @root; NULL: of the
 * recorded system, not in a container. All zero if there is none, or if its build id is not the
 * @len bytes at @build_id (0: not recorded): then the path has changed since the recording.
 */
struct file_id presentfile_id(const char *root, const char *path, const uint8_t *build_id,
			      size_t len, const struct symbol_settings *settings);

#endif
