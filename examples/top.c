/*
 * perf record -o - COMMAND | top [SECONDS]: where the time goes, shown anew each SECONDS of the
 * recording and at its end.
 */
#include <readperf/readperf.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 10 };

struct top {
	struct readperf_recording *recording;
	struct readperf_replay *replay;
	uint64_t interval, next; /* ns */
};

/* Shows the rows with the most, which are the first of each event. */
static int show(struct top *top, struct readperf_error *err)
{
	struct readperf_table *table = readperf_table_read(top->replay, "results", err);
	const double *percent;
	const uint32_t *function, *binary;
	const uint64_t *samples;
	size_t columns[4], nr;

	if (!table)
		return -1;
	percent = readperf_table_reals(table, readperf_table_find(table, "percent"));
	samples = readperf_table_numbers(table, readperf_table_find(table, "samples"));
	columns[0] = readperf_table_find(table, "function");
	columns[1] = readperf_table_find(table, "binary");
	function = readperf_table_codes(table, columns[0]);
	binary = readperf_table_codes(table, columns[1]);
	nr = readperf_table_nr_rows(table);
	fputs(isatty(STDOUT_FILENO) ? "\033[H\033[J" : "", stdout);
	for (size_t i = 0; i < nr && i < ROWS; i++)
		printf("%6.2f%% %6" PRIu64 "  %s  %s\n", percent[i], samples[i],
		       readperf_table_text(table, columns[0], function[i]),
		       readperf_table_text(table, columns[1], binary[i]));
	puts("");
	readperf_table_free(table);
	return 0;
}

/* Returns as readperf_recording_next(). */
static int step(struct top *top, struct readperf_error *err)
{
	const struct readperf_record *record;
	uint64_t time;
	int rc = readperf_recording_next(top->recording, &record, err);

	if (rc <= 0)
		return rc;
	if (readperf_replay_apply(top->replay, record, err) < 0)
		return -1;
	if (readperf_record_type(record) != READPERF_RECORD_SAMPLE ||
	    !readperf_record_number(record, READPERF_FIELD_TIME, &time) || time < top->next)
		return 1;
	if (top->next && (readperf_replay_snapshot(top->replay, err) < 0 || show(top, err) < 0))
		return -1;
	top->next = time + top->interval;
	return 1;
}

int main(int argc, char **argv)
{
	struct readperf_error err = {0};
	struct readperf_settings *settings = readperf_settings_create(&err);
	struct top top = {.interval = (uint64_t)(1e9 * (argc > 1 ? atof(argv[1]) : 1))};
	int rc = -1;

	top.recording = readperf_recording_open("-", &err);
	if (top.recording && readperf_settings_set(settings, "tables", "results", &err) == 0)
		top.replay = readperf_replay_create(top.recording, settings, &err);
	while (top.replay && (rc = step(&top, &err)) > 0)
		;
	if (rc == 0)
		rc = readperf_replay_finish(top.replay, &err);
	if (rc == 0)
		rc = show(&top, &err);
	if (rc < 0)
		fprintf(stderr, "top: %s\n", err.text);
	readperf_replay_free(top.replay);
	readperf_recording_close(top.recording);
	readperf_settings_free(settings);
	return rc < 0;
}
