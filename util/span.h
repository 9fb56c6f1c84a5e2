/*
 * A bounds-checked cursor over bytes; all bytes of a recording are read through it.
 *
 * A span is a value: copy it to look ahead. A read past the end returns 0 and sets `failed`, which
 * stays set, so a decoder can read all fields and test `failed` once at the end. The span handles
 * the byte order.
 */
#ifndef READPERF_UTIL_SPAN_H
#define READPERF_UTIL_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** The unread bytes [pos, end), which are borrowed; both may be NULL if there are none. */
struct span {
	const uint8_t *pos, *end;
	bool swap;   /* the bytes are in the byte order opposite to the host's */
	bool failed; /* sticky: a read went past the end */
};

/** Returns a span of the @len bytes at @bytes; @swap if their byte order is not the host's. */
static inline struct span span_make(const void *bytes, size_t len, bool swap)
{
	struct span s;

	s.pos = bytes;
	s.end = len ? s.pos + len : s.pos;
	s.swap = swap;
	s.failed = false;
	return s;
}

/** Returns the number of bytes left. */
static inline size_t span_left(const struct span *s)
{
	return (size_t)(s->end - s->pos);
}

/** True if @count elements of @size bytes are left; their product cannot overflow. */
static inline bool span_holds(const struct span *s, uint64_t count, size_t size)
{
	return count <= span_left(s) / size;
}

/** Marks the span as failed and skips the rest. */
static inline void span_fail(struct span *s)
{
	s->failed = true;
	s->pos = s->end;
}

/** Reads an integer at the cursor; returns 0 and fails if too few bytes are left. */
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

/** Returns the u64 @offset bytes after the cursor, which stays; 0 if fewer bytes are left. */
static inline uint64_t span_peek_u64(const struct span *s, size_t offset)
{
	uint64_t v;

	if (!span_holds(s, 1, sizeof(v)) || span_left(s) - sizeof(v) < offset)
		return 0;
	memcpy(&v, s->pos + offset, sizeof(v));
	return s->swap ? __builtin_bswap64(v) : v;
}

/**
 * Returns the next @len bytes as a span and skips them; if fewer are left, @s fails and the result
 * is empty and failed.
 */
static inline struct span span_take(struct span *s, uint64_t len)
{
	struct span part = *s;

	if (len > span_left(s)) {
		span_fail(s);
		part.end = part.pos;
		part.failed = true;
		return part;
	}
	part.end = len ? part.pos + len : part.pos; /* adding 0 to NULL is undefined, too */
	s->pos = part.end;
	return part;
}

/** Skips @len bytes; fails if fewer are left. */
static inline void span_skip(struct span *s, uint64_t len)
{
	(void)span_take(s, len);
}

/** Copies the next @len bytes to @to; if fewer are left, fails and sets them to zero. */
static inline void span_bytes(struct span *s, void *to, size_t len)
{
	struct span part = span_take(s, len);

	if (part.failed)
		memset(to, 0, len);
	else if (len)
		memcpy(to, part.pos, len);
}

/**
 * Returns the NUL-terminated string at the cursor, borrowed, and moves the cursor past its NUL;
 * NULL, and the span fails, if there is no NUL. Sets *@len to its length without the NUL, unless
 * @len is NULL.
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
