/*
 * Where records go on behind bytes that are none.
 *
 * Asked where the record at the next byte cannot be what it says. Its size may still be right: of
 * a type that is not known, or if only its body is damaged. Else the next place is looked for from
 * which on there are records again (plausible.h), byte by byte, in time that grows with the bytes.
 */
#ifndef READPERF_PERFFILE_RECOVER_RESCAN_H
#define READPERF_PERFFILE_RECOVER_RESCAN_H

#include "perffile/recover/plausible.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>

/** How far the search has come; all zero before it. */
struct rescan {
	bool lost;	/* bytes were dropped already: what is first is not where a record began */
	size_t scanned; /* bytes, from the first on, at which no records start */
};

enum rescan_result {
	RESCAN_MORE, /* more bytes must be seen; those that were scanned may be dropped */
	RESCAN_KEEP, /* the next bytes are records by their sizes, whatever they hold */
	RESCAN_STEP, /* behind the next bytes are records */
	RESCAN_NONE, /* there are no more */
};

/**
 * Looks at @s, from the byte on at which there is no good record, up to what has been read or, if
 * @at_end, to the end of the data. *@bytes gets how many bytes RESCAN_KEEP and RESCAN_STEP speak
 * of.
 */
enum rescan_result rescan_look(struct rescan *rescan, const struct plausibility *plausible,
			       struct span s, bool at_end, size_t *bytes);

#endif
