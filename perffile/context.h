/*
 * Markers in call chains, which say in which mode the addresses behind them ran: PERF_CONTEXT_* of
 * include/uapi/linux/perf_event.h. Compared as unsigned numbers.
 */
#ifndef READPERF_PERFFILE_CONTEXT_H
#define READPERF_PERFFILE_CONTEXT_H

#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

#define CONTEXT_MAX	      ((uint64_t)-4095) /* from here on a word is a marker */
#define CONTEXT_KERNEL	      ((uint64_t)-128)
#define CONTEXT_USER	      ((uint64_t)-512)
#define CONTEXT_USER_DEFERRED ((uint64_t)-640) /* the next word is a cookie, the chain's last */
#define CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define CONTEXT_GUEST_USER    ((uint64_t)-2560)

static inline enum cpumode context_mode(uint64_t context)
{
	switch (context) {
	case CONTEXT_KERNEL:
		return CPUMODE_KERNEL;
	case CONTEXT_USER:
		return CPUMODE_USER;
	case CONTEXT_GUEST_KERNEL:
		return CPUMODE_GUEST_KERNEL;
	case CONTEXT_GUEST_USER:
		return CPUMODE_GUEST_USER;
	default: /* the hypervisor, or a marker of a newer kernel */
		return CPUMODE_UNKNOWN;
	}
}

/**
 * Sets *@addr to the first word of the chain @ips that is no marker and *@cpumode, if markers are
 * before it, to its mode. False if there is no such word; *@cpumode is that of the last marker.
 */
static inline bool context_first_address(struct span ips, enum cpumode *cpumode, uint64_t *addr)
{
	while (span_left(&ips) > 0) {
		*addr = span_u64(&ips);
		if (*addr < CONTEXT_MAX)
			return true;
		*cpumode = context_mode(*addr);
	}
	return false;
}

#endif
