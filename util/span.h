/*
 * The bounds-checked cursor: every byte of a recording is read through it.
 *
 * A span is a value: copy it to look ahead. A read past its end yields 0 and sets `failed`, which
 * stays set, so a decoder reads like the format's table and tests `failed` once at its end. Byte
 * order is the span's business: no decoder knows about swapping.
 */
#ifndef READPERF_UTIL_SPAN_H
#define READPERF_UTIL_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Unread bytes [pos, end), both perhaps NULL if there are none; whoever made it owns them. */
struct span {
	const uint8_t *pos, *end;
	bool swap;   /* the bytes are in the other byte order */
	bool failed; /* sticky: a read went past the end */
};

static inline struct span span_make(const void *bytes, size_t len, bool swap)
{
	const uint8_t *pos = bytes;

	return (struct span){.pos = pos, .end = len ? pos + len : pos, .swap = swap};
}

/** Bytes left to read. */
static inline size_t span_left(const struct span *s)
{
	return (size_t)(s->end - s->pos);
}

/** True if @count elements of @size bytes are left; safe against overflow of their product. */
static inline bool span_holds(const struct span *s, uint64_t count, size_t size)
{
	return count <= span_left(s) / size;
}

/** Marks the span as read past its end and consumes what was left. */
static inline void span_fail(struct span *s)
{
	s->failed = true;
	s->pos = s->end;
}

static inline uint8_t span_u8(struct span *s)
{
	if (s->pos == s->end) {
		span_fail(s);
		return 0;
	}
	return *s->pos++;
}

static inline uint16_t span_u16(struct span *s)
{
	uint16_t v;

	if (span_left(s) < sizeof(v)) {
		span_fail(s);
		return 0;
	}
	memcpy(&v, s->pos, sizeof(v));
	s->pos += sizeof(v);
	return s->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t span_u32(struct span *s)
{
	uint32_t v;

	if (span_left(s) < sizeof(v)) {
		span_fail(s);
		return 0;
	}
	memcpy(&v, s->pos, sizeof(v));
	s->pos += sizeof(v);
	return s->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t span_u64(struct span *s)
{
	uint64_t v;

	if (span_left(s) < sizeof(v)) {
		span_fail(s);
		return 0;
	}
	memcpy(&v, s->pos, sizeof(v));
	s->pos += sizeof(v);
	return s->swap ? __builtin_bswap64(v) : v;
}

/** The u64 @offset bytes behind the cursor, which stays where it is; 0 if it is not there whole. */
static inline uint64_t span_peek_u64(const struct span *s, size_t offset)
{
	uint64_t v;

	if (!span_holds(s, 1, sizeof(v)) || span_left(s) - sizeof(v) < offset)
		return 0;
	memcpy(&v, s->pos + offset, sizeof(v));
	return s->swap ? __builtin_bswap64(v) : v;
}

/** The next @len bytes as a span of their own; fails, and gives an empty one, if fewer are left. */
static inline struct span span_take(struct span *s, uint64_t len)
{
	struct span part = *s;

	if (len > span_left(s)) {
		span_fail(s);
		part.end = part.pos;
		part.failed = true;
		return part;
	}
	part.end = len ? part.pos + len : part.pos; /* not even 0 may be added to NULL */
	s->pos = part.end;
	return part;
}

/** Steps over @len bytes; fails if fewer are left. */
static inline void span_skip(struct span *s, uint64_t len)
{
	(void)span_take(s, len);
}

/** Copies the next @len bytes to @to, or zeroes there and fails if fewer are left. */
static inline void span_bytes(struct span *s, void *to, size_t len)
{
	struct span part = span_take(s, len);

	if (part.failed)
		memset(to, 0, len);
	else if (len)
		memcpy(to, part.pos, len);
}

/**
 * The NUL-terminated string at the cursor, borrowed, the cursor set behind its NUL; NULL, and the
 * span fails, if no NUL lies inside. Its length (without the NUL) goes to @len unless that is NULL.
 */
static inline const char *span_cstr(struct span *s, size_t *len)
{
	const uint8_t *nul = span_left(s) ? memchr(s->pos, 0, span_left(s)) : NULL;
	const char *str = (const char *)s->pos;

	if (!nul) {
		span_fail(s);
		return NULL;
	}
	if (len)
		*len = (size_t)(nul - s->pos);
	s->pos = nul + 1;
	return str;
}

#endif
