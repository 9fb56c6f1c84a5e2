/*
 * NAME.parquet: a table as a file of Apache Parquet.
 *
 * Rows are collected in memory until they are enough for a row group, whose columns are then packed
 * by zstd, each in a page, after one of its dictionary if it has texts that repeat. What is where
 * stands at the end. Every column may be empty.
 */
#include "report/export/parquetcolumn.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "report/export/tablerows.h"
#include "report/export/thrift.h"
#include "report/table.h"
#include "util/array.h"
#include "util/codec/zstdpack.h"

#include <stdlib.h>
#include <string.h>

/* A row group ends with so many rows, or so many bytes of values. */
enum { GROUP_ROWS = 1 << 17, GROUP_BYTES = 32 << 20 };

/* Numbers of the format. */
enum {
	FORMAT = 1,
	OPTIONAL = 1,
	CONVERTED_UTF8 = 0,
	CONVERTED_UINT_64 = 14,
	CODEC_ZSTD = 6,
	PAGE_OF_CELLS = 0,
	PAGE_OF_DICTIONARY = 2,
};

static const char magic[] = "PAR1";

/* Pages of a column in a row group. */
struct parquet_chunk {
	bool has_dictionary;
	uint64_t dictionary, cells; /* bytes before its pages in the file */
	uint64_t packed, unpacked;  /* bytes of both, with their headers */
	uint64_t nr;		    /* cells */
};

/* The file in the making. */
struct parquet {
	struct outfile *out;
	uint64_t size; /* bytes so far */
	struct column names[TABLE_COLUMNS_MAX];
	struct parquetcolumn columns[TABLE_COLUMNS_MAX];
	size_t nr_columns, nr_rows; /* @nr_rows: of the row group that is collected */
	struct parquet_chunk *chunks;
	size_t nr_chunks, chunks_room;
	uint64_t all_rows;
	struct codec_zstdpack *pack;
	struct thrift page, header;
	bool failed; /* memory is out */
};

static void append(struct parquet *to, const void *bytes, size_t len)
{
	outfile_append(to->out, bytes, len);
	to->size += len;
}

/* ---- row groups ------------------------------------------------------------------------------ */

static void put_page_header(struct parquet *to, int32_t type, size_t packed, size_t nr,
			    enum parquet_encoding encoding)
{
	struct thrift *header = &to->header;

	thrift_clear(header);
	thrift_i32(header, 1, type);
	thrift_i32(header, 2, (int32_t)to->page.len);
	thrift_i32(header, 3, (int32_t)packed);
	thrift_open(header, type == PAGE_OF_CELLS ? 5 : 7);
	thrift_i32(header, 1, (int32_t)nr);
	thrift_i32(header, 2, (int32_t)encoding);
	if (type == PAGE_OF_CELLS) {
		thrift_i32(header, 3, PARQUET_RLE);
		thrift_i32(header, 4, PARQUET_RLE);
	}
	thrift_close(header);
	thrift_close(header);
}

/* Writes the page of @nr values that is in to->page. */
static void put_page(struct parquet *to, struct parquet_chunk *chunk, int32_t type, size_t nr,
		     enum parquet_encoding encoding)
{
	const uint8_t *packed = NULL;
	size_t len = 0;

	if (!to->page.failed)
		len = codec_zstdpack_run(to->pack, to->page.bytes, to->page.len, &packed);
	put_page_header(to, type, len, nr, encoding);
	to->failed |= !len || to->header.failed;
	if (to->failed)
		return;
	append(to, to->header.bytes, to->header.len);
	append(to, packed, len);
	chunk->packed += to->header.len + len;
	chunk->unpacked += to->header.len + to->page.len;
	thrift_clear(&to->page);
}

static void put_chunk(struct parquet *to, const struct parquetcolumn *column)
{
	const bool has_dictionary = parquetcolumn_has_dictionary(column);
	struct parquet_chunk chunk = {.has_dictionary = has_dictionary, .nr = column->nr};

	if (!array_grow(to->chunks, to->chunks_room, to->nr_chunks + 1)) {
		to->failed = true;
		return;
	}
	if (has_dictionary) {
		chunk.dictionary = to->size;
		parquetcolumn_put_dictionary(column, &to->page);
		put_page(to, &chunk, PAGE_OF_DICTIONARY, column->texts.nr_strings, PARQUET_PLAIN);
	}
	chunk.cells = to->size;
	parquetcolumn_put_cells(column, &to->page);
	put_page(to, &chunk, PAGE_OF_CELLS, column->nr,
		 has_dictionary ? PARQUET_DICTIONARY : PARQUET_PLAIN);
	to->chunks[to->nr_chunks++] = chunk;
}

static void put_group(struct parquet *to)
{
	for (size_t i = 0; i < to->nr_columns && !to->failed; i++)
		to->failed |= to->columns[i].failed;
	for (size_t i = 0; i < to->nr_columns && !to->failed; i++) {
		put_chunk(to, &to->columns[i]);
		parquetcolumn_clear(&to->columns[i]);
	}
	to->nr_rows = 0;
}

/* ---- what is where --------------------------------------------------------------------------- */

