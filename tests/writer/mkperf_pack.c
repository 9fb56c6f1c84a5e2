/* Records compressed as perf record -z does it; tools/perf/util/zstd.c. */
#include "tests/writer/mkperf_buffer.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
	FLUSH_DEFAULT = 8192,
	PACKED_MAX = 60000, /* bytes of zstd in a record */
	USER_FIRST = 64,
};

struct packer {
	struct mkperf_buffer *out;
	const struct mkperf_packing *packing;
	bool swap, failed;
	ZSTD_CCtx *zstd;
	uint64_t random;
};

/* From 1 to @max. */
static size_t draw(struct packer *p, size_t max)
{
	p->random ^= p->random << 13;
	p->random ^= p->random >> 7;
	p->random ^= p->random << 17;
	return 1 + (size_t)(p->random % max);
}

static void add(struct packer *p, const void *bytes, size_t len)
{
	if (!mkperf_buffer_add(p->out, bytes, len))
		p->failed = true;
}

static void add_header(struct packer *p, size_t size)
{
	uint32_t type = p->packing->type;
	uint16_t misc = 0, size16 = (uint16_t)size;

	type = p->swap ? __builtin_bswap32(type) : type;
	size16 = p->swap ? __builtin_bswap16(size16) : size16;
	add(p, &type, sizeof(type));
	add(p, &misc, sizeof(misc));
	add(p, &size16, sizeof(size16));
}

/* A record around these bytes of the zstd stream. */
static void add_packed(struct packer *p, const uint8_t *bytes, size_t len)
{
	bool second = p->packing->type == MKPERF_RECORD_COMPRESSED2;
	size_t head = second ? 16 : 8;
	size_t padding = second && !p->packing->bad_size ? (8 - len % 8) % 8 : 0;
	uint64_t data_size = p->packing->bad_size ? 0 : len;

	add_header(p, head + len + padding);
	data_size = p->swap ? __builtin_bswap64(data_size) : data_size;
	if (second)
		add(p, &data_size, sizeof(data_size));
	add(p, bytes, len);
	add(p, NULL, padding);
}

/* Compresses and flushes; what comes out may be cut again. */
static void flush(struct packer *p, const uint8_t *bytes, size_t len)
{
	ZSTD_inBuffer in = {.src = bytes, .size = len};
	uint8_t packed[PACKED_MAX];
	size_t left;

	do {
		ZSTD_outBuffer out = {.dst = packed, .size = sizeof(packed)};

		left = ZSTD_compressStream2(p->zstd, &out, &in, ZSTD_e_flush);
		p->failed = p->failed || ZSTD_isError(left);
		for (size_t done = 0, step; done < out.pos && !p->failed; done += step) {
			step = out.pos - done;
			if (p->packing->cut)
				step = draw(p, step);
			add_packed(p, packed + done, step);
		}
	} while (left > 0 && !p->failed);
}

/* A run of the kernel's records, cut wherever it comes. */
static void pack_segment(struct packer *p, const uint8_t *bytes, size_t len)
{
	size_t step = p->packing->flush ? p->packing->flush : FLUSH_DEFAULT;

	while (len > 0 && !p->failed) {
		size_t part = p->packing->cut ? draw(p, step) : step;

		part = part < len ? part : len;
		flush(p, bytes, part);
		bytes += part;
		len -= part;
	}
}

/* What trails the record whose body has @len bytes. */
static uint64_t trailing_bytes(const struct packer *p, uint32_t type, const uint8_t *body,
			       size_t len)
{
	uint64_t trail = 0;
	uint32_t trail32 = 0;

	if (len < sizeof(trail))
		return 0;
	if (type == MKPERF_RECORD_AUXTRACE)
		memcpy(&trail, body, sizeof(trail));
	else if (type == MKPERF_RECORD_TRACING_DATA)
		memcpy(&trail32, body, sizeof(trail32));
	if (trail32)
		return p->swap ? __builtin_bswap32(trail32) : trail32;
	return p->swap ? __builtin_bswap64(trail) : trail;
}

/* The type of the record at @bytes; its size, with what trails it, to @size. */
static uint32_t look_at(const struct packer *p, const uint8_t *bytes, size_t left, size_t *size)
{
	uint32_t type;
	uint16_t size16;
	uint64_t trail;

	*size = left;
	if (left < 8)
		return UINT32_MAX; /* no record: it and all behind it stay as they are */
	memcpy(&type, bytes, sizeof(type));
	memcpy(&size16, bytes + 6, sizeof(size16));
	type = p->swap ? __builtin_bswap32(type) : type;
	*size = p->swap ? __builtin_bswap16(size16) : size16;
	if (*size < 8 || *size > left) {
		*size = left;
		return UINT32_MAX;
	}
	trail = trailing_bytes(p, type, bytes + 8, *size - 8);
	*size += trail < left - *size ? (size_t)trail : left - *size;
	return type;
}

/* Walks the records: runs of the kernel's are packed, perf's own stay as they are. */
static bool pack_all(struct packer *p, const struct mkperf_buffer *plain)
{
	struct mkperf_buffer segment = {0};
	size_t size, last = 0;

	for (size_t at = 0; at < plain->len && !p->failed; at += size) {
		const uint8_t *bytes = plain->bytes + at;
		size_t held = 0;

		if (look_at(p, bytes, plain->len - at, &size) < USER_FIRST) {
			p->failed = !mkperf_buffer_add(&segment, bytes, size);
			last = size;
			continue;
		}
		if (p->packing->straddle && segment.len >= last && last > 1)
			held = draw(p, last - 1);
		pack_segment(p, segment.bytes, segment.len - held);
		add(p, bytes, size);
		if (held)
			memmove(segment.bytes, segment.bytes + segment.len - held, held);
		segment.len = held;
	}
	pack_segment(p, segment.bytes, segment.len);
	free(segment.bytes);
	return !p->failed;
}

bool mkperf_pack(struct mkperf_buffer *out, const struct mkperf_buffer *plain,
		 const struct mkperf_packing *packing, bool swap)
{
	struct packer packer = {.out = out,
				.packing = packing,
				.swap = swap,
				.zstd = ZSTD_createCCtx(),
				.random = packing->cut * 2654435761 + 88172645463325252};
	bool ok = packer.zstd && pack_all(&packer, plain);

	ZSTD_freeCCtx(packer.zstd);
	return ok;
}
