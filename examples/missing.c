/*
 * missing RECORDING [DIR]: the binaries that samples need and this machine does not have as they
 * were recorded, the most needed first: samples, build id, path, why. DIR: a folder of binaries by
 * build id. Ends with 1 if there are any.
 */
#include <readperf/readperf.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const struct readperf_table *table, const char *name, size_t row)
{
	const size_t column = readperf_table_find(table, name);

	return readperf_table_text(table, column, readperf_table_codes(table, column)[row]);
}

static uint64_t unnamed_of(const struct readperf_table *table, size_t row)
{
	return readperf_table_numbers(table, readperf_table_find(table, "unnamed_samples"))[row];
}

/* Whether samples lack names because there is no file; where nothing was mapped, there is none to
 * have. */
static int is_missing(const struct readperf_table *table, size_t row)
{
	return unnamed_of(table, row) > 0 && !*text_of(table, "file", row) &&
	       strcmp(text_of(table, "reason", row), "no-mapping") != 0;
}

/* Prints the rows of binaries that are missing. Returns how many. */
static size_t print_missing(const struct readperf_table *table)
{
	size_t nr = 0;

	for (size_t row = 0; row < readperf_table_nr_rows(table); row++) {
		if (!is_missing(table, row))
			continue;
		printf("%" PRIu64 "\t%s\t%s\t%s\n", unnamed_of(table, row),
		       text_of(table, "build_id", row), text_of(table, "binary", row),
		       text_of(table, "reason", row));
		nr++;
	}
	return nr;
}

/* Applies all records. Returns 0, -1 with @err filled. */
static int replay_all(struct readperf_recording *recording, struct readperf_replay *replay,
		      struct readperf_error *err)
{
	const struct readperf_record *record;
	int rc;

	while ((rc = readperf_recording_next(recording, &record, err)) > 0)
		if (readperf_replay_apply(replay, record, err) < 0)
			return -1;
	return rc < 0 ? -1 : readperf_replay_finish(replay, err);
}

int main(int argc, char **argv)
{
	struct readperf_error err = {0};
	struct readperf_settings *settings = readperf_settings_create(&err);
	struct readperf_recording *recording = NULL;
	struct readperf_replay *replay = NULL;
	struct readperf_table *table = NULL;
	int rc = 2;

	if (settings && readperf_settings_set(settings, "tables", "binaries", &err) == 0 &&
	    (argc < 3 || readperf_settings_set(settings, "buildid-dir", argv[2], &err) == 0))
		recording = readperf_recording_open(argc > 1 ? argv[1] : "perf.data", &err);
	if (recording)
		replay = readperf_replay_create(recording, settings, &err);
	if (replay && replay_all(recording, replay, &err) == 0)
		table = readperf_table_read(replay, "binaries", &err);
	if (table)
		rc = print_missing(table) > 0;
	else
		fprintf(stderr, "missing: %s\n", err.text);
	readperf_table_free(table);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
	return rc;
}
