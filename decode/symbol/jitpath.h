/*
 * Where a process in a container left its files: its own pid and /tmp are not those of the
 * recording. As long as it runs, /proc tells.
 */
#ifndef READPERF_DECODE_SYMBOL_JITPATH_H
#define READPERF_DECODE_SYMBOL_JITPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The pid that the process has for itself, by the @status (the text of /proc/PID/status): the last
 * number of its line "NSpid:". 0 if it has but the one pid, or the text does not tell.
 */
uint32_t jitpath_inner_pid(const char *status);

/**
 * For the @recorded path "/tmp/perf-PID.map", whose process must still run in a pid namespace of
 * its own: puts the path into @path, of @size bytes, at which that process's map is for us.
 * False if there is no such process.
 */
bool jitpath_of_perf_map(const char *recorded, char *path, size_t size);

/** As jitpath_of_perf_map() for the file that process @pid calls @recorded. */
bool jitpath_of_process(uint32_t pid, const char *recorded, char *path, size_t size);

#endif
