/* A directory recording: "data" is a recording, each "data.N" beside it has only records. */
#ifndef READPERF_PERFFILE_INPUT_DIRECTORY_H
#define READPERF_PERFFILE_INPUT_DIRECTORY_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The files of a recording, to be read in this order; [0] has the header. */
struct file_list {
	char **paths;
	size_t nr_paths, room;
	char *dir;		/* the directory that they are the recording of; NULL: none */
	size_t nr_missing;	/* of data.N: numbers below the largest one that are not there */
	uint32_t first_missing; /* the smallest of these */
	char *kcore_dir; /* of a directory: where perf record --kcore puts its copies; else NULL */
};

/**
 * Lists the files of the recording at @path: @path itself or, in a directory, data and then data.N
 * by ascending N; perf record makes all of them from data.0 on. Returns 0, or -1 with @err filled;
 * the caller frees @list in both cases.
 */
int directory_list(struct file_list *list, const char *path, struct error *err);

/** Lists one file, whatever is at @path. Otherwise as directory_list(). */
int directory_list_file(struct file_list *list, const char *path, struct error *err);

void directory_list_free(struct file_list *list);

#endif
