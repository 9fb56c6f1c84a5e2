/* Formats numbers as decimal digits, independently of the locale. */
#ifndef READPERF_UTIL_DIGITS_H
#define READPERF_UTIL_DIGITS_H

#include <stddef.h>
#include <stdint.h>

/** Writes @value to @to, which has room for 20 characters; no NUL. Returns the end. */
char *digits_u64(char *to, uint64_t value);

/** Writes @value in hexadecimal to @to, which has room for 16 characters; no NUL. Returns the end. */
char *digits_hex(char *to, uint64_t value);

/** Returns 10 to the power of @exponent, which is below 20. */
uint64_t digits_power_of_10(unsigned exponent);

/** Writes @whole, a point and @fraction with @decimals digits (0: neither). Returns the end. */
char *digits_fixed(char *to, uint64_t whole, uint64_t fraction, unsigned decimals);

enum { DIGITS_PERCENT_MAX = 48 };

/**
 * Writes @part as a percentage of @total to @to, with @decimals (1 to 9) decimals, computed exactly
 * and half rounded up; 0 if @total is 0. NUL-terminated.
 *
 * @return its length in bytes.
 */
size_t digits_percent(char to[DIGITS_PERCENT_MAX], uint64_t part, uint64_t total,
		      unsigned decimals);

#endif
