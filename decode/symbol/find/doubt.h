/*
 * Signs that the file at the recorded path is not the recorded one, for mappings without a build id
 * of their own. The file is used, with a warning.
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_DOUBT_H
#define READPERF_DECODE_SYMBOL_FIND_DOUBT_H

#include "decode/symbol/dso.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/origin.h"
#include "decode/symbol/symbolsettings.h"

#include <stdint.h>

/**
 * Returns the doubt about the file with @stamp that was found for @dso, a DSO_USER; both strings
 * are static, "" if there is no doubt. The recording ended at @end ns since 1970 or before
 * (INT64_MAX: unknown). If the recording's table has a build id for the path, it is that of the
 * file that was there at the end: then only the file that still is there is compared, at @dso's
 * path. A build with the same id may have come since. There is no doubt about files below a root
 * that the user named: they are copies of the recorded system's files.
 */
struct doubt doubt_about(const struct dso *dso, const struct file_stamp *stamp,
			 const struct symbol_settings *settings, int64_t end);

#endif
