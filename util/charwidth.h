/*
 * The width of a character on a terminal, independent of the user's locale.
 *
 * wcwidth(3) depends on the locale of the process, which readperf never sets, as its output must
 * not depend on it. utf8proc has Unicode's tables.
 */
#ifndef READPERF_UTIL_CHARWIDTH_H
#define READPERF_UTIL_CHARWIDTH_H

#include <stdint.h>

/**
 * Returns the columns of the code point @code: 0 for a combining mark, 2 for East Asian wide
 * characters and emoji, else 1; -1 for characters that must not be sent to a terminal (C0 and C1
 * controls, line separators, characters that change the writing direction or are invisible).
 */
int charwidth(uint32_t code);

#endif
