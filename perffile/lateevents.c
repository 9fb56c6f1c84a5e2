#include "perffile/lateevents.h"

#include "perffile/meta.h"

#include <stdlib.h>

/* Room for the largest record. */
enum { CHUNK_BYTES = 256 * 1024 };

/* Whether the first record says nothing of the recording itself. */
static bool begins_with_others(const struct perffile *file)
{
	const struct source *source = &file->parts[0].source;
	struct span s = span_make(source->head, source->head_len, file->header.swap);
	struct raw_record first = {0};

	span_skip(&s, HEADER_BYTES_PIPE);
	first.type = span_u32(&s);
	return !s.failed && !meta_has_effect(&first) && !meta_is_old_pipe(&first);
}

/* A search for the first record that describes an event; offsets are those of the file. */
struct description_search {
	uint64_t offset; /* of what was not passed yet */
	uint64_t row;	 /* of the first of those before it in a row that tell of the recording */
	bool is_there;	 /* it is at @offset */
};

/* Passes the records in @s, which begins at search->offset, up to one that is followed by data. */
static void pass_records(struct description_search *search, struct span s, uint64_t size)
{
	uint64_t payload = 0;

	while (payload == 0 && span_left(&s) >= RECORD_HEADER_BYTES) {
		struct raw_stretch stretch = {.bytes = s.pos};
		const struct raw_record raw = raw_take(&stretch, s.swap);

		search->is_there = raw.type == RECORD_HEADER_ATTR;
		if (search->is_there || raw.size < RECORD_HEADER_BYTES || raw.size > span_left(&s))
			return;
		payload = raw_payload_bytes(&raw, s.swap);
		span_skip(&s, raw.size);
		search->offset += raw.size;
		/* Data that goes beyond the end is none. */
		if (payload <= size - search->offset)
			search->offset += payload;
		if (!meta_has_effect(&raw))
			search->row = search->offset;
	}
}

/* Returns 1 if there is one that the sizes of the records lead to, else 0; -1 with @err filled. */
static int find_description(struct perffile *file, struct description_search *search,
			    struct error *err)
{
	struct source *source = &file->parts[0].source;
	uint8_t *chunk = malloc(CHUNK_BYTES);
	uint64_t before;
	ssize_t got;

	if (!chunk)
		return error_nomem(err, "looking for the events");
	do {
		before = search->offset;
		got = source_read_on(source, before, chunk, CHUNK_BYTES, err);
		if (got > 0)
			pass_records(search, span_make(chunk, (size_t)got, file->header.swap),
				     source->size);
	} while (!search->is_there && search->offset > before);
	free(chunk);
	return got < 0 ? -1 : search->is_there;
}

/* Counts @raw, a damaged record that tells of the recording. */
static void note_damage(struct perffile *file, const struct raw_record *raw)
{
	const struct damage damage = {.bytes = raw->size, .offset = raw_file_offset(raw)};
	const struct span body = raw_body(raw, file->header.swap);

	counts_damage(&file->framed, record_sizes_damage(&file->sizes, raw->type, body), &damage);
}

/* Applies what the records from @offset on say of the recording. Returns as lateevents_read(). */
static int apply_from(struct perffile *file, uint64_t offset, struct error *err)
{
	struct perffile_counts again = {0}; /* the damage between them is met again */
	struct stream stream;
	struct raw_record raw;
	int rc;

	stream_init(&stream, &file->parts[0].source, offset, UINT64_MAX, &file->plausible,
		    &file->pool, &again);
	while ((rc = stream_next(&stream, &raw, err)) > 0) {
		if (!meta_has_effect(&raw))
			continue;
		rc = meta_apply(&file->events, &file->features, &stream, &raw, file->header.swap,
				err);
		if (rc < 0)
			break;
		if (rc == 0)
			note_damage(file, &raw);
		record_sizes_learn(&file->sizes, &file->events);
	}
	stream_free(&stream);
	return rc;
}

int lateevents_read(struct perffile *file, struct error *err)
{
	struct description_search search = {HEADER_BYTES_PIPE, HEADER_BYTES_PIPE, false};
	int rc;

	if (!begins_with_others(file))
		return 0;
	if (source_spool(&file->parts[0].source, err) < 0)
		return -1;
	rc = find_description(file, &search, err);
	if (rc <= 0)
		return rc;
	file->told = true;
	return apply_from(file, search.row, err);
}
