#include "perffile/order/reader.h"

#include "perffile/record/recordsize.h"

#include <string.h>

void reader_init(struct reader *reader, uint64_t offset, bool swap,
		 const struct record_sizes *sizes, struct block_pool *pool, reader_fill fill,
		 void *fill_arg)
{
	*reader = (struct reader){
		.pool = pool,
		.sizes = sizes,
		.next_offset = offset,
		.swap = swap,
		.fill = fill,
		.fill_arg = fill_arg,
	};
}

size_t reader_left(const struct reader *reader)
{
	return reader->block ? reader->block->len - reader->pos : 0;
}

void reader_drop(struct reader *reader)
{
	if (reader->block)
		reader->pos = reader->block->len;
}

/* Goes on in @block, whose reference it takes, after the bytes left: the next ones go to @from. */
static void change_block(struct reader *reader, struct block *block, size_t from)
{
	const size_t left = reader_left(reader);

	if (left)
		memcpy(block->bytes + from - left, reader->block->bytes + reader->pos, left);
	block->packed = reader->packed;
	block->file_offset = reader->next_offset - (reader->packed ? 0 : left);
	if (reader->origin)
		block->origin =
			(struct block_origin){ORIGIN_SOURCE, reader->origin, block->file_offset};
	block->len = from;
	block_put(reader->pool, reader->block);
	reader->block = block;
	reader->pos = from - left;
}

/* Starts a new block with the bytes left of the old one. */
static int next_block(struct reader *reader, struct error *err)
{
	/* Who has filled one goes on so, as a rule. */
	struct block *block = block_get(reader->pool, reader->block != NULL);

	if (!block)
		return error_nomem(err, "reading the recording");
	change_block(reader, block, reader->packed ? READER_HEAD_BYTES : reader_left(reader));
	return 0;
}

/* Takes the bytes that are lent: as refill(). */
static ssize_t borrow(struct reader *reader, struct error *err)
{
	struct block_piece piece;
	const int rc = reader->lend(reader->fill_arg, &piece, err);

	if (rc <= 0)
		return rc;
	if (piece.block != reader->block)
		change_block(reader, block_ref(piece.block), piece.from);
	return (ssize_t)(piece.to - piece.from);
}

/* Whether the next bytes need a new block: packed ones if it is full, so that it does not matter
 * who unpacks them; others if it has no room for @room bytes from the first byte left on. */
static bool needs_block(const struct reader *reader, size_t room)
{
	const struct block *block = reader->block;

	if (!block || reader->packed)
		return !block || block->len == BLOCK_BYTES;
	return BLOCK_BYTES - reader->pos < room;
}

/* Fills in more bytes after those left: as refill(). */
static ssize_t fill_in(struct reader *reader, size_t room, struct error *err)
{
	struct block *block;

	if (needs_block(reader, room) && next_block(reader, err) < 0)
		return -1;
	block = reader->block;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): next_block() has set it */
	return reader->fill(reader->fill_arg, block->bytes + block->len, BLOCK_BYTES - block->len,
			    err);
}

/*
 * Gets more bytes after those left. A live stream delivers few at a time, so they are added to the
 * block while it has room for @room bytes from the first byte left on. Returns how many, 0 if there
 * are none, -1 with @err filled.
 */
static ssize_t refill(struct reader *reader, size_t room, struct error *err)
{
	const ssize_t got = reader->lend ? borrow(reader, err) : fill_in(reader, room, err);

	if (got > 0) {
		reader->block->len += (size_t)got;
		reader->nr_filled += (uint64_t)got;
		reader->next_offset += reader->packed ? 0 : (uint64_t)got;
	}
	return got;
}

/* Skips the remaining bytes to be skipped, none of which was filled in. */
static void seek_on(struct reader *reader)
{
	const uint64_t skip = reader->skip;

	reader_seek(reader, reader->next_offset + skip);
	reader->nr_filled += skip;
}

