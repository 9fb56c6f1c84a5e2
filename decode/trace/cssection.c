#include "decode/trace/cssection.h"

#include "util/array.h"

#include <stdlib.h>

/* Bits 15-8 of the flags: the form of the bytes; 0: frames. */
enum { AUX_FORM = 0xff00 };

static bool add(struct cssections *sections, const struct cssection *section)
{
	if (sections->nr == UINT32_MAX ||
	    !array_grow(sections->list, sections->room, sections->nr + 1))
		return false;
	sections->list[sections->nr] = *section;
	sections->list[sections->nr].nr = (uint32_t)sections->nr;
	sections->nr++;
	return true;
}

bool cssections_note(struct cssections *sections, const struct record *rec)
{
	const struct record_aux *aux = &rec->aux;
	struct cssection section = {
		.time = rec->has & HAS_TIME ? rec->time : 0,
		.offset = aux->offset,
		.len = aux->len,
		.cpu = record_cpu(rec),
		.tid = rec->has & HAS_TID ? rec->tid : TRACE_OF_NONE,
		.is_raw = aux->flags & AUX_FORM,
		.is_cut = aux->flags & AUX_TRUNCATED,
	};

	/* Of a snapshot the offset is where it ends. */
	if (aux->flags & AUX_OVERWRITE) {
		if (section.len > section.offset)
			section.len = section.offset;
		section.offset -= section.len;
	}
	return section.len == 0 || section.offset > UINT64_MAX - section.len ||
	       add(sections, &section);
}

/* ---- buffers --------------------------------------------------------------------------------- */

static const struct trace_buffer *find_buffer(const struct tracebuffers *buffers,
					      const struct cssection *section)
{
	for (size_t i = 0; i < buffers->nr; i++) {
		const struct trace_buffer *buffer = &buffers->list[i];

		if (!buffer->of_samples &&
		    (buffer->tid == TRACE_OF_NONE ? buffer->cpu == section->cpu
						  : buffer->tid == section->tid))
			return buffer;
	}
	return NULL;
}

static int compare_places(const void *a, const void *b)
{
	const struct cssection *x = a, *y = b;

	if (x->buffer != y->buffer)
		return (uintptr_t)x->buffer < (uintptr_t)y->buffer ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

/* Leaves each byte to the first section that has it, and drops those that have none. */
static void part(struct cssections *sections)
{
	size_t nr = 0;

	if (sections->nr)
		qsort(sections->list, sections->nr, sizeof(*sections->list), compare_places);
	for (size_t i = 0; i < sections->nr; i++) {
		struct cssection section = sections->list[i];
		const struct cssection *before = nr ? &sections->list[nr - 1] : NULL;
		const uint64_t end = section.offset + section.len;

		if (!section.buffer)
			continue;
		if (before && before->buffer == section.buffer &&
		    before->offset + before->len > section.offset)
			section.offset = before->offset + before->len;
		if (section.offset >= end)
			continue;
		section.len = end - section.offset;
		sections->list[nr++] = section;
	}
	sections->nr = nr;
}

static bool add_pieces(struct cssections *sections, const struct trace_buffer *buffer)
{
	for (size_t i = 0; i < buffer->nr_pieces; i++) {
		const struct trace_piece *piece = &buffer->pieces[i];

		if (piece->offset <= UINT64_MAX - piece->place.len &&
		    !add(sections, &(struct cssection){
					   .buffer = buffer,
					   .offset = piece->offset,
					   .len = piece->place.len,
					   .cpu = buffer->cpu,
					   .tid = buffer->tid,
				   }))
			return false;
	}
	return true;
}

static int compare_times(const void *a, const void *b)
{
	const struct cssection *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

bool cssections_settle(struct cssections *sections, const struct tracebuffers *buffers)
{
	bool *is_told = calloc(buffers->nr + 1, sizeof(*is_told)), ok = is_told;

	for (size_t i = 0; i < sections->nr && ok; i++) {
		struct cssection *section = &sections->list[i];

		section->buffer = find_buffer(buffers, section);
		if (section->buffer)
			is_told[section->buffer - buffers->list] = true;
	}
	for (size_t i = 0; i < buffers->nr && ok; i++)
		ok = is_told[i] || add_pieces(sections, &buffers->list[i]);
	free(is_told);
	part(sections);
	if (sections->nr)
		qsort(sections->list, sections->nr, sizeof(*sections->list), compare_times);
	return ok;
}

size_t cssection_first_piece(const struct cssection *section)
{
	const struct trace_piece *pieces = section->buffer->pieces;
	size_t low = 0, high = section->buffer->nr_pieces;

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (pieces[middle].offset <= section->offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

bool cssection_bytes(const struct cssection *section, size_t number, size_t *start, size_t *end)
{
	const struct trace_buffer *buffer = section->buffer;
	const struct trace_piece *piece = &buffer->pieces[number];
	const bool is_last = number + 1 == buffer->nr_pieces;
	uint64_t from = section->offset, to = section->offset + section->len;
	uint64_t size = (is_last ? buffer->size : piece[1].start) - piece->start;

	/* What the next piece has, too, was added to fill a word. */
	if (!is_last && piece[1].offset > piece->offset && piece[1].offset - piece->offset < size)
		size = piece[1].offset - piece->offset;
	if (from < piece->offset)
		from = piece->offset;
	if (to <= from || from - piece->offset >= size)
		return false;
	if (to - piece->offset > size)
		to = piece->offset + size;
	*start = (size_t)(piece->start + (from - piece->offset));
	*end = (size_t)(piece->start + (to - piece->offset));
	return true;
}

void cssections_free(struct cssections *sections)
{
	free(sections->list);
	*sections = (struct cssections){0};
}
