#include "report/overviewrows.h"

#include "perffile/format.h"
#include "report/csvform.h"
#include "util/array.h"
#include "util/digits.h"

#include <stdlib.h>
#include <string.h>

enum {
	COLUMN_EVENT = 11, /* of table_overview */
	NUMBERS_ROOM = 8 * CSVFORM_NUMBER_MAX,
	LAST_MAX = 16 * 1024, /* bytes that are put into the file's buffer with the numbers */
};

/* Keeps the cells from @event on. Returns false if memory is out. */
static bool keep_last(struct overviewrows *rows, const struct event *event)
{
	const struct table_file *file = rows->file;
	const struct record rec = {.type = RECORD_SAMPLE, .event = event};
	struct cell cells[TABLE_COLUMNS_MAX];
	struct scratch scratch;
	const size_t nr = table_fill_row(file, &rec, cells, &scratch) - COLUMN_EVENT;

	if (!array_grow(rows->last, rows->last_room, csvform_room(cells + COLUMN_EVENT, nr)))
		return false;
	rows->last_len = csvform_cells(rows->last, cells + COLUMN_EVENT, nr, file->writer.raw);
	rows->last[rows->last_len - 1] = '\n';
	rows->event = event;
	return true;
}

static inline char *put_u64(char *to, uint64_t value)
{
	to = digits_u64(to, value);
	*to++ = ',';
	return to;
}

/* -1 is a pid, a tid or a CPU that the kernel did not know. */
static inline char *put_i32(char *to, uint32_t value)
{
	if ((int32_t)value >= 0)
		return put_u64(to, value);
	*to++ = '-';
	return put_u64(to, 0 - value);
}

/* Writes the cells of @sample before that of its event to @to. Returns their end. */
static inline char *put_numbers(char *to, const struct plain_sample *sample)
{
	to = put_u64(to, sample->nr);
	memcpy(to, "SAMPLE,", 7);
	to = put_i32(to + 7, sample->pid);
	to = put_i32(to, sample->tid);
	to = put_u64(to, sample->time);
	memcpy(to, "0x", 2);
	to = digits_hex(to + 2, sample->ip);
	memcpy(to, ",,,,", 4); /* no data address, size and offset */
	to = put_u64(to + 4, sample->period);
	if (sample->event->attr.sample_type & SAMPLE_CPU)
		return put_i32(to, sample->cpu);
	*to++ = ',';
	return to;
}

static inline void put_row(const struct overviewrows *rows, const struct plain_sample *sample)
{
	struct outfile *out = rows->file->writer.out;

	if (rows->last_len > LAST_MAX) {
		out->pos = put_numbers(outfile_reserve(out, NUMBERS_ROOM), sample);
		outfile_append(out, rows->last, rows->last_len);
	} else {
		out->pos = put_numbers(outfile_reserve(out, NUMBERS_ROOM + LAST_MAX), sample);
		memcpy(out->pos, rows->last, rows->last_len);
		out->pos += rows->last_len;
	}
	outfile_mark(out);
}

bool overviewrows_put(struct overviewrows *rows, const struct plain_samples *samples)
{
	for (size_t i = 0; i < samples->nr; i++) {
		const struct plain_sample *sample = &samples->samples[i];

		if (sample->event != rows->event && !keep_last(rows, sample->event))
			return false;
		put_row(rows, sample);
	}
	return true;
}

void overviewrows_free(struct overviewrows *rows)
{
	free(rows->last);
	*rows = (struct overviewrows){0};
}
