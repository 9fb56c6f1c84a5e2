#include "perffile/stream.h"

#include "perffile/counts.h"
#include "perffile/order/compressed.h"
#include "perffile/record.h"
#include "perffile/record/decode.h"
#include "perffile/unpackahead.h"
#include "util/codec/codec.h"

static ssize_t fill_from_source(void *arg, uint8_t *to, size_t room, struct error *err)
{
	struct stream *stream = arg;
	uint64_t offset = stream->outer.reader.next_offset;

	if (room > stream->end_offset - offset)
		room = (size_t)(stream->end_offset - offset);
	return room ? source_read_on(stream->source, offset, to, room, err) : 0;
}

/* Counts @bytes more that were unpacked. Returns 0, or -1 with @err filled if they are too many. */
static int note_unpacked(struct stream *stream, size_t bytes, struct error *err)
{
	stream->nr_out += bytes;
	return codec_check_ratio(stream->source->name, stream->nr_in, stream->nr_out, err);
}

static ssize_t fill_from_packed(void *arg, uint8_t *to, size_t room, struct error *err)
{
	struct stream *stream = arg;
	size_t left = room;

	while (left > 0 && !stream->desynced) {
		size_t before = stream->nr_packed + left;
		enum codec_result result = codec_zstd.unpack(stream->zstd, &stream->packed,
							     &stream->nr_packed, &to, &left);

		if (result == CODEC_NOMEM)
			return error_nomem(err, "unpacking compressed records");
		if (result == CODEC_DAMAGED)
			stream->desynced = true;
		else if (before == stream->nr_packed + left)
			break; /* all is unpacked */
	}
	return note_unpacked(stream, room - left, err) < 0 ? -1 : (ssize_t)(room - left);
}

static int lend_unpacked(void *arg, struct block_piece *piece, struct error *err)
{
	struct stream *stream = arg;
	int rc = unpackahead_lend(stream->ahead, piece, &stream->nr_packed, &stream->desynced, err);

	if (rc <= 0)
		return rc;
	return note_unpacked(stream, piece->to - piece->from, err) < 0 ? -1 : 1;
}

void stream_init(struct stream *stream, struct source *source, uint64_t offset, uint64_t end_offset,
		 const struct plausibility *plausible, struct block_pool *pool,
		 struct perffile_counts *counts)
{
	struct reader *outer = &stream->outer.reader, *inner = &stream->inner.reader;

	*stream = (struct stream){.source = source, .end_offset = end_offset};
	reader_init(outer, offset, plausible->swap, plausible->sizes, pool, fill_from_source,
		    stream);
	reader_init(inner, offset, plausible->swap, plausible->sizes, pool, fill_from_packed,
		    stream);
	inner->packed = true;
	if (!source->stream)
		outer->origin = source;
	resync_init(&stream->outer, plausible, counts);
	resync_init(&stream->inner, plausible, counts);
	stream->outer.ends = true;
}

/* Counts the current compressed record as damaged, with @bytes of it not unpacked. */
static void note_loss(struct stream *stream, size_t bytes)
{
	const struct damage damage = {.bytes = bytes, .offset = stream->packed_offset};

	counts_damage(stream->outer.counts, DAMAGE_PACKED, &damage);
}

/* Starts a new zstd frame, for which earlier losses do not matter. */
static void start_anew(struct stream *stream)
{
	codec_zstd.destroy(stream->zstd);
	stream->zstd = NULL;
	stream->desynced = false;
	resync_drop(&stream->inner);
}

/* Ends the thread that unpacks ahead, if there is one. */
static void end_ahead(struct stream *stream)
{
	if (!stream->ahead)
		return;
	if (!unpackahead_end(stream->ahead))
		stream->desynced = true;
	stream->ahead = NULL;
	stream->inner.reader.lend = NULL;
}

/* Starts it with the record at packed_offset, if it is wanted. */
static void start_ahead(struct stream *stream)
{
	const struct reader *outer = &stream->outer.reader, *inner = &stream->inner.reader;
	const struct unpackahead_start start = {
		.source = stream->source,
		.offset = stream->packed_offset,
		.end_offset = stream->end_offset,
		.sizes = outer->sizes,
		.swap = outer->swap,
		.zstd = stream->zstd,
		.block = inner->block,
		.pool = inner->pool,
	};

	if (!stream->unpacks_ahead)
		return;
	stream->unpacks_ahead = false;
	stream->ahead = unpackahead_start(&start);
	stream->inner.reader.lend = stream->ahead ? lend_unpacked : NULL;
}

