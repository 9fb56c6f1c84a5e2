#include "tests/support/recording.h"

#include "decode/replay.h"
#include "report/report.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct perffile *recording_open_bytes(const void *bytes, size_t len, struct error *err)
{
	char path[] = "recording-XXXXXX";
	int fd = mkstemp(path);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	struct perffile *file;

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, len, out), len);
	ck_assert_int_eq(fclose(out), 0);
	file = perffile_open(path, err);
	unlink(path);
	return file;
}

struct perffile *recording_open(struct mkperf *m)
{
	struct error err = {0};
	size_t len = 0;
	const uint8_t *bytes = mkperf_finish(m, &len);
	struct perffile *file;

	ck_assert_ptr_nonnull(bytes);
	file = recording_open_bytes(bytes, len, &err);
	ck_assert_msg(file, "%s", err.text);
	mkperf_free(m);
	return file;
}

const struct record *recording_next(struct perffile *file)
{
	struct error err = {0};
	const struct record *rec = NULL;
	int rc = perffile_next(file, &rec, &err);

	ck_assert_msg(rc >= 0, "%s", err.text);
	return rc ? rec : NULL;
}

const struct record *recording_next_kernel(struct perffile *file)
{
	const struct record *rec;

	do
		rec = recording_next(file);
	while (rec && rec->type == RECORD_FINISHED_ROUND);
	return rec;
}

size_t recording_drain(struct perffile *file)
{
	size_t nr = 0;

	while (recording_next(file))
		nr++;
	return nr;
}

uint64_t recording_ip(const struct record_sample *sample, size_t number)
{
	struct span ips = sample->callchain.ips;
	uint64_t ip;

	span_skip(&ips, 8 * number);
	ip = span_u64(&ips);
	ck_assert(!ips.failed);
	return ip;
}

/* A way to the same tables. */
struct way {
	bool spilled; /* with next to no memory for rows and call paths, and records read ahead */
	size_t every; /* records after which the tables are updated; 0: not before the end */
	struct filter filter;
};

/* The program's main job, over an open recording. */
static void make_tables(struct perffile *file, const char *dir, const struct way *way)
{
	struct replay_settings settings = {
		.filter = &way->filter,
		.symbols = {.build_id_cache = "/nonexistent",
			    .debug_dir = "/nonexistent",
			    .kallsyms = "/dev/null"},
		.life_bytes = way->spilled ? 1 : 0,
		.stacks.paths_max = way->spilled ? 3 : 0,
	};
	const struct report_settings report_settings = {
		.dir = dir, .tables = REPORT_DEFAULT | REPORT_BIT(threads)};
	struct report *report;
	struct error err = {0};
	struct replay *replay;
	const struct record *rec;
	const struct results *results;
	size_t nr = 0;

	report_add_needs(&report_settings, &settings.needs);
	replay = replay_create(&settings, file, &err);
	report = report_open(&report_settings, &err);
	ck_assert_msg(replay && report, "%s", err.text);
	while ((rec = recording_next(file))) {
		int rc = replay_apply(replay, rec, &err);

		if (rc > 0)
			rc = report_record(report, rec, &err);
		ck_assert_msg(rc >= 0, "%s", err.text);
		if (way->every == 0 || ++nr % way->every != 0)
			continue;
		results = replay_snapshot(replay, &err);
		ck_assert_msg(results && report_update(report, results, &err) == 0, "%s", err.text);
	}
	results = replay_finish(replay, &err);
	ck_assert_msg(results && report_finish(report, results, &err) == 0, "%s", err.text);
	report_close(report);
	replay_destroy(replay);
}

static bool read_tables(const char *path, const struct way *way, struct recording_tables *tables,
			struct error *err)
{
	static const char *const names[] = {"stat.csv", "overview.csv", "processes.csv",
					    "results.csv", "threads.csv"};
	struct perffile *file = perffile_open(path, err);
	struct scratch_path dir;

