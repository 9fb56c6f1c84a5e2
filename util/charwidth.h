/*
 * How many columns of a terminal a character takes, whatever the user's locale says.
 *
 * wcwidth(3) would answer for the locale of the process, and readperf never sets one: its output
 * must not depend on it. Unicode's tables are those of utf8proc.
 */
#ifndef READPERF_UTIL_CHARWIDTH_H
#define READPERF_UTIL_CHARWIDTH_H

#include <stdint.h>

/**
 * The columns of the code point @code: 0 for a combining mark, 2 for East Asian wide characters and
 * emoji, else 1; -1 for what must not be sent to a terminal as it is (controls, C1 controls, line
 * separators, characters that change the writing direction or are not seen at all).
 */
int charwidth(uint32_t code);

#endif
