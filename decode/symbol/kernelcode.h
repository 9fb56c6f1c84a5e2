/*
 * The code of the recorded kernel, as parts of an open file: what a trace's decoder reads.
 *
 * It is in the recording's own copy of the kernel's memory (perf record --kcore), in the memory of
 * the running kernel if that is the recorded one, or in the vmlinux with the recorded build id.
 * Only the former two have what the kernel changed in its code as it booted, and only the first one
 * has its modules.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNELCODE_H
#define READPERF_DECODE_SYMBOL_KERNELCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct load_context;

/** Bytes [offset, offset + size) of the file lie at @address. */
struct kernelcode_part {
	uint64_t address, offset, size;
};

struct kernelcode {
	int fd; /* -1: it is not known */
	struct kernelcode_part *parts;
	size_t nr, room;
};

/**
 * Finds the code; @kcore is the running kernel's memory, "/proc/kcore". For kernelcode_destroy(),
 * which closes the file. NULL if memory is out.
 */
struct kernelcode *kernelcode_create(struct load_context *context, const char *kcore);

/** NULL is fine. */
void kernelcode_destroy(struct kernelcode *code);

#endif