	*tables = (struct recording_tables){0};
	if (!file)
		return false;
	if (way->spilled)
		perffile_read_ahead(file);
	dir = scratch_make();
	make_tables(file, dir.text, way);
	for (unsigned i = 0; i < NR_TABLES; i++) {
		tables->text[i] = scratch_read(dir.text, names[i]);
		ck_assert_ptr_nonnull(tables->text[i]);
	}
	tables->counts = *perffile_counts(file);
	scratch_remove(dir.text);
	perffile_close(file);
	return true;
}

bool recording_read_tables(const char *path, struct recording_tables *tables, struct error *err)
{
	return read_tables(path, &(struct way){0}, tables, err);
}

bool recording_read_tables_spilled(const char *path, struct recording_tables *tables,
				   struct error *err)
{
	return read_tables(path, &(struct way){.spilled = true}, tables, err);
}

static struct recording_tables tables_by(struct mkperf *m, const struct way *way)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct recording_tables tables;
	struct error err = {0};

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	ck_assert_msg(read_tables(path.text, way, &tables, &err), "%s", err.text);
	scratch_remove(dir.text);
	return tables;
}

struct recording_tables recording_tables_of(struct mkperf *m)
{
	return tables_by(m, &(struct way){0});
}

struct recording_tables recording_tables_updated(struct mkperf *m, size_t every, bool spilled)
{
	return tables_by(m, &(struct way){.spilled = spilled, .every = every});
}

struct recording_tables recording_tables_filtered(struct mkperf *m, const char *option,
						  const char *list)
{
	struct way way = {0};
	struct recording_tables tables;
	struct error err = {0};

	ck_assert_msg(filter_add(&way.filter, option, list, &err) == 0, "%s", err.text);
	tables = tables_by(m, &way);
	filter_free(&way.filter);
	return tables;
}

void recording_tables_free(struct recording_tables *tables)
{
	for (unsigned i = 0; i < NR_TABLES; i++)
		free(tables->text[i]);
	*tables = (struct recording_tables){0};
}

/* The fields of a row, taken apart in place; quoted ones keep their quotes. Returns the next row.
 */
static char *split_row(char *row, char **fields, size_t room, size_t *nr)
{
	bool quoted = false;

	*nr = 0;
	fields[(*nr)++] = row;
	for (; *row && (quoted || *row != '\n'); row++) {
		if (*row == '"')
			quoted = !quoted;
		if (quoted || *row != ',')
			continue;
		ck_assert_uint_lt(*nr, room);
		*row = 0;
		fields[(*nr)++] = row + 1;
	}
	if (*row)
		*row++ = 0;
	return row;
}

enum { FIELDS_MAX = 32 };

static size_t column_number(char *const *fields, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(fields[i], name) == 0)
			return i;
	}
	ck_abort_msg("no column %s", name);
}

uint64_t recording_sum(const char *table, const char *column, const char *where, const char *value)
{
	char *copy = strdup(table), *fields[FIELDS_MAX], *row;
	size_t nr, at, at_where;
	uint64_t sum = 0;

	ck_assert_ptr_nonnull(copy);
	row = split_row(copy, fields, FIELDS_MAX, &nr);
	at = column_number(fields, nr, column);
	at_where = where ? column_number(fields, nr, where) : 0;
	while (*row) {
		row = split_row(row, fields, FIELDS_MAX, &nr);
		ck_assert_uint_lt(at, nr);
		if (!where || strcmp(fields[at_where], value) == 0)
			sum += strtoull(fields[at], NULL, 10);
	}
	free(copy);
	return sum;
}

void recording_cut_table(char *table, unsigned column, const char *without)
{
	char *fields[FIELDS_MAX], *to = table, *row = table;
	size_t nr;

	while (*row) {
		char *next = split_row(row, fields, FIELDS_MAX, &nr);
		bool kept = true;

		for (size_t i = 0; i < nr && without; i++)
			kept = kept && strcmp(fields[i], without) != 0;
		for (size_t i = 0; i < nr && kept; i++) {
			size_t len = strlen(fields[i]);

			if (i == column)
				continue;
			memmove(to, fields[i], len);
			to += len;
			*to++ = ',';
		}
		if (kept)
			to[-1] = '\n';
		row = next;
	}
	*to = 0;
}