bool stream_unpack_ahead(struct stream *stream)
{
	stream->unpacks_ahead = stream->zstd && !stream->source->stream;
	return stream->unpacks_ahead;
}

/* Opens the compressed record @raw: the records in it come next. */
static int open_packed(struct stream *stream, const struct raw_record *raw, struct error *err)
{
	struct span bytes = compressed_bytes(raw, stream->outer.reader.swap);

	stream->packed_offset = raw_file_offset(raw);
	stream->outer.compressed_type = raw->type;
	if (stream->desynced)
		end_ahead(stream);
	if (stream->zstd && stream->desynced && compressed_starts_frame(bytes))
		start_anew(stream);
	if (!stream->zstd)
		stream->zstd = codec_zstd.create();
	if (!stream->zstd)
		return error_nomem(err, "unpacking compressed records");
	if (!stream->desynced)
		start_ahead(stream);
	if (stream->ahead && !unpackahead_open(stream->ahead, stream->packed_offset))
		end_ahead(stream);
	if (stream->desynced) {
		note_loss(stream, span_left(&bytes));
		return 0;
	}
	stream->packed = bytes.pos;
	stream->nr_packed = span_left(&bytes);
	stream->nr_in += stream->nr_packed;
	stream->inner_open = true;
	stream->inner.reader.next_offset = stream->packed_offset;
	return 0;
}

/* Reads a record from the compressed one. Returns 1, 0 if none is left, -1 with @err filled. */
static int next_inner(struct stream *stream, struct raw_record *raw, struct error *err)
{
	enum reader_result result = resync_next(&stream->inner, raw, err);

	if (result == READER_RECORD || result == READER_ERROR)
		return result;
	stream->inner_open = false;
	if (stream->desynced) {
		note_loss(stream, stream->nr_packed);
		resync_drop(&stream->inner);
	}
	return 0;
}

/* Returns the offset of the data's end in a file; UINT64_MAX for a stream. */
static uint64_t data_end(const struct stream *stream)
{
	const uint64_t size = stream->source->stream ? UINT64_MAX : stream->source->size;

	return stream->end_offset < size ? stream->end_offset : size;
}

/* Whether records, or the end of the data, are at @offset of a file. */
static bool goes_on_at(struct stream *stream, uint64_t offset)
{
	enum { LOOK_BYTES = 4096 };
	const uint64_t end = data_end(stream);
	uint8_t bytes[LOOK_BYTES];
	uint64_t len = end - offset < LOOK_BYTES ? end - offset : LOOK_BYTES;
	ssize_t got;

	if (len == 0)
		return true;
	got = source_read(stream->source, offset, bytes, (size_t)len, NULL);
	return got <= 0 || plausible_next(stream->outer.plausible,
					  span_make(bytes, (size_t)got, stream->outer.reader.swap),
					  offset + len < end ? END_OPEN : END_LOOSE) != CHAIN_NONE;
}

/* Whether the next @payload bytes look like data that follows a record, not like records. */
static bool is_payload(struct stream *stream, uint64_t payload)
{
	const struct reader *reader = &stream->outer.reader;
	const uint64_t offset = reader_offset(reader);
	enum record_chain records;
	struct span s;

	if (reader_left(reader) == 0)
		return true;
	s = reader_bytes(reader);
	records = plausible_chain(stream->outer.plausible, s, END_OPEN);
	if (records == CHAIN_NONE)
		return true;
	if (payload < span_left(&s)) {
		span_skip(&s, payload);
		return plausible_next(stream->outer.plausible, s, END_OPEN) != CHAIN_NONE;
	}
	/* In a pipe the bytes after it have not arrived yet. */
	if (stream->source->stream)
		return records != CHAIN_HOLDS;
	return payload <= data_end(stream) - offset && goes_on_at(stream, offset + payload);
}

/* Whether the end of a file is missing: it should have more data, or nobody has closed it. */
static bool is_cut(const struct stream *stream)
{
	return stream->end_offset > data_end(stream);
}

/*
 * Skips the data that follows @raw. There is none if records follow @raw directly and no records
 * follow the announced length. If that length goes beyond the end, the rest is the data's begin in
 * a file that is cut off; else it is searched for records.
 */
