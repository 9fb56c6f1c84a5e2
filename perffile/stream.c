#include "perffile/stream.h"

#include "perffile/codec.h"
#include "perffile/record.h"

static ssize_t fill_from_source(void *arg, uint8_t *to, size_t room, struct error *err)
{
	struct stream *stream = arg;
	uint64_t offset = stream->outer.next_offset;

	if (room > stream->end_offset - offset)
		room = (size_t)(stream->end_offset - offset);
	return room ? source_read(stream->source, offset, to, room, err) : 0;
}

static ssize_t fill_from_packed(void *arg, uint8_t *to, size_t room, struct error *err)
{
	struct stream *stream = arg;
	size_t left = room;

	while (left > 0 && !stream->desynced) {
		size_t before = stream->nr_packed + left;
		enum codec_result result = codec_zstd.run(stream->zstd, &stream->packed,
							  &stream->nr_packed, &to, &left);

		if (result == CODEC_DAMAGED)
			stream->desynced = true;
		else if (before == stream->nr_packed + left)
			break; /* all is unpacked */
	}
	stream->nr_out += room - left;
	if (codec_check_ratio(stream->source->name, stream->nr_in, stream->nr_out, err) < 0)
		return -1;
	return (ssize_t)(room - left);
}

void stream_init(struct stream *stream, struct source *source, uint64_t offset, uint64_t end_offset,
		 bool swap, struct block_pool *pool)
{
	*stream = (struct stream){.source = source, .end_offset = end_offset};
	reader_init(&stream->outer, offset, swap, pool, fill_from_source, stream);
	reader_init(&stream->inner, offset, swap, pool, fill_from_packed, stream);
	stream->inner.packed = true;
	if (!source->stream)
		stream->outer.origin = source;
}

static void note_damage(struct stream *stream, uint64_t offset)
{
	if (stream->losses.damaged++ == 0)
		stream->losses.damaged_offset = offset;
}

/*
 * The zstd bytes of a compressed record. COMPRESSED2 says how many of the body's bytes they are,
 * the rest being padding to whole words. Some writers say more, and perf record --aio before 7.2
 * said nothing and did not pad: what is no such size is not believed.
 */
static struct span packed_bytes(const struct raw_record *raw, bool swap)
{
	struct span body = raw_body(raw, swap);
	uint64_t size, left;

	if (raw->type != RECORD_COMPRESSED2)
		return body;
	size = span_u64(&body);
	left = span_left(&body);
	if (raw->size % 8 != 0 || size > left || left - size >= 8)
		size = left;
	return span_take(&body, size);
}

/* Opens the compressed record @raw: the records in it are next. */
static int open_packed(struct stream *stream, const struct raw_record *raw, struct error *err)
{
	struct span bytes = packed_bytes(raw, stream->outer.swap);

	stream->packed_offset = raw_file_offset(raw);
	if (!stream->zstd)
		stream->zstd = codec_zstd.create();
	if (!stream->zstd)
		return error_nomem(err, "unpacking compressed records");
	if (stream->desynced) {
		note_damage(stream, stream->packed_offset);
		return 0;
	}
	stream->packed = bytes.pos;
	stream->nr_packed = span_left(&bytes);
	stream->nr_in += stream->nr_packed;
	stream->inner_open = true;
	stream->inner.next_offset = stream->packed_offset;
	return 0;
}

/* A record from inside the compressed one: 1, 0 if it is used up, -1 with @err filled. */
static int next_inner(struct stream *stream, struct raw_record *raw, struct error *err)
{
	enum reader_result result = reader_next(&stream->inner, raw, err);

	if (result == READER_RECORD || result == READER_ERROR)
		return result;
	stream->inner_open = false;
	if (result == READER_BROKEN)
		stream->desynced = true;
	if (stream->desynced) {
		note_damage(stream, stream->packed_offset);
		reader_drop(&stream->inner);
	}
	return 0;
}

/* How many bytes that are no records trail @raw. */
static uint64_t trailing_bytes(const struct raw_record *raw, bool swap)
{
	enum { AUXTRACE_BYTES = 48 };
	struct span body = raw_body(raw, swap);

	if (raw->type == RECORD_AUXTRACE && raw->size == AUXTRACE_BYTES)
		return span_u64(&body);
	if (raw->type == RECORD_HEADER_TRACING_DATA)
		return span_u32(&body);
	return 0;
}

/* Nothing more comes: what was announced or begun and is not there is cut off. */
static int finish(struct stream *stream)
{
	struct stream_losses *losses = &stream->losses;
	uint64_t end = stream->end_offset;

	stream->ended = true;
	losses->cut_bytes = reader_left(&stream->outer);
	losses->cut_offset = stream->outer.next_offset - losses->cut_bytes;
	if (losses->cut_bytes == 0 && reader_left(&stream->inner) > 0) {
		losses->cut_bytes = reader_left(&stream->inner);
		losses->cut_offset = stream->packed_offset;
	}
	/* The rest of a file behind a record that makes no sense. */
	if (end == UINT64_MAX && !stream->source->stream)
		end = stream->source->size;
	if (end != UINT64_MAX && end > stream->source->size)
		end = stream->source->size;
	if (end != UINT64_MAX && end > stream->outer.next_offset)
		losses->cut_bytes += end - stream->outer.next_offset;
	if (stream->outer.skip > 0 && losses->cut_bytes == 0) {
		losses->cut_bytes = stream->outer.skip;
		losses->cut_offset = stream->outer.next_offset;
	}
	return 0;
}

int stream_next(struct stream *stream, struct raw_record *raw, struct error *err)
{
	while (!stream->ended) {
		enum reader_result result;

		if (stream->inner_open) {
			int rc = next_inner(stream, raw, err);

			if (rc != 0)
				return rc;
		}
		result = reader_next(&stream->outer, raw, err);
		if (result == READER_ERROR)
			return -1;
		if (result != READER_RECORD)
			return finish(stream);
		if (raw->type < RECORD_USER_FIRST)
			return 1;
		stream->outer.skip = trailing_bytes(raw, stream->outer.swap);
		if (raw->type != RECORD_COMPRESSED && raw->type != RECORD_COMPRESSED2)
			return 1;
		if (open_packed(stream, raw, err) < 0)
			return -1;
	}
	return 0;
}

ssize_t stream_payload(struct stream *stream, void *to, size_t len, struct error *err)
{
	ssize_t got;

	if (len > stream->outer.skip)
		len = (size_t)stream->outer.skip;
	got = reader_take(&stream->outer, to, len, err);
	if (got > 0)
		stream->outer.skip -= (uint64_t)got;
	return got;
}

void stream_free(struct stream *stream)
{
	reader_free(&stream->outer);
	reader_free(&stream->inner);
	if (stream->zstd)
		codec_zstd.destroy(stream->zstd);
	stream->zstd = NULL;
}
