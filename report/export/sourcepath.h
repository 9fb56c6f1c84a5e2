/* Paths of source files for code servers: relative to the checkout. */
#ifndef READPERF_REPORT_EXPORT_SOURCEPATH_H
#define READPERF_REPORT_EXPORT_SOURCEPATH_H

#include "report/export/export.h"

/** @path without the first of the prefixes that it is below; a pointer into @path. */
const char *sourcepath_strip(const struct export_settings *settings, const char *path);

/**
 * Makes a URI of @path: bytes that a URI cannot contain become %XX; an absolute path begins with
 * file://.
 *
 * @return the URI, which the caller frees; NULL if memory is out.
 */
char *sourcepath_uri(const char *path);

#endif