/* Skips the bytes to be skipped, as far as they have been filled in or need not be. */
static void skip_bytes(struct reader *reader)
{
	size_t left = reader_left(reader);
	size_t step = reader->skip < left ? (size_t)reader->skip : left;

	reader->pos += step;
	reader->skip -= step;
	if (reader->skip && reader->seeks)
		seek_on(reader);
}

/* Whether there is no room for more bytes after those left. */
static bool is_full(const struct reader *reader)
{
	const size_t left = reader_left(reader);

	if (!reader->packed)
		return left == BLOCK_BYTES;
	return left > READER_HEAD_BYTES && reader->block->len == BLOCK_BYTES;
}

ssize_t reader_more(struct reader *reader, bool *full, struct error *err)
{
	*full = is_full(reader);
	return *full ? 0 : refill(reader, BLOCK_BYTES, err);
}

struct span reader_bytes(const struct reader *reader)
{
	return span_make(reader->block->bytes + reader->pos, reader_left(reader), reader->swap);
}

void reader_trust(struct reader *reader, size_t len)
{
	reader->trusted = reader_place(reader) + len;
}

void reader_seek(struct reader *reader, uint64_t offset)
{
	block_put(reader->pool, reader->block);
	reader->block = NULL;
	reader->pos = 0;
	reader->skip = 0;
	reader->seeks = false;
	reader->next_offset = offset;
}

void reader_step(struct reader *reader, size_t len)
{
	reader->pos += len;
}

uint64_t reader_offset(const struct reader *reader)
{
	return reader->next_offset - (reader->packed ? 0 : reader_left(reader));
}

static inline void read_header(const struct reader *reader, struct raw_record *raw)
{
	struct span s =
		span_make(reader->block->bytes + reader->pos, RECORD_HEADER_BYTES, reader->swap);

	raw->bytes = s.pos;
	raw->block = reader->block;
	raw->type = span_u32(&s);
	raw->misc = span_u16(&s);
	raw->size = span_u16(&s);
}

/* Whether @raw, which is odd and next, is to be accepted all the same. */
static bool is_trusted(const struct reader *reader, const struct raw_record *raw)
{
	return raw->size >= RECORD_HEADER_BYTES && reader_place(reader) < reader->trusted;
}

bool reader_trusts(const struct reader *reader, const struct raw_record *raw)
{
	return reader_place(reader) - raw->size < reader->trusted;
}

void reader_peek(const struct reader *reader, struct raw_record *raw)
{
	read_header(reader, raw);
}

void reader_force(struct reader *reader, struct raw_record *raw, uint16_t size)
{
	read_header(reader, raw);
	raw->size = size;
	reader->pos += size;
}

void reader_back(struct reader *reader, const struct raw_record *raw)
{
	reader->pos -= raw->size;
}

/* Whether the record with header @raw cannot be valid, judged by the bytes filled in. */
static inline bool is_odd(const struct reader *reader, const struct raw_record *raw, size_t left)
{
	if (!record_sizes_allow(reader->sizes, raw->type, raw->size))
		return true;
	return raw->size <= left &&
	       !record_sizes_fill(reader->sizes, raw->type, raw->size, raw->bytes, reader->swap);
}

enum reader_result reader_next(struct reader *reader, struct raw_record *raw, struct error *err)
{
	for (;;) {
		size_t left;
		ssize_t got;

		if (reader->skip)
			skip_bytes(reader);
		left = reader_left(reader);
		if (left >= RECORD_HEADER_BYTES) {
			read_header(reader, raw);
			if (is_odd(reader, raw, left) && !is_trusted(reader, raw))
				return READER_ODD;
			if (raw->size <= left) {
				reader->pos += raw->size;
				return READER_RECORD;
			}
		}
		got = refill(reader, 2 * RECORD_BYTES_MAX, err);
		if (got <= 0)
			return got < 0 ? READER_ERROR : READER_DRY;
	}
}

