/*
 * What speaks against the file at the recorded path if no build id was recorded that could prove or
 * refute it. The file is used, with a warning.
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_DOUBT_H
#define READPERF_DECODE_SYMBOL_FIND_DOUBT_H

#include "decode/symbol/dso.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/origin.h"
#include "decode/symbol/symbolsettings.h"

#include <stdint.h>

/**
 * The doubt about the file of @stamp that was found for @dso, a DSO_USER; the recording ended at
 * @end ns since 1970, or before (INT64_MAX: not known). None about files below a directory that the
 * user calls the recorded system's: that is a copy.
 */
struct doubt doubt_about(const struct dso *dso, const struct file_stamp *stamp,
			 const struct symbol_settings *settings, int64_t end);

#endif
