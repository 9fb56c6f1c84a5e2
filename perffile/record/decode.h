/* Decodes a framed record: its body by its type, its trailer by its event. */
#ifndef READPERF_PERFFILE_RECORD_DECODE_H
#define READPERF_PERFFILE_RECORD_DECODE_H

#include "perffile/record.h"
#include "perffile/record/events.h"
#include "perffile/record/raw.h"

enum decode_result {
	DECODE_OK,
	DECODE_DAMAGED,	   /* too short for its type or its own counts, or of an impossible type */
	DECODE_UNKNOWN_ID, /* has the id of no event in the file */
};

/**
 * Decodes @raw into @rec, which points into its bytes. If its type has no decoder, decodes only the
 * header and, in a kernel record, the trailer. *@rest gets the number of bytes that belong neither
 * to the body nor to the trailer.
 */
enum decode_result decode_record(struct record *rec, const struct raw_record *raw, bool swap,
				 struct event_finder *finder, size_t *rest);

#endif
