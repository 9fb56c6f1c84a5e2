/* The file descriptors that a run starts with: the standard streams, and a sufficient limit. */
#ifndef READPERF_MAIN_DESCRIPTORS_H
#define READPERF_MAIN_DESCRIPTORS_H

#include "util/error.h"

#include <stddef.h>

/**
 * How many a run on one recording needs: for that, tables, temporary files, a binary and its debug
 * files, and connections, with a reserve. None of them grows with the recording. The reserve also
 * has room for some that whoever started the program left open.
 */
enum { DESCRIPTORS_OF_RUN = 64, DESCRIPTORS_LEFT_OPEN = 8 };

/**
 * Opens /dev/null in place of each closed standard stream, so that reading or printing fails:
 * otherwise a file opened later would get its number and the program's messages.
 */
void descriptors_fill_standard(void);

/**
 * Has standard output and standard error wait for their readers if they are pipes or terminals that
 * were left non-blocking: stdio would take a pipe that is full for an error.
 */
void descriptors_block_output(void);

/**
 * Ensures that @nr files, the standard streams among them, can be open at the same time, even if
 * more than DESCRIPTORS_LEFT_OPEN others are; with fewer, binaries could not be opened and their
 * names would be missing. Raises the soft limit if necessary. Returns 0, or -1 with @err filled.
 */
int descriptors_ensure(size_t nr, struct error *err);

#endif
