/* Keeps what two threads use in different lines of the processor's cache. */
#ifndef READPERF_UTIL_APART_H
#define READPERF_UTIL_APART_H

#include <stdint.h>

/* Two lines of 64 bytes: processors fetch them in pairs. */
enum { APART_BYTES = 128 };

/** A member of this type lies between what one thread writes and what another one uses. */
struct apart {
	uint8_t unused[APART_BYTES];
};

#endif
