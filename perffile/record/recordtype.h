/* Properties of each record type: its name, its possible sizes, whether a string ends it. */
#ifndef READPERF_PERFFILE_RECORD_RECORDTYPE_H
#define READPERF_PERFFILE_RECORD_RECORDTYPE_H

#include "perffile/format.h"
#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Properties of a type; sizes in bytes, header included. */
struct record_kind {
	const char *name;     /* as perf prints it, without PERF_RECORD_ */
	uint16_t least, most; /* without a trailer */
	uint16_t mask;	      /* bits that no size has set */
	bool trailer;	      /* a trailer may follow */
	uint16_t string;      /* offset in the body of the string that ends it; 0: none */
};

/** Returns the properties of @type, which are static, or NULL if it has no name. */
const struct record_kind *record_type(uint32_t type);

/**
 * Whether records of @type, which has no name, may exist: from a newer perf or kernel, or from
 * another recorder. simpleperf's types start at 32768; no types above 65535 have ever existed.
 */
bool record_type_may_exist(uint32_t type);

/** Returns the offset in the body of the string that ends a record of @type; 0 if none does. */
size_t record_type_string(uint32_t type);

/**
 * Whether a kernel record of @type with @body has room for a trailer of @trailer_bytes after what
 * is its own. Some writers synthesize records without a trailer.
 */
bool record_type_has_trailer(uint32_t type, struct span body, uint16_t trailer_bytes);

#endif
