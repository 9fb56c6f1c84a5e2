/*
 * Where the bytes of a deleted file still are: the process that mapped it first shows it in /proc.
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_RUNNINGFILE_H
#define READPERF_DECODE_SYMBOL_FIND_RUNNINGFILE_H

#include "decode/symbol/dso.h"

#include <stdbool.h>

/** Room for its path. */
enum { RUNNINGFILE_PATH = 80 };

/** A link in /proc to a file. */
enum runningfile_link {
	RUNNINGFILE_MAPPED,  /* of the mapping; only root may follow it */
	RUNNINGFILE_PROGRAM, /* the process's program */
};

/**
 * Writes to @path where the deleted file of @dso can be opened. Returns false if the link does not
 * lead to the recorded path: the process has ended, and another may have its number.
 */
bool runningfile_path(const struct dso *dso, enum runningfile_link link,
		      char path[RUNNINGFILE_PATH]);

#endif
