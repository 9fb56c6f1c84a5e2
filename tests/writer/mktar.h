/* Writes tar archives, entry by entry, also such as no program would. */
#ifndef READPERF_TESTS_WRITER_MKTAR_H
#define READPERF_TESTS_WRITER_MKTAR_H

#include <stddef.h>
#include <stdint.h>

enum { MKTAR_BLOCK = 512 };

/** All zero is an empty one. */
struct mktar {
	uint8_t *bytes; /* for the caller to free */
	size_t len, room;
};

/**
 * Adds a header of @type, its name and link cut to 100 bytes, with the @len bytes at @data behind
 * it. The test fails if memory is out.
 */
void mktar_add(struct mktar *tar, char type, const char *path, const char *link, const void *data,
	       size_t len);

/** Adds the file @path with @text. */
void mktar_file(struct mktar *tar, const char *path, const char *text);

/** The last header, to be changed; mktar_sum() is due then. @data_len: of the data behind it. */
uint8_t *mktar_header(struct mktar *tar, size_t data_len);

/** Writes the checksum of @header anew. */
void mktar_sum(uint8_t *header);

/** Adds the mark of the end. */
void mktar_end(struct mktar *tar);

#endif
