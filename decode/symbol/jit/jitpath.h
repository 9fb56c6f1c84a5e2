/*
 * Paths of the files of a process in a container, whose own pid and /tmp differ from those in the
 * recording. They are found in /proc while the process runs.
 */
#ifndef READPERF_DECODE_SYMBOL_JIT_JITPATH_H
#define READPERF_DECODE_SYMBOL_JIT_JITPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Returns the pid of a process in its own pid namespace: the last number in the line "NSpid:" of
 * @status, the text of /proc/PID/status. 0 if the process has only one pid or there is no such
 * line.
 */
uint32_t jitpath_inner_pid(const char *status);

/** The path of a process's file. */
struct jitpath {
	char root[32]; /* "/proc/PID/root", the root directory of the process */
	char path[64]; /* path of the file below root */
};

/**
 * Sets @place to the perf map of a process, given its @recorded path "/tmp/perf-PID.map". Returns
 * false unless the process is running in its own pid namespace; @place is undefined then.
 */
bool jitpath_of_perf_map(const char *recorded, struct jitpath *place);

/**
 * Writes "/proc/PID/root" of process @pid to @root, of @size bytes. Returns false unless the
 * process is running in its own pid namespace.
 */
bool jitpath_root_of_process(uint32_t pid, char *root, size_t size);

/**
 * Writes the path of the only perf map in /tmp below the directory @root, whatever pid is in its
 * name, to @path, of @size bytes. Returns false unless there is exactly one.
 */
bool jitpath_only_perf_map(const char *root, char *path, size_t size);

#endif
