/*
 * Where a process in a container left its files: its own pid and /tmp are not those of the
 * recording. As long as it runs, /proc tells.
 */
#ifndef READPERF_DECODE_SYMBOL_JIT_JITPATH_H
#define READPERF_DECODE_SYMBOL_JIT_JITPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The pid that the process has for itself, by the @status (the text of /proc/PID/status): the last
 * number of its line "NSpid:". 0 if it has but the one pid, or the text does not tell.
 */
uint32_t jitpath_inner_pid(const char *status);

/** Where a process has left a file. */
struct jitpath {
	char root[32]; /* "/proc/PID/root", the directory that it takes for the root */
	char path[64]; /* of the file, seen from there */
};

/**
 * For the @recorded path "/tmp/perf-PID.map", whose process must still run in a pid namespace of
 * its own: sets @place to where that process has its map. False if there is no such process.
 */
bool jitpath_of_perf_map(const char *recorded, struct jitpath *place);

/**
 * Puts "/proc/PID/root" of process @pid into @root, of @size bytes, if it runs in a pid namespace
 * of its own. Returns false if not.
 */
bool jitpath_root_of_process(uint32_t pid, char *root, size_t size);

/**
 * Puts the path of the map below the directory @root, seen from there, into @path, of @size bytes,
 * if there is exactly one: whatever number the process that wrote it had for itself.
 */
bool jitpath_only_perf_map(const char *root, char *path, size_t size);

#endif
