/* Values of the JSON of the Firefox Profiler. */
#ifndef READPERF_REPORT_EXPORT_FIREFOXVALUES_H
#define READPERF_REPORT_EXPORT_FIREFOXVALUES_H

#include "report/export/firefoxindex.h"

/** The number of @text in the profile's strings. */
void firefoxvalues_string(struct firefox *to, const char *key, const char *text);

/** The number if it is @known, else null. */
void firefoxvalues_if(struct firefox *to, const char *key, bool known, uint64_t number);

enum { FIREFOXVALUES_MS_MAX = 32, FIREFOXVALUES_NS_DIGITS = 6 };

/** @ns as milliseconds, exactly: as text, and as a value. */
void firefoxvalues_format_ms(char text[FIREFOXVALUES_MS_MAX], uint64_t ns);
void firefoxvalues_ms(struct firefox *to, const char *key, uint64_t ns);

/** An empty list. */
void firefoxvalues_empty(struct firefox *to, const char *key);

/** A column of @nr times the same: digits, true, false or null. */
void firefoxvalues_constants(struct firefox *to, const char *key, size_t nr, const char *value);

/** A table without rows; @columns ends with NULL. */
void firefoxvalues_no_rows(struct firefox *to, const char *key, const char *const *columns);

/** The part of the path after its last slash. */
const char *firefoxvalues_base_name(const char *path);

#endif
