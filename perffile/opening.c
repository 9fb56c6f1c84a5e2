#include "perffile/opening.h"

#include "perffile/lateevents.h"
#include "perffile/recover/repair.h"

#include <stdlib.h>

/*
 * Reads the events from the attrs section or, if that or its ids cannot be read, from the feature
 * EVENT_DESC.
 */
static int read_events(struct perffile *file, struct error *err)
{
	struct source *source = &file->parts[0].source;
	struct event_set described = {0};
	struct error why = {0};
	int rc = events_read(&file->events, &file->header, source, &why), nr;

	if (rc == 0 && file->events.lost_ids == 0)
		return 0;
	if (err && rc < 0)
		*err = why;
	if (why.kind == ERROR_NOMEM)
		return -1;
	nr = repair_events(&described, &file->header, source, rc < 0 ? NULL : err);
	if (nr > 0) {
		events_free(&file->events);
		file->events = described;
		file->header.bent++;
		return 0;
	}
	events_free(&described);
	return nr < 0 ? -1 : rc;
}

/*
 * Reads the table of feature sections of a file, which follows the data, after checking the
 * header's sections and repairing them if they are wrong. A stream is copied to a file first,
 * because the sections are read out of order.
 */
static int read_file_header(struct header *header, struct source *source, struct error *err)
{
	const unsigned nr_features = header_nr_features(header);
	uint64_t table;

	if (source_spool(source, err) < 0)
		return -1;
	repair_sections(header, source);
	if (header_check(header, source, err) < 0)
		return -1;
	if (nr_features == 0)
		return 0;
	table = repair_table(header, nr_features, source);
	return header->data.size ? header_read_features(header, table, source, err) : 0;
}

/*
 * Sets *@offset to where another recording follows that of @header in its file, else to 0. Returns
 * 0, or -1 with @err filled.
 */
static int find_next(const struct header *header, struct source *source, uint64_t *offset,
		     struct error *err)
{
	const uint64_t end = header_end(header);
	uint64_t magic = 0;

	*offset = 0;
	if (header->data.size == 0 || end >= source->size)
		return 0;
	if (source_read(source, end, &magic, sizeof(magic), err) < 0)
		return -1;
	if (header_is_magic(magic))
		*offset = end;
	return 0;
}

/* Reads the header and everything else but the records. */
static int start_first(struct perffile *file, struct error *err)
{
	struct part *part = &file->parts[0];
	const struct section *data = &file->header.data;
	bool cut;

	if (source_start(&part->source, err) < 0 || source_unwrap(&part->source, &cut, err) < 0 ||
	    header_read(&file->header, &part->source, err) < 0 ||
	    (!file->header.pipe && read_file_header(&file->header, &part->source, err) < 0))
		return -1;
	queue_set_swap(&file->queue, file->header.swap);
	file->counts.cut_wrapper = cut;
	file->counts.missing_features = file->header.missing_features;
	file->plausible.swap = file->header.swap;
	if (file->header.pipe && lateevents_read(file, err) < 0)
		return -1;
	if (!file->header.pipe) {
		if (read_events(file, err) < 0 ||
		    find_next(&file->header, &part->source, &file->counts.next_offset, err) < 0 ||
		    features_read(&file->features, &file->events, &file->header, &part->source,
				  err) < 0)
			return -1;
		record_sizes_learn(&file->sizes, &file->events);
		repair_data_offset(&file->header, &part->source, &file->plausible);
		file->counts.unfinished = data->size == 0;
		file->counts.missing_ids = file->events.lost_ids;
	}
	file->counts.bent_fields = file->header.bent;
	stream_init(&part->stream, &part->source, data->offset,
		    data->size ? data->offset + data->size : UINT64_MAX, &file->plausible,
		    &file->pool, &file->framed);
	return 0;
}

/* Opens a "data.N" of a directory recording. Returns 1, 0 if it is empty, -1 with @err filled. */
static int open_part(struct source *source, const char *path, struct error *err)
{
	struct error why = {0};

	if (source_open(source, path, err) < 0)
		return -1;
	if (source->stream)
		error_set(&why, ERROR_UNSUPPORTED, "%s: is a pipe, expected a file", path);
	else if (source_start(source, &why) == 0)
		return 1;
	source_close(source);
	if (why.kind == ERROR_FORMAT)
		return 0;
	*err = why;
	return -1;
}

/* Opens the files "data.N" of a directory recording. An empty one had nothing to record. */
static int open_others(struct perffile *file, struct error *err)
{
	for (size_t i = 1; i < file->files.nr_paths; i++) {
		struct part *part = &file->parts[file->nr_parts];
		int rc = open_part(&part->source, file->files.paths[i], err);

		if (rc < 0)
			return -1;
		if (rc == 0)
			continue;
		file->nr_parts++;
		/* one file per thread of perf record: do not use up the descriptors */
		if (source_rest(&part->source, err) < 0)
			return -1;
		stream_init(&part->stream, &part->source, 0, UINT64_MAX, &file->plausible,
			    &file->pool, &file->framed);
	}
	return 0;
}

/*
 * Reads the names that perf before 3.9 wrote, a section of {u64 config, char name[64]}. If there is
 * one entry per event, entries are in the order of the events; else events are found by their
 * config, which events of different types may share.
 */
static int read_event_types(struct perffile *file, struct error *err)
{
	enum { NAME_BYTES = 64, ENTRY_BYTES = 8 + NAME_BYTES };
	struct event_set *events = &file->events;
	struct span s;
	bool in_order;
	void *bytes;
	int rc = 0;

	if (file->header.event_types.size == 0)
		return 0;
	bytes = section_load(&file->header.event_types, &file->parts[0].source, file->header.swap,
			     &s, err);
	if (!bytes)
		return -1;
	in_order = span_left(&s) / ENTRY_BYTES == events->nr_events;
	for (size_t i = 0; rc == 0 && span_holds(&s, 1, ENTRY_BYTES); i++) {
		uint64_t config = span_u64(&s);
		struct span name = span_take(&s, NAME_BYTES);

		rc = events_name_config(events, in_order ? i : SIZE_MAX, config,
					(const char *)name.pos, NAME_BYTES);
	}
	free(bytes);
	return rc < 0 ? error_nomem(err, "naming the events") : 0;
}

int opening_start(struct perffile *file, struct error *err)
{
	file->started = true;
	if (start_first(file, err) == 0 && read_event_types(file, err) == 0 &&
	    open_others(file, err) == 0)
		return 0;
	file->finished = true;
	return -1;
}

int opening_first(struct perffile *file, int fd, struct error *err)
{
	struct source *source = &file->parts[0].source;
	const char *path = file->files.paths[0];

	if ((fd < 0 ? source_open(source, path, err) : source_open_fd(source, fd, path, err)) < 0)
		return -1;
	file->nr_parts = 1;
	return source->stream ? 0 : opening_start(file, err);
}
