/*
 * The code of an address space that lies in files which the library cannot open by their names:
 * it is read by their descriptors.
 */
#ifndef READPERF_DECODE_TRACE_PTFILES_H
#define READPERF_DECODE_TRACE_PTFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes [offset, offset + size) of the file @fd, at address @start. */
struct ptfile {
	uint64_t start, size, offset;
	int fd; /* borrowed */
};

/** All zero is none. */
struct ptfiles {
	struct ptfile *list; /* by address, once it is_sorted */
	size_t nr, room;
	bool is_sorted;
};

/** Adds @file, which stays open and overlaps no other. Returns false if memory is out. */
bool ptfiles_add(struct ptfiles *files, const struct ptfile *file);

/** Reads up to @len bytes at address @ip to @to; returns how many, 0 if they are in no file. */
size_t ptfiles_read(struct ptfiles *files, uint64_t ip, uint8_t *to, size_t len);

void ptfiles_free(struct ptfiles *files);

#endif
