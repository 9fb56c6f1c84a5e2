/* The recordings that the command line names: files, and those in directories of them. */
#ifndef READPERF_MAIN_INPUTS_H
#define READPERF_MAIN_INPUTS_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

/** All zero is empty. */
struct inputs {
	char **paths; /* "-" is standard input */
	size_t nr, room;
	bool several; /* tables tell runs apart: there are several, or a directory was named */
};

/**
 * Adds the recording @path, or if that is a directory, but no recording, the recordings in it in
 * the order of their names: the files that begin as recordings or are called *.data (packed:
 * *.data.gz, ...), also links that lead nowhere, and the directories that are recordings. Names
 * that begin with a dot are passed over. Returns 0, or -1 with @err filled, also if there are none.
 */
int inputs_add(struct inputs *inputs, const char *path, struct error *err);

/**
 * Returns 0 if no more than one comes through a pipe, else -1 with @err filled (ERROR_USAGE): the
 * column run, which tells recordings apart, is empty for what is in no file.
 */
int inputs_check_pipes(const struct inputs *inputs, struct error *err);

void inputs_free(struct inputs *inputs);

#endif
