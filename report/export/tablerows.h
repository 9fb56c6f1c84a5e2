/* The rows of the chosen tables, for exports that are made of tables. */
#ifndef READPERF_REPORT_EXPORT_TABLEROWS_H
#define READPERF_REPORT_EXPORT_TABLEROWS_H

#include "decode/results.h"
#include "report/export/recordlog.h"
#include "report/writer.h"

#include <stddef.h>

struct runtags;

/** Everything is borrowed. */
struct tablerows {
	const struct results *results;
	unsigned chosen;	   /* bits by place in table_list */
	struct recordlog *records; /* rows of the table that has one for each record */
	const char *const *keys;   /* names of the keys that functions are split by */
	size_t nr_keys;
	const struct runtags *tags; /* columns at the end of all tables */
};

/** Starts the table with @number in table_list by @writer, and writes its rows. */
void tablerows_write(const struct tablerows *rows, int number, const struct writer *writer);

#endif
