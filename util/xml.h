/*
 * Text in XML 1.0 into an output file: escaped, and UTF-8. Bytes that are none, and characters that
 * XML has no way to write, such as most controls, become U+FFFD.
 */
#ifndef READPERF_UTIL_XML_H
#define READPERF_UTIL_XML_H

#include "util/outfile.h"

/** Text between tags. */
void xml_text(struct outfile *out, const char *text);

/** A space and NAME="VALUE"; line ends and tabs in @value survive. */
void xml_attribute(struct outfile *out, const char *name, const char *value);

#endif
