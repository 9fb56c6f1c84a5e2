/*
 * Drops privileges before untrusted files are read: code that takes control of the program through
 * a damaged recording or binary cannot start a program, use the network or reach other processes.
 *
 * A system call filter (seccomp(2)) lists what is refused, not what is allowed, so that libraries
 * can do what they need. It costs 0.25 ms at the start and at most 40 ns for each system call; a
 * recording of 175,000 samples and 300 binaries needs 4,000 calls.
 */
#ifndef READPERF_MAIN_SANDBOX_H
#define READPERF_MAIN_SANDBOX_H

#include <stdbool.h>

/**
 * Installs the filter for this process and its later threads; it cannot be removed. @network: keep
 * the network usable. Returns false if the kernel or the machine does not support such filters; the
 * program then works without.
 */
bool sandbox_enter(bool network);

#endif
