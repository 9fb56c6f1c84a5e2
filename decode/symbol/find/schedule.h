/*
 * The order in which lists of places are worked on. What takes longest comes first, and the lists
 * of one file come together, so that a file with many names is read once.
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
	struct file_stamp file; /* at its recorded path; all zero if there is none */
	size_t effort;		/* places of the longest list of the same file */
};

/** Returns the @nr @lists in this order, for the caller to free; NULL if memory is out. */
struct schedule_item *schedule_make(struct place_list *lists, size_t nr,
				    const struct symbol_settings *settings);

/** Whether both seem to be of one file, as far as that shows from outside. */
bool schedule_same_file(const struct schedule_item *a, const struct schedule_item *b);

#endif