/* Sets *@size and *@time of the next sample. Returns false if what @s begins with is none. */
static inline bool peek_sample(const struct reader *reader, const struct span *s, uint16_t time_at,
			       uint16_t *size, uint64_t *time)
{
	struct span header = *s;
	uint32_t type;

	if (span_left(s) < RECORD_HEADER_BYTES)
		return false;
	type = span_u32(&header);
	(void)span_u16(&header);
	*size = span_u16(&header);
	if (type != RECORD_SAMPLE || *size > span_left(s) ||
	    !record_sizes_allow(reader->sizes, RECORD_SAMPLE, *size) ||
	    !record_sizes_fill(reader->sizes, RECORD_SAMPLE, *size, s->pos, s->swap))
		return false;
	*time = span_peek_u64(s, time_at);
	return true;
}

/* Whether a sample at @time goes on from @stretch. */
static inline bool goes_on(const struct sample_stretch *stretch, uint64_t time)
{
	return time >= stretch->time && time != UINT64_MAX;
}

static inline void take_samples(const struct reader *reader, struct span s, uint16_t time_at,
				struct sample_stretch *stretch)
{
	uint16_t size;
	uint64_t time;

	while (peek_sample(reader, &s, time_at, &size, &time) && goes_on(stretch, time)) {
		stretch->time = time;
		if (stretch->nr++ == 0)
			stretch->size = size;
		else if (size != stretch->size)
			stretch->size = 0;
		stretch->len += size;
		span_skip(&s, size);
	}
}

/* As take_samples() for samples of @size bytes, of which nothing else is to be checked. */
static inline void take_equal_samples(struct span s, uint16_t size, uint16_t time_at,
				      struct sample_stretch *stretch)
{
	const uint8_t *start = s.pos;

	while (span_left(&s) >= size) {
		struct span record = s;
		const uint64_t time = span_peek_u64(&s, time_at);

		if (span_u32(&record) != RECORD_SAMPLE)
			break;
		span_u16(&record);
		if (span_u16(&record) != size || !goes_on(stretch, time))
			break;
		stretch->time = time;
		s.pos += size;
	}
	stretch->len = (uint32_t)(s.pos - start);
	stretch->nr = stretch->len / size;
	stretch->size = stretch->nr ? size : 0;
}

/* As reader_stretch(); @swap is a constant, for speed. */
__attribute__((always_inline)) static inline void take_stretch(const struct reader *reader,
							       uint16_t time_at, bool swap,
							       struct sample_stretch *stretch)
{
	const uint16_t size = record_sizes_sample(reader->sizes);
	const struct span s =
		span_make(reader->block->bytes + reader->pos, reader_left(reader), swap);

	if (size)
		take_equal_samples(s, size, time_at, stretch);
	else
		take_samples(reader, s, time_at, stretch);
}

void reader_stretch(struct reader *reader, uint16_t time_at, struct sample_stretch *stretch)
{
	stretch->nr = stretch->len = stretch->size = 0;
	if (reader->skip)
		return;
	if (reader->swap)
		take_stretch(reader, time_at, true, stretch);
	else
		take_stretch(reader, time_at, false, stretch);
	reader->pos += stretch->len;
}

ssize_t reader_take(struct reader *reader, void *to, size_t len, struct error *err)
{
	size_t done = 0;

	while (done < len) {
		size_t left = reader_left(reader), step = len - done < left ? len - done : left;
		ssize_t got;

		if (step) {
			memcpy((char *)to + done, reader->block->bytes + reader->pos, step);
			reader->pos += step;
			done += step;
			continue;
		}
		got = refill(reader, 2 * RECORD_BYTES_MAX, err);
		if (got < 0)
			return -1;
		if (got == 0)
			break;
	}
	return (ssize_t)done;
}

void reader_free(struct reader *reader)
{
	if (reader->pool)
		block_put(reader->pool, reader->block);
	reader->block = NULL;
}
