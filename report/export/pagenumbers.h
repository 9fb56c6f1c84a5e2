/*
 * Numbers and bytes of the page, packed: LEB128, raw deflate, and text in a script element that has
 * 13 bits in two of 91 characters.
 */
#ifndef READPERF_REPORT_EXPORT_PAGENUMBERS_H
#define READPERF_REPORT_EXPORT_PAGENUMBERS_H

#include "util/codec/pack.h"
#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is packed; start with pagenumbers_start(). */
struct pagenumbers {
	struct codec_pack *pack;
	size_t nr; /* bytes that wait in @waiting */
	uint8_t waiting[4096];
};

/**
 * Starts an empty one of which at most @limit bytes are kept; @is_text: texts or a table, which
 * repeat themselves, are to come rather than numbers. False if memory is out.
 */
bool pagenumbers_start(struct pagenumbers *numbers, size_t limit, bool is_text);

/** Adds @value: seven bits a byte, the lowest first; the last byte is below 0x80. */
void pagenumbers_put(struct pagenumbers *numbers, uint64_t value);

/** Adds a signed value; 0, -1, 1, -2 become 0, 1, 2, 3. */
void pagenumbers_put_signed(struct pagenumbers *numbers, int64_t value);

/**
 * Adds @nr signed values in three columns: the lowest 8 bits of each as they are, the next 8, and
 * the other bits as a signed number. So bits that nobody can foretell take no more room than they
 * must, and the sign is where it can be foretold.
 */
void pagenumbers_put_planes(struct pagenumbers *numbers, const int64_t *values, size_t nr);

/** Adds @len bytes as they are. */
void pagenumbers_bytes(struct pagenumbers *numbers, const void *bytes, size_t len);

/** Another kind of numbers comes. Returns how many packed bytes the ones before have become. */
uint64_t pagenumbers_divide(struct pagenumbers *numbers);

/** Nothing more comes. False if memory is out. */
bool pagenumbers_end(struct pagenumbers *numbers);

/** How many packed bytes become at most @room characters of text. */
uint64_t pagenumbers_that_fit(uint64_t room);

/** Writes a script element called @id with what was packed. */
void pagenumbers_write(const struct pagenumbers *numbers, const char *id, struct outfile *out);

/** Frees what is packed; also after a failed start. */
void pagenumbers_free(struct pagenumbers *numbers);

#endif
