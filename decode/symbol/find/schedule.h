/*
 * The order in which lists of places are processed: the longest first, and the lists of one file
 * together, so that a file with many names is read once.
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_SCHEDULE_H
#define READPERF_DECODE_SYMBOL_FIND_SCHEDULE_H

#include "decode/symbol/answer.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/symbolsettings.h"

#include <stdbool.h>
#include <stddef.h>

struct schedule_item {
	struct place_list *list;
	struct file_stamp file; /* file at the recorded path; all zero if there is none */
	size_t effort; /* number of places in the longest list of that file; 0: it comes last */
	/* No other list has the path and build id of this one, by which answers tell binaries
	 * apart: its functions need to be told apart only among themselves. Only set with
	 * symbol_settings.names_only. */
	bool alone;
};

/**
 * Returns the @nr @lists in this order, but those of the file of @last, a dso or NULL, behind all
 * others; an array owned by the caller. NULL if memory is out.
 */
struct schedule_item *schedule_make(struct place_list *lists, size_t nr, const struct dso *last,
				    const struct symbol_settings *settings);

/** True if both seem to be of the same file, judged without opening it. */
bool schedule_same_file(const struct schedule_item *a, const struct schedule_item *b);

#endif