static void put_schema(struct parquet *to, struct thrift *end)
{
	static const char root[] = "schema";

	thrift_list(end, 2, THRIFT_STRUCT, to->nr_columns + 1);
	thrift_open(end, 0);
	thrift_bytes(end, 4, root, strlen(root));
	thrift_i32(end, 5, (int32_t)to->nr_columns);
	thrift_close(end);
	for (size_t i = 0; i < to->nr_columns; i++) {
		const enum parquet_type type = to->columns[i].type;

		thrift_open(end, 0);
		thrift_i32(end, 1, (int32_t)type);
		thrift_i32(end, 3, OPTIONAL);
		thrift_bytes(end, 4, to->names[i].name, strlen(to->names[i].name));
		if (type == PARQUET_TEXT || type == PARQUET_INT64)
			thrift_i32(end, 6,
				   type == PARQUET_TEXT ? CONVERTED_UTF8 : CONVERTED_UINT_64);
		thrift_close(end);
	}
}

static void put_chunk_place(struct parquet *to, struct thrift *end, size_t column,
			    const struct parquet_chunk *chunk)
{
	const char *name = to->names[column].name;

	thrift_open(end, 0);
	thrift_i64(end, 2, (int64_t)(chunk->has_dictionary ? chunk->dictionary : chunk->cells));
	thrift_open(end, 3);
	thrift_i32(end, 1, (int32_t)to->columns[column].type);
	thrift_list(end, 2, THRIFT_I32, chunk->has_dictionary ? 3 : 2);
	thrift_i32(end, 0, PARQUET_PLAIN);
	thrift_i32(end, 0, PARQUET_RLE);
	if (chunk->has_dictionary)
		thrift_i32(end, 0, PARQUET_DICTIONARY);
	thrift_list(end, 3, THRIFT_BYTES, 1);
	thrift_bytes(end, 0, name, strlen(name));
	thrift_i32(end, 4, CODEC_ZSTD);
	thrift_i64(end, 5, (int64_t)chunk->nr);
	thrift_i64(end, 6, (int64_t)chunk->unpacked);
	thrift_i64(end, 7, (int64_t)chunk->packed);
	thrift_i64(end, 9, (int64_t)chunk->cells);
	if (chunk->has_dictionary)
		thrift_i64(end, 11, (int64_t)chunk->dictionary);
	thrift_close(end);
	thrift_close(end);
}

static void put_groups(struct parquet *to, struct thrift *end)
{
	const size_t nr = to->nr_columns;

	thrift_list(end, 4, THRIFT_STRUCT, nr ? to->nr_chunks / nr : 0);
	for (size_t first = 0; first < to->nr_chunks; first += nr) {
		uint64_t bytes = 0;

		thrift_open(end, 0);
		thrift_list(end, 1, THRIFT_STRUCT, nr);
		for (size_t i = 0; i < nr; i++) {
			put_chunk_place(to, end, i, &to->chunks[first + i]);
			bytes += to->chunks[first + i].unpacked;
		}
		thrift_i64(end, 2, (int64_t)bytes);
		thrift_i64(end, 3, (int64_t)to->chunks[first].nr);
		thrift_close(end);
	}
}

static void put_end(struct parquet *to)
{
	static const char creator[] = "readperf version " READPERF_VERSION;
	struct thrift *end = &to->header;
	uint32_t len;

	thrift_clear(end);
	thrift_i32(end, 1, FORMAT);
	put_schema(to, end);
	thrift_i64(end, 3, (int64_t)to->all_rows);
	put_groups(to, end);
	thrift_bytes(end, 6, creator, strlen(creator));
	thrift_close(end);
	to->failed |= end->failed;
	if (to->failed)
		return;
	len = (uint32_t)end->len;
	append(to, end->bytes, end->len);
	append(to, &len, sizeof(len));
	append(to, magic, strlen(magic));
}

/* ---- the file -------------------------------------------------------------------------------- */

static void start_file(struct writer *writer, const struct column *columns, size_t nr)
{
	struct parquet *to = writer->state;

	memcpy(to->names, columns, nr * sizeof(*columns));
	to->nr_columns = nr;
	for (size_t i = 0; i < nr; i++)
		to->columns[i].type = parquetcolumn_type(columns[i].type);
	append(to, magic, strlen(magic));
}

static void put_row(struct writer *writer, const struct cell *cells, size_t nr)
{
	struct parquet *to = writer->state;
	uint64_t bytes = 0;

	if (to->failed)
		return;
	for (size_t i = 0; i < nr; i++) {
		parquetcolumn_add(&to->columns[i], &cells[i]);
		bytes += to->columns[i].bytes;
	}
	to->all_rows++;
	if (++to->nr_rows == GROUP_ROWS || bytes >= GROUP_BYTES)
		put_group(to);
}

static const struct form parquet_form = {.start = start_file, .row = put_row};

static void free_all(struct parquet *to)
{
	for (size_t i = 0; i < to->nr_columns; i++)
		parquetcolumn_free(&to->columns[i]);
	free(to->chunks);
	codec_zstdpack_destroy(to->pack);
	thrift_free(&to->page);
	thrift_free(&to->header);
	free(to);
}

static void write_file(struct parquet *to, const struct runexport_view *view)
{
	const struct writer writer = {.form = &parquet_form, .out = view->out, .state = to};

	to->out = view->out;
	to->pack = codec_zstdpack_create();
	to->failed = !to->pack;
	tablerows_write(view->tables, view->table, &writer);
	if (to->nr_rows)
		put_group(to);
	put_end(to);
}

void parquet_write(const struct runexport_view *view)
{
	struct parquet *to = calloc(1, sizeof(*to));
	struct error err;

	if (to)
		write_file(to, view);
	if (!to || to->failed) {
		error_nomem(&err, "exporting tables");
		outfile_fail(view->out, &err);
	}
	if (to)
		free_all(to);
}
