/* Source files as a code server knows them: relative to the checkout. */
#ifndef READPERF_REPORT_EXPORT_SOURCEPATH_H
#define READPERF_REPORT_EXPORT_SOURCEPATH_H

#include "report/export/export.h"

/** @path without the first of the prefixes that it is below; a pointer into it. */
const char *sourcepath_strip(const struct export_settings *settings, const char *path);

/**
 * @path as a URI: bytes that a URI cannot hold become %XX; an absolute one begins with file://.
 *
 * @return the URI, to be freed; NULL if memory is out.
 */
char *sourcepath_uri(const char *path);

#endif
