/*
 * Shared libraries that are opened when they are needed: some take longer to be loaded than a small
 * recording takes to be read, and few runs need them.
 */
#ifndef READPERF_UTIL_DYNLIB_H
#define READPERF_UTIL_DYNLIB_H

#include <stdbool.h>

/**
 * Opens the library @name, as "libx.so.1"; it stays loaded until the process ends. Returns NULL if
 * there is none.
 */
void *dynlib_open(const char *name);

/**
 * Sets the function pointer at @function, of any type, to the function @name of @library, which may
 * be NULL. Returns false, with a NULL pointer, if there is none.
 */
bool dynlib_find(void *library, const char *name, void *function);

#endif
