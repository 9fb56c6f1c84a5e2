#include "report/export/recordlog.h"

#include "report/table.h"
#include "util/array.h"
#include "util/spool.h"

#include <stdlib.h>
#include <string.h>

/* A row is its length in bytes, without these four, and its cells: a byte for the type, the value.
 */
struct recordlog {
	struct spool spool;
	char *row; /* the one in the making */
	size_t len, room;
	bool failed; /* memory is out */
};

enum { READ_AT_ONCE = 256 * 1024 };

struct recordlog *recordlog_create(void)
{
	return calloc(1, sizeof(struct recordlog));
}

/* ---- to the file ----------------------------------------------------------------------------- */

static void put_bytes(struct recordlog *log, const void *bytes, size_t len)
{
	log->failed |= !array_grow(log->row, log->room, log->len + len);
	if (log->failed || !len)
		return;
	memcpy(log->row + log->len, bytes, len);
	log->len += len;
}

static void put_cell(struct recordlog *log, const struct cell *cell)
{
	const uint8_t type = (uint8_t)cell->type;
	const uint32_t len = (uint32_t)cell->text.len;

	put_bytes(log, &type, sizeof(type));
	switch (cell->type) {
	case CELL_EMPTY:
		break;
	case CELL_U64:
	case CELL_HEX:
		put_bytes(log, &cell->u64, sizeof(cell->u64));
		break;
	case CELL_I32:
		put_bytes(log, &cell->i32, sizeof(cell->i32));
		break;
	case CELL_TEXT:
	case CELL_NUMBER:
		put_bytes(log, &len, sizeof(len));
		put_bytes(log, cell->text.bytes, len);
		break;
	default:
		put_bytes(log, cell, sizeof(*cell));
	}
}

int recordlog_put(struct recordlog *log, const struct table *table, const struct record *record,
		  struct error *err)
{
	struct cell cells[TABLE_COLUMNS_MAX], *end;
	struct scratch scratch = {0};
	uint32_t len = 0;

	log->len = 0;
	end = table->fill(cells, record, &scratch);
	put_bytes(log, &len, sizeof(len));
	/* cppcheck-suppress comparePointers ; fill returns a pointer into cells */
	for (const struct cell *cell = cells; cell < end; cell++)
		put_cell(log, cell);
	if (log->failed)
		return error_nomem(err, "exporting records");
	len = (uint32_t)(log->len - sizeof(len));
	memcpy(log->row, &len, sizeof(len));
	return spool_put(&log->spool, log->row, log->len, err);
}

/* ---- and back -------------------------------------------------------------------------------- */

static const char *take(void *to, const char *at, size_t len)
{
	memcpy(to, at, len);
	return at + len;
}

static const char *take_cell(struct cell *cell, const char *at)
{
	uint8_t type;
	uint32_t len;

	at = take(&type, at, sizeof(type));
	cell->type = (enum cell_type)type;
	switch (cell->type) {
	case CELL_EMPTY:
		return at;
	case CELL_U64:
	case CELL_HEX:
		return take(&cell->u64, at, sizeof(cell->u64));
	case CELL_I32:
		return take(&cell->i32, at, sizeof(cell->i32));
	case CELL_TEXT:
	case CELL_NUMBER:
		at = take(&len, at, sizeof(len));
		cell->text.bytes = at;
		cell->text.len = len;
		return at + len;
	default:
		return take(cell, at, sizeof(*cell));
	}
}

static void write_row(struct table_file *to, const char *at, const char *end)
{
	struct cell cells[TABLE_COLUMNS_MAX];
	size_t nr = 0;

	while (at < end)
		at = take_cell(&cells[nr++], at);
	for (size_t i = 0; i < to->nr_tail; i++)
		cells[nr++] = to->tail[i];
	writer_row(&to->writer, cells, nr);
}

/* Writes the rows that are whole among the @len bytes at @bytes. Returns the bytes of these. */
static size_t write_rows(struct table_file *to, const char *bytes, size_t len)
{
	size_t at = 0;
	uint32_t row;

	while (len - at >= sizeof(row)) {
		memcpy(&row, bytes + at, sizeof(row));
		if (len - at - sizeof(row) < row)
			break;
		at += sizeof(row);
		write_row(to, bytes + at, bytes + at + row);
		at += row;
	}
	return at;
}

void recordlog_write(struct recordlog *log, struct table_file *to)
{
	uint64_t from = 0;
	size_t kept = 0, room = 0;
	char *bytes = NULL;
	struct error err;

	while (from < log->spool.size) {
		const uint64_t left = log->spool.size - from;
		const size_t len = left < READ_AT_ONCE ? (size_t)left : READ_AT_ONCE;
		size_t done;

		if (!array_grow(bytes, room, kept + len)) {
			error_nomem(&err, "exporting records");
			outfile_fail(to->writer.out, &err);
			break;
		}
		if (spool_get(&log->spool, from, bytes + kept, len, &err) < 0) {
			outfile_fail(to->writer.out, &err);
			break;
		}
		from += len;
		kept += len;
		done = write_rows(to, bytes, kept);
		kept -= done;
		memmove(bytes, bytes + done, kept);
	}
	free(bytes);
}

void recordlog_free(struct recordlog *log)
{
	if (!log)
		return;
	spool_free(&log->spool);
	free(log->row);
	free(log);
}
