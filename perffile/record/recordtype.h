/* What is known of each record type: its name, the sizes it can have, whether a string ends it. */
#ifndef READPERF_PERFFILE_RECORD_RECORDTYPE_H
#define READPERF_PERFFILE_RECORD_RECORDTYPE_H

#include "perffile/format.h"
#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is known of a type; sizes in bytes, header included. */
struct record_kind {
	const char *name;     /* as perf prints it, without PERF_RECORD_ */
	uint16_t least, most; /* without the trailer that may follow */
	uint16_t mask;	      /* bits that no size has */
	bool trailer;	      /* one may follow */
	uint16_t string;      /* bytes of the body before the string that ends it; 0: none does */
};

/** What is known of @type, or NULL if it has no name. */
const struct record_kind *record_type(uint32_t type);

/**
 * Whether records of @type, which has no name, may exist: of a newer perf or kernel, or of another
 * recorder. Those of simpleperf start at 32768; beyond 65535 none has ever been.
 */
bool record_type_may_exist(uint32_t type);

/** Bytes of the body of a record of @type before the string that ends it; 0 if none does. */
size_t record_type_string(uint32_t type);

/**
 * Whether a kernel record of @type with @body has room for a trailer of @trailer_bytes behind the
 * string that it may end in. Some old writers synthesize records without one.
 */
bool record_type_has_trailer(uint32_t type, struct span body, uint16_t trailer_bytes);

#endif
