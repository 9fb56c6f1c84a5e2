/* A directory that a unit test may fill, and the files in it. */
#ifndef READPERF_TESTS_SUPPORT_SCRATCH_H
#define READPERF_TESTS_SUPPORT_SCRATCH_H

#include <stddef.h>

/** Path of a file in a scratch directory. */
struct scratch_path {
	char text[256];
};

/** Makes an empty directory in the current one; the test fails if it cannot. */
struct scratch_path scratch_make(void);

/** DIR/NAME. */
struct scratch_path scratch_join(const char *dir, const char *name);

/** Makes the file DIR/NAME with @text. */
void scratch_write(const char *dir, const char *name, const char *text);

/** The whole of DIR/NAME with a NUL behind it, to be freed; NULL if there is no such file. */
char *scratch_read(const char *dir, const char *name);

/** How many entries, hidden ones included, @dir has. */
size_t scratch_entries(const char *dir);

/** Removes @dir with all that is in it. */
void scratch_remove(const char *dir);

#endif
