#include "report/export/pagedata.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

uint32_t pagedata_string(struct pagedata *data, const char *text)
{
	const uint32_t number = intern_string(&data->strings, text);

	data->failed |= number == INTERN_NOMEM;
	return number;
}

void pagedata_put_number(struct pagedata *data, const char *key, uint64_t number)
{
	char text[64];

	snprintf(text, sizeof(text), ",\"%s\":%" PRIu64, key, number);
	outfile_string(data->out, text);
}

void pagedata_put_sum(struct pagedata *data, const char *key, uint64_t number)
{
	char text[64];

	snprintf(text, sizeof(text), ",\"%s\":\"%" PRIu64 "\"", key, number);
	outfile_string(data->out, text);
}

void pagedata_put_decimal(struct pagedata *data, const char *key, double number)
{
	char text[400];

	if (isfinite(number))
		snprintf(text, sizeof(text), ",\"%s\":%.4f", key, number);
	else
		snprintf(text, sizeof(text), ",\"%s\":null", key);
	outfile_string(data->out, text);
}

void pagedata_put_string(struct pagedata *data, const char *key, const char *string)
{
	pagedata_put_number(data, key, pagedata_string(data, string));
}

bool pagedata_start(struct pagedata *data, struct pagenumbers *packed)
{
	if (pagenumbers_start(packed, SIZE_MAX, true))
		return true;
	data->failed = true;
	return false;
}

void pagedata_write(struct pagedata *data, struct pagenumbers *packed, const char *what,
		    size_t number)
{
	char id[64];

	snprintf(id, sizeof(id), "%s%zu", what, number);
	if (!data->failed && pagenumbers_end(packed))
		pagenumbers_write(packed, id, data->out);
	else
		data->failed = true;
	pagenumbers_free(packed);
}

/* How many bytes two strings have in common where they begin: as many as a byte can tell. */
static uint8_t shared(const char *a, const char *b)
{
	uint8_t nr = 0;

	while (nr < UINT8_MAX && a[nr] && a[nr] == b[nr])
		nr++;
	return nr;
}

/* How much of string number @i is that of the one before, which the first one does not have. */
static uint8_t shared_with_last(const struct pagedata *data, size_t i)
{
	if (i == data->nr_written)
		return 0;
	return shared(intern_get(&data->strings, (uint32_t)i - 1),
		      intern_get(&data->strings, (uint32_t)i));
}

void pagedata_write_strings(struct pagedata *data, size_t number)
{
	const size_t nr = data->strings.nr_strings + 1;
	struct pagenumbers packed;

	if (!pagedata_start(data, &packed))
		return;
	pagenumbers_put(&packed, nr - data->nr_written);
	for (size_t i = data->nr_written; i < nr; i++)
		pagenumbers_bytes(&packed, &(uint8_t){shared_with_last(data, i)}, 1);
	pagenumbers_divide(&packed);
	for (size_t i = data->nr_written; i < nr; i++) {
		const char *rest =
			intern_get(&data->strings, (uint32_t)i) + shared_with_last(data, i);

		pagenumbers_bytes(&packed, rest, strlen(rest) + 1);
	}
	data->nr_written = nr;
	pagedata_write(data, &packed, "strings", number);
}

uint64_t pagedata_size(const struct pagedata *data)
{
	return data->out->size + (uint64_t)(data->out->pos - data->out->buffer);
}

void pagedata_free(struct pagedata *data)
{
	intern_free(&data->strings);
}
