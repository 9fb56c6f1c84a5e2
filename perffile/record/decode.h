/* Turns a framed record into a typed one: body by its type, trailer by its event. */
#ifndef READPERF_PERFFILE_RECORD_DECODE_H
#define READPERF_PERFFILE_RECORD_DECODE_H

#include "perffile/record.h"
#include "perffile/record/events.h"
#include "perffile/record/raw.h"

enum decode_result {
	DECODE_OK,
	DECODE_DAMAGED,	   /* shorter than its type or its own counts demand, or of no type */
	DECODE_UNKNOWN_ID, /* names an event that the file does not have */
};

/**
 * Decodes @raw into @rec, which borrows from its bytes. A record of a type without a decoder keeps
 * its header, and its trailer if it is the kernel's. @rest gets the number of bytes that belong
 * neither to its body nor to its trailer.
 */
enum decode_result decode_record(struct record *rec, const struct raw_record *raw, bool swap,
				 struct event_set *events, size_t *rest);

#endif
