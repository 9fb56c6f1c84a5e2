/* libipt, an optional library, which decodes Intel PT. */
#ifndef READPERF_DECODE_TRACE_PTLIBRARY_H
#define READPERF_DECODE_TRACE_PTLIBRARY_H

#include "decode/trace/ptstep.h"

#include <stdbool.h>

/** The name of the library, such as "libipt 2.0", written to @name; NULL if it is not built in.
 */
const char *ptlibrary_name(char name[32]);

/** Whether the library knows the errata of the CPU, or there is none to be known. */
bool ptlibrary_knows_cpu(const struct ptconfig *config);

#endif
