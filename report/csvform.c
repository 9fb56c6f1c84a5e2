#include "report/csvform.h"

#include "util/csv.h"

#include <string.h>

/* At least twice the length of the longest table's header; a longer first line is not a table's. */
enum { HEADER_MAX = FORM_HEAD_MAX, COLUMNS_MIN = 2, PRINTED_MAX = 2048 };

/* A single column does not show whose file it is; no version of a table had so few. */
static bool is_header(const char *line, size_t len, const struct column *columns, size_t nr,
		      bool open)
{
	size_t i;

	for (i = 0; i < nr && len; i++) {
		size_t column = strlen(columns[i].name);

		if (len < column || memcmp(line, columns[i].name, column) != 0)
			return false;
		line += column;
		len -= column;
		if (len && *line != ',')
			return false;
		line += len > 0;
		len -= len > 0;
	}
	return i >= COLUMNS_MIN && (!len || open);
}

static bool is_own(const char *head, size_t len, const struct column *columns, size_t nr, bool open)
{
	const char *end = memchr(head, '\n', len);

	if (!len)
		return true;
	if (end)
		return is_header(head, (size_t)(end - head), columns, nr, open) && end[-1] != ',';
	return open && len == HEADER_MAX && is_header(head, len, columns, nr, open);
}

/* Apart from the others, because they need more room on the stack. */
__attribute__((noinline)) static void put_fraction(struct csv *csv, const struct cell *cell)
{
	if (cell->type != CELL_PERCENT)
		csv_decimal(csv, cell->decimal, cell->decimals);
	else
		csv_percent(csv, cell->percent.part, cell->percent.total);
}

static inline void put_cell(struct csv *csv, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_U64:
		csv_u64(csv, cell->u64);
		break;
	case CELL_I32:
		csv_i64(csv, cell->i32);
		break;
	case CELL_HEX:
		csv_hex(csv, cell->u64);
		break;
	case CELL_DECIMAL:
	case CELL_PERCENT:
	case CELL_RATIO:
		put_fraction(csv, cell);
		break;
	case CELL_NUMBER:
		csv_ready(csv, cell->text.bytes, cell->text.len);
		break;
	case CELL_TEXT:
		csv_text(csv, cell->text.bytes, cell->text.len);
		break;
	default:
		csv_empty(csv);
	}
}

size_t csvform_room(const struct cell *cells, size_t nr)
{
	size_t room = nr * CSVFORM_NUMBER_MAX;

	for (size_t i = 0; i < nr; i++)
		if (cells[i].type == CELL_TEXT || cells[i].type == CELL_NUMBER)
			room += CSV_ENCODED_MAX(cells[i].text.len);
	return room;
}

size_t csvform_cells(char *to, const struct cell *cells, size_t nr, bool raw)
{
	struct outfile out = {.pos = to, .end = to + csvform_room(cells, nr), .buffer = to};
	struct csv csv = {.out = &out, .raw = raw};

	for (size_t i = 0; i < nr; i++)
		put_cell(&csv, &cells[i]);
	return (size_t)(out.pos - to);
}

void csvform_number(char to[CSVFORM_NUMBER_MAX], const struct cell *cell)
{
	const size_t len = csvform_cells(to, cell, 1, true);

	to[len - 1] = '\0'; /* the comma after it */
}

static void put_row(struct writer *writer, const struct cell *cells, size_t nr)
{
	struct csv csv = {.out = writer->out, .raw = writer->raw};

	for (const struct cell *cell = cells; cell < cells + nr; cell++)
		put_cell(&csv, cell);
	csv_end_row(&csv);
}

static void put_header(struct writer *writer, const struct column *columns, size_t nr)
{
	struct csv csv = {.out = writer->out, .raw = writer->raw};

	for (size_t i = 0; i < nr; i++)
		csv_string(&csv, columns[i].name);
	csv_end_row(&csv);
}

void csvform_print(FILE *out, const char *const *texts, size_t nr)
{
	char cell[CSV_ENCODED_MAX(PRINTED_MAX)];

	for (size_t i = 0; i < nr; i++) {
		size_t len = csv_encode(cell, texts[i], strnlen(texts[i], PRINTED_MAX), true);

		fwrite(cell, 1, len, out);
		fputc(i + 1 < nr ? ',' : '\n', out);
	}
}

const struct form csv_form = {
	.ending = ".csv",
	.head_max = HEADER_MAX,
	.is_own = is_own,
	.start = put_header,
	.row = put_row,
};
