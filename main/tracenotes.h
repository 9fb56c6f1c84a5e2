/* Notes on standard error about hardware traces. */
#ifndef READPERF_MAIN_TRACENOTES_H
#define READPERF_MAIN_TRACENOTES_H

#include "decode/results.h"
#include "perffile/perffile.h"

#include <stdbool.h>
#include <stdint.h>

/** The number of records of type @name, for which &recordstat_records is needed. */
uint64_t tracenotes_records(const struct results *results, const char *name);

/** Whether there are records that come with a hardware trace. */
bool tracenotes_has_records(const struct results *results);

/** Whether a trace was to be decoded, and was. */
bool tracenotes_is_decoded(const struct results *results);

/** Prints what was decoded of a hardware trace, and what is missing; nothing if there is none. */
void tracenotes_print(const char *input, const struct perffile *file,
		      const struct results *results);

/** Prints what code a trace lacked; and, with @absent, that there is no trace for its tables. */
void tracenotes_print_missing(const char *input, const struct perffile *file,
			      const struct results *results, bool absent);

#endif
