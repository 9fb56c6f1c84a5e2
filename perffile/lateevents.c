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

/*
 * Passes the records in @s, up to the first that describes an event. Returns the bytes up to there
 * and, in *@skip, those of data behind the last one that was passed; *@found: whether there is one.
 */
static size_t pass_records(struct span s, uint64_t *skip, bool *found)
{
	const uint8_t *start = s.pos;

	*skip = 0;
	while (*skip == 0 && span_left(&s) >= RECORD_HEADER_BYTES) {
		struct raw_stretch stretch = {.bytes = s.pos};
		const struct raw_record raw = raw_take(&stretch, s.swap);

		*found = raw.type == RECORD_HEADER_ATTR;
		if (*found || raw.size < RECORD_HEADER_BYTES || raw.size > span_left(&s))
			break;
		*skip = raw_payload_bytes(&raw, s.swap);
		span_skip(&s, raw.size);
	}
	return (size_t)(s.pos - start);
}

/*
 * Moves *@offset, that of a record, to the first one that describes an event. Returns 1, 0 if there
 * is none that the sizes of the records lead to, -1 with @err filled.
 */
static int find_description(struct perffile *file, uint64_t *offset, struct error *err)
{
	uint8_t *chunk = malloc(CHUNK_BYTES);
	bool found = false;
	ssize_t got = 1;

	if (!chunk)
		return error_nomem(err, "looking for the events");
	while (!found && got > 0) {
		uint64_t skip = 0;
		size_t passed = 0;

		got = source_read_on(&file->parts[0].source, *offset, chunk, CHUNK_BYTES, err);
		if (got > 0)
			passed = pass_records(span_make(chunk, (size_t)got, file->header.swap),
					      &skip, &found);
		if (passed == 0 || skip > UINT64_MAX - passed - *offset)
			break;
		*offset += passed + skip;
	}
	free(chunk);
	return got < 0 ? -1 : found;
}

/* Counts @raw, which describes something, but not as it must, as damaged. */
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
	uint64_t offset = HEADER_BYTES_PIPE;
	int rc;

	if (!begins_with_others(file))
		return 0;
	if (source_spool(&file->parts[0].source, err) < 0)
		return -1;
	rc = find_description(file, &offset, err);
	if (rc <= 0)
		return rc;
	file->told = true;
	return apply_from(file, offset, err);
}