static void pass_payload(struct stream *stream, const struct raw_record *raw)
{
	struct resync *outer = &stream->outer;
	const uint64_t payload = raw_payload_bytes(raw, outer->reader.swap);
	const uint64_t offset = reader_offset(&outer->reader), end = data_end(stream);

	stream->unmet_payload = stream->nr_payload = 0;
	if (payload == 0 || stream->no_payloads)
		return;
	if (!is_payload(stream, payload)) {
		const struct damage damage = {.offset = offset - raw->size};

		counts_damage(outer->counts, DAMAGE_PAYLOAD, &damage);
		return;
	}
	outer->reader.skip = payload;
	if (end == UINT64_MAX)
		return;
	stream->payload_offset = offset;
	stream->nr_payload = payload < end - offset ? payload : end - offset;
	outer->payload_offset = offset;
	outer->payload_end = reader_place(&outer->reader) + payload;
	/* A trace is never read; of one that is cut off it shows how much is missing. */
	outer->reader.seeks = raw->type == RECORD_AUXTRACE && payload <= end - offset;
	if (payload > end - offset && raw->type != RECORD_HEADER_TRACING_DATA && !is_cut(stream)) {
		stream->unmet_payload = payload;
		outer->reader.skip = 0;
		resync_search(outer, DAMAGE_PAYLOAD);
	}
}

/* Ends the stream: data that was announced or begun but is missing counts as cut off. */
static int finish(struct stream *stream)
{
	struct stream_losses *losses = &stream->losses;
	const uint64_t skip = stream->outer.reader.skip;

	stream->ended = true;
	losses->cut_bytes = resync_rest(&stream->outer, &losses->cut_offset);
	if (stream->unmet_payload && stream->outer.searching) {
		losses->cut_offset += losses->cut_bytes;
		losses->cut_bytes = stream->unmet_payload - losses->cut_bytes;
	}
	if (losses->cut_bytes == 0)
		losses->cut_bytes = resync_rest(&stream->inner, &losses->cut_offset);
	if (losses->cut_bytes == 0 && skip > 0) {
		losses->cut_bytes = skip;
		losses->cut_offset = reader_offset(&stream->outer.reader);
	}
	return 0;
}

/* Returns to the incomplete record at the end of the compressed ones; false if there is none. */
static bool reopen_inner(struct stream *stream)
{
	if (stream->inner.ends || reader_left(&stream->inner.reader) == 0)
		return false;
	stream->inner.ends = true;
	stream->inner_open = true;
	return true;
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
		result = resync_next(&stream->outer, raw, err);
		if (result == READER_ERROR)
			return -1;
		if (result == READER_DRY && reopen_inner(stream))
			continue;
		if (result != READER_RECORD)
			return finish(stream);
		if (raw->type < RECORD_USER_FIRST)
			return 1;
		if (stream->outer.hole && stream->zstd)
			stream->desynced = true;
		stream->outer.hole = false;
		if (!compressed_is(raw)) {
			pass_payload(stream, raw);
			return 1;
		}
		if (open_packed(stream, raw, err) < 0)
			return -1;
	}
	return 0;
}

ssize_t stream_payload(struct stream *stream, void *to, size_t len, struct error *err)
{
	ssize_t got;

	if (len > stream->outer.reader.skip)
		len = (size_t)stream->outer.reader.skip;
	got = reader_take(&stream->outer.reader, to, len, err);
	if (got > 0)
		stream->outer.reader.skip -= (uint64_t)got;
	return got;
}

void stream_ignore_payloads(struct stream *stream)
{
	stream->no_payloads = true;
	stream->outer.reader.skip = 0;
}

uint64_t stream_missing(const struct stream *stream)
{
	const uint64_t size = stream->source->size, read = stream->outer.reader.next_offset;
	const uint64_t end = stream->end_offset == UINT64_MAX ? size : stream->end_offset;
	const uint64_t reached = read < size ? read : size;

	return !stream->source->stream && end > reached ? end - reached : 0;
}

void stream_free(struct stream *stream)
{
	end_ahead(stream);
	reader_free(&stream->outer.reader);
	reader_free(&stream->inner.reader);
	if (stream->zstd)
		codec_zstd.destroy(stream->zstd);
	stream->zstd = NULL;
}
