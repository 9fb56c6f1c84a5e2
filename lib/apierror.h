/* Errors of the rooms as errors of the library. */
#ifndef READPERF_LIB_APIERROR_H
#define READPERF_LIB_APIERROR_H

#include "util/error.h"

#include <readperf/error.h>

/** Copies @from, which is set, to @to, which may be NULL. Returns -1. */
int apierror_copy(struct readperf_error *to, const struct error *from);

/** Sets @to, which may be NULL, to lack of memory while doing @what. Returns -1. */
int apierror_nomem(struct readperf_error *to, const char *what);

/** Sets @to, which may be NULL, to a NULL given for @argument. Returns -1. */
int apierror_null(struct readperf_error *to, const char *argument);

#endif
