/* Turns a framed record into a typed one: body by its type, trailer by its event. */
#ifndef READPERF_PERFFILE_DECODE_H
#define READPERF_PERFFILE_DECODE_H

#include "perffile/events.h"
#include "perffile/reader.h"
#include "perffile/record.h"

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

/**
 * Whether records of @type, which has no name, may exist: of a newer perf or kernel, or of another
 * recorder. Those of simpleperf start at 32768; beyond 65535 none has ever been.
 */
bool record_type_may_exist(uint32_t type);

/**
 * Whether @raw is a TRACING_DATA record with the section, @data, in it, as old simpleperf wrote it;
 * perf puts the section behind the record.
 */
bool raw_tracing_data(const struct raw_record *raw, bool swap, struct span *data);

/** Bytes that trail @raw and are no records. */
uint64_t raw_payload_bytes(const struct raw_record *raw, bool swap);

/** Bytes of the body of a record of @type before the string that ends it; 0 if none does. */
size_t record_string_offset(uint32_t type);

/**
 * Whether a kernel record of @type with @body has room for a trailer of @trailer_bytes behind the
 * string that it may end in. Some old writers synthesize records without one.
 */
bool record_has_trailer(uint32_t type, struct span body, uint16_t trailer_bytes);

#endif
