/*
 * Markers in call chains, which give the mode of the addresses after them: PERF_CONTEXT_* of
 * include/uapi/linux/perf_event.h. Compared as unsigned numbers.
 */
#ifndef READPERF_PERFFILE_CONTEXT_H
#define READPERF_PERFFILE_CONTEXT_H

#include "perffile/record.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

#define CONTEXT_MAX	      ((uint64_t)-4095) /* words from here up are markers */
#define CONTEXT_KERNEL	      ((uint64_t)-128)
#define CONTEXT_USER	      ((uint64_t)-512)
#define CONTEXT_USER_DEFERRED ((uint64_t)-640) /* the next word, the chain's last, is a cookie */
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
 * Sets *@addr to the first address of the chain @ips, and *@cpumode to the mode of the last marker
 * before it, if any. Returns false if there is no address; *@cpumode is then the mode of the last
 * marker.
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
