/* A column of a row group of Parquet: cells in memory, which become pages. */
#ifndef READPERF_REPORT_EXPORT_PARQUETCOLUMN_H
#define READPERF_REPORT_EXPORT_PARQUETCOLUMN_H

#include "report/cell.h"
#include "report/export/thrift.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** As the format numbers its types. */
enum parquet_type { PARQUET_INT32 = 1, PARQUET_INT64 = 2, PARQUET_DOUBLE = 5, PARQUET_TEXT = 6 };

/** As the format numbers its encodings. */
enum parquet_encoding { PARQUET_PLAIN = 0, PARQUET_RLE = 3, PARQUET_DICTIONARY = 8 };

/** All zero, but for the type, is a column without cells. */
struct parquetcolumn {
	enum parquet_type type;
	size_t nr;	/* cells */
	uint8_t *known; /* bit by cell: it is not empty */
	size_t known_room;
	struct thrift values; /* of cells that are known, as they are in the file; of texts none */
	struct intern texts;  /* those that occur */
	uint32_t *numbers;    /* of known cells, in @texts */
	size_t nr_known, numbers_room;
	char *clean; /* a text made UTF-8 */
	size_t clean_room;
	uint64_t bytes; /* of all values, texts as often as they occur */
	bool failed;	/* memory is out */
};

/** The type in the file of cells of type @type. */
enum parquet_type parquetcolumn_type(enum cell_type type);

/** Adds a cell. A cell of another type than the column's is added as its text. */
void parquetcolumn_add(struct parquetcolumn *column, const struct cell *cell);

/** Whether texts are few enough for a dictionary. */
bool parquetcolumn_has_dictionary(const struct parquetcolumn *column);

/** Appends the contents of the page of the dictionary. */
void parquetcolumn_put_dictionary(const struct parquetcolumn *column, struct thrift *page);

/** Appends the contents of the page of the cells. */
void parquetcolumn_put_cells(const struct parquetcolumn *column, struct thrift *page);

/** Removes all cells; the memory for them is used again. */
void parquetcolumn_clear(struct parquetcolumn *column);

void parquetcolumn_free(struct parquetcolumn *column);

#endif
