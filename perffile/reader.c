#include "perffile/reader.h"

#include <string.h>

void reader_init(struct reader *reader, const struct source *source, const struct section *data,
		 bool swap, struct block_pool *pool)
{
	uint64_t left = source->size - data->offset; /* header_read() checked the offset */

	*reader = (struct reader){
		.source = source,
		.pool = pool,
		.read_offset = data->offset,
		.end_offset = source->size,
		.swap = swap,
	};
	if (data->size != 0 && data->size < left)
		reader->end_offset = data->offset + data->size;
}

/* Bytes of the current block that are not yet cut into records. */
static size_t bytes_left(const struct reader *reader)
{
	return reader->block ? reader->block->len - reader->pos : 0;
}

/* Starts a new block with what is left of the old one, then reads as much as fits. */
static int refill(struct reader *reader, struct error *err)
{
	struct block *block = block_get(reader->pool);
	size_t left = bytes_left(reader);
	uint64_t unread = reader->end_offset - reader->read_offset;
	ssize_t got;

	if (!block)
		return error_nomem(err, "reading the recording");
	if (left)
		memcpy(block->bytes, reader->block->bytes + reader->pos, left);
	block->file_offset = reader->read_offset - left;
	block->len = left;
	block_put(reader->pool, reader->block);
	reader->block = block;
	reader->pos = 0;
	if (unread > BLOCK_BYTES - left)
		unread = BLOCK_BYTES - left;
	got = source_read(reader->source, reader->read_offset, block->bytes + left, (size_t)unread,
			  err);
	if (got < 0)
		return -1;
	if ((uint64_t)got < unread) /* the file became shorter while it was read */
		reader->end_offset = reader->read_offset + (uint64_t)got;
	reader->read_offset += (uint64_t)got;
	block->len += (size_t)got;
	return 0;
}

/* The data ends here: no whole record is left. */
static int finish(struct reader *reader)
{
	uint64_t rest = reader->end_offset - reader->read_offset + bytes_left(reader);

	if (rest) {
		reader->cut_offset = reader->end_offset - rest;
		reader->cut_bytes = rest;
		reader->read_offset = reader->end_offset;
		reader->pos = reader->block->len;
	}
	return 0;
}

int reader_next(struct reader *reader, struct raw_record *raw, struct error *err)
{
	for (;;) {
		size_t left = bytes_left(reader);
		struct span s;

		if (left >= RECORD_HEADER_BYTES) {
			raw->bytes = reader->block->bytes + reader->pos;
			s = span_make(raw->bytes, RECORD_HEADER_BYTES, reader->swap);
			raw->type = span_u32(&s);
			raw->misc = span_u16(&s);
			raw->size = span_u16(&s);
			if (raw->size < RECORD_HEADER_BYTES)
				return finish(reader);
			if (raw->size <= left) {
				raw->block = reader->block;
				raw->nr = reader->nr++;
				reader->pos += raw->size;
				return 1;
			}
		}
		if (reader->read_offset == reader->end_offset)
			return finish(reader);
		if (refill(reader, err) < 0)
			return -1;
	}
}

void reader_free(struct reader *reader)
{
	if (reader->pool)
		block_put(reader->pool, reader->block);
	reader->block = NULL;
}
