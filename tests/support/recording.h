/* Written recordings, read back: what the tests of perffile/ share. */
#ifndef READPERF_TESTS_SUPPORT_RECORDING_H
#define READPERF_TESTS_SUPPORT_RECORDING_H

#include "perffile/perffile.h"
#include "tests/support/scratch.h"
#include "tests/writer/mkperf.h"

#include <stddef.h>
#include <stdint.h>

/** Opens what @m writes and frees @m; the test fails if the recording cannot be used. */
struct perffile *recording_open(struct mkperf *m);

/** Opens the @len bytes at @bytes as a recording; NULL with @err filled if it cannot be used. */
struct perffile *recording_open_bytes(const void *bytes, size_t len, struct error *err);

/** The next record, or NULL at the end; the test fails on an error. */
const struct record *recording_next(struct perffile *file);

/** As recording_next(), but FINISHED_ROUND is passed over. */
const struct record *recording_next_kernel(struct perffile *file);

/** Reads to the end; returns the number of records. */
size_t recording_drain(struct perffile *file);

/** The tables that the program writes by default, and the threads. */
enum recording_table {
	TABLE_STAT,
	TABLE_OVERVIEW,
	TABLE_PROCESSES,
	TABLE_RESULTS,
	TABLE_THREADS,
	NR_TABLES,
};

/** All of them as text, and what was counted on the way. */
struct recording_tables {
	char *text[NR_TABLES];
	struct perffile_counts counts;
};

/**
 * Reads the recording at @path and makes its tables, as the program does. Binaries are not looked
 * for. False with @err filled if the recording cannot be used.
 */
bool recording_read_tables(const char *path, struct recording_tables *tables, struct error *err);

/**
 * As recording_read_tables(), with as little in memory as can be: all else goes through files.
 * Records are read ahead by a thread.
 */
bool recording_read_tables_spilled(const char *path, struct recording_tables *tables,
				   struct error *err);

/** As recording_read_tables() of what @m writes, which is freed; the test fails if it cannot. */
struct recording_tables recording_tables_of(struct mkperf *m);

/**
 * As recording_tables_of(), the tables being updated each @every records on the way (0: not), and
 * with
 * @spilled as recording_read_tables_spilled().
 */
struct recording_tables recording_tables_updated(struct mkperf *m, size_t every, bool spilled);

/** As recording_tables_of(), of what passes the filter that @option and @list name (filter_add()).
 */
struct recording_tables recording_tables_filtered(struct mkperf *m, const char *option,
						  const char *list);

void recording_tables_free(struct recording_tables *tables);

/** The sum of column @column of a table's rows in which column @where is @value (NULL: all). */
uint64_t recording_sum(const char *table, const char *column, const char *where, const char *value);

/** Cuts column @column (a number, from 0) and rows that hold @without (NULL: none) out of @table.
 */
void recording_cut_table(char *table, unsigned column, const char *without);

/** The @number-th word of @sample's call chain, which must have as many. */
uint64_t recording_ip(const struct record_sample *sample, size_t number);

#endif
