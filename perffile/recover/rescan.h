/*
 * Finds where records continue after bytes that are not records.
 *
 * Used if the record at the next byte cannot be valid. Its size may still be right, if its type is
 * unknown or only its body is damaged. Otherwise the bytes are searched one by one for the next
 * chain of records (plausible.h), in linear time.
 */
#ifndef READPERF_PERFFILE_RECOVER_RESCAN_H
#define READPERF_PERFFILE_RECOVER_RESCAN_H

#include "perffile/recover/plausible.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>

/** State of a search; all zero at its start. */
struct rescan {
	bool lost;	/* bytes were dropped: the first byte left is not the start of a record */
	size_t scanned; /* bytes, from the first one on, at which no records start */
};

enum rescan_result {
	RESCAN_MORE, /* more bytes are needed; those scanned may be dropped */
	RESCAN_KEEP, /* the next bytes are records by their sizes, whatever their contents */
	RESCAN_STEP, /* records start after the next bytes */
	RESCAN_NONE, /* there are no more records */
};

/**
 * Examines @s, which starts at the bad record and ends with the bytes read so far or, if @at_end,
 * with the data. For RESCAN_KEEP and RESCAN_STEP, *@bytes is the number of the next bytes.
 */
enum rescan_result rescan_look(struct rescan *rescan, const struct plausibility *plausible,
			       struct span s, bool at_end, size_t *bytes);

#endif
