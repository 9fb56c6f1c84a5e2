/* The processor time that control groups leave to this process. */
#ifndef READPERF_UTIL_CPUQUOTA_H
#define READPERF_UTIL_CPUQUOTA_H

#include <stddef.h>

/**
 * Returns how many cores the quotas of this process's control group and those above it are worth
 * (of version 2: cpu.max; of version 1: cpu.cfs_quota_us), rounded up, at least 1; SIZE_MAX if
 * there is none. @root: of the system's folders, "" but for tests.
 */
size_t cpuquota_cores(const char *root);

#endif
