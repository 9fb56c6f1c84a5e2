/*
 * Markers in call chains, which say in which mode the addresses behind them ran: PERF_CONTEXT_* of
 * include/uapi/linux/perf_event.h. Compared as unsigned numbers.
 */
#ifndef READPERF_DECODE_CONTEXT_H
#define READPERF_DECODE_CONTEXT_H

#include <stdint.h>

#define CONTEXT_MAX	      ((uint64_t)-4095) /* from here on a word is a marker */
#define CONTEXT_KERNEL	      ((uint64_t)-128)
#define CONTEXT_USER	      ((uint64_t)-512)
#define CONTEXT_USER_DEFERRED ((uint64_t)-640) /* the next word is a cookie, the chain's last */
#define CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define CONTEXT_GUEST_USER    ((uint64_t)-2560)

#endif
