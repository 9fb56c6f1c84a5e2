/* What a frame of a stack is called where only one name is shown. */
#ifndef READPERF_REPORT_EXPORT_FRAMENAME_H
#define READPERF_REPORT_EXPORT_FRAMENAME_H

#include "decode/results/functionrows.h"

#include <stddef.h>

/** Room for a name that is put together. All zero is empty. */
struct framename {
	char *text;
	size_t room;
};

/**
 * The name of @function; without one the base name of its binary in brackets stands for it:
 * "[libx.so]". Valid until the next call. NULL if memory is out.
 */
const char *framename_of(struct framename *name, const struct function_stat *function);

/** The frame above a chain that was cut: @end in brackets, such as "[stack-cut]"; as above. */
const char *framename_of_end(struct framename *name, const char *end);

void framename_free(struct framename *name);

#endif
