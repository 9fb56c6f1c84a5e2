/*
 * Numbers as decimal digits, without the locale.
 */
#ifndef READPERF_UTIL_DIGITS_H
#define READPERF_UTIL_DIGITS_H

#include <stddef.h>
#include <stdint.h>

/** Writes @value to @to, which has room for 20 characters. Returns the place behind. */
char *digits_u64(char *to, uint64_t value);

/** 10 to the power of @exponent, which is below 20. */
uint64_t digits_power_of_10(unsigned exponent);

/** Writes @whole, and @fraction with @decimals digits behind a point. Returns the place behind. */
char *digits_fixed(char *to, uint64_t whole, uint64_t fraction, unsigned decimals);

enum { DIGITS_PERCENT_MAX = 48 };

/**
 * Writes the percentage that @part is of @total to @to, with @decimals (1 to 9) decimals, computed
 * exactly and half rounded up. NUL-terminated.
 *
 * @return its length.
 */
size_t digits_percent(char to[DIGITS_PERCENT_MAX], uint64_t part, uint64_t total,
		      unsigned decimals);

#endif
