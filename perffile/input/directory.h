/*
 * A directory recording: "data" is a recording, and each "data.N" beside it a bare stream of
 * records.
 */
#ifndef READPERF_PERFFILE_INPUT_DIRECTORY_H
#define READPERF_PERFFILE_INPUT_DIRECTORY_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

/** The files of a recording, to be read in this order; [0] has the header. */
struct file_list {
	char **paths;
	size_t nr_paths, room;
	char *kcore_dir; /* of a directory: where perf record --kcore puts its copies; or NULL */
};

/**
 * The files that the recording at @path consists of: itself, or if it is a directory its data and
 * its data.N by ascending N. Returns 0, or -1 with @err filled.
 */
int directory_list(struct file_list *list, const char *path, struct error *err);

void directory_list_free(struct file_list *list);

#endif
