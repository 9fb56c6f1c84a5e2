/*
 * Writes escaped XML 1.0 text in UTF-8 to an output file. Invalid bytes, and characters that XML
 * cannot represent, such as most controls, become U+FFFD.
 */
#ifndef READPERF_UTIL_XML_H
#define READPERF_UTIL_XML_H

#include "util/outfile.h"

/** Writes text between tags. */
void xml_text(struct outfile *out, const char *text);

/** Writes a space and NAME="VALUE"; line ends and tabs in @value are preserved. */
void xml_attribute(struct outfile *out, const char *name, const char *value);

#endif
