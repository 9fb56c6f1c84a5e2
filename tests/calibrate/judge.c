/*
 * Judges recordings as the program does, for the calibration: one line for each function.
 *
 *	judge OLD... -- NEW...
 *	judge --split RECORDING     the samples in turn for one side and for the other
 *
 * Columns, tabs between them: old samples, new samples, old and new share in percent, difference,
 * lower and upper end of its interval, p value, q value, verdict, function, binary; of the first
 * event.
 */
#include "decode/compare/verdict.h"
#include "decode/replay.h"
#include "perffile/perffile.h"
#include "util/array.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 16 };

/** A function of both sides. */
struct row {
	struct run_share runs[2][MAX_RUNS];
};

struct judgement {
	struct intern names; /* "FUNCTION<tab>BINARY", by number of the row */
	struct row *rows;
	size_t nr_rows, room;
	struct run_total totals[2][MAX_RUNS];
	size_t nr_runs[2];
};

static void give_up(const struct error *err)
{
	fprintf(stderr, "judge: %s\n", err->text);
	exit(1);
}

static struct row *row_of(struct judgement *j, const struct function_stat *stat)
{
	const char *slash = strrchr(stat->binary, '/');
	char name[8192];
	uint32_t number;

	snprintf(name, sizeof(name), "%s\t%s", stat->function, slash ? slash + 1 : stat->binary);
	number = intern_string(&j->names, name);
	if (number == INTERN_NOMEM || !array_grow(j->rows, j->room, (size_t)number + 1))
		exit(1);
	while (j->nr_rows <= number)
		j->rows[j->nr_rows++] = (struct row){0};
	return &j->rows[number];
}

/* Adds the rows of the first event to the next run of @side. */
static void add_run(struct judgement *j, int side, const struct results *results)
{
	size_t run = j->nr_runs[side]++;
	struct run_total *total = &j->totals[side][run];

	for (size_t i = 0; i < results->nr_functions; i++) {
		const struct function_stat *stat = &results->functions[i];
		struct run_share *share;

		if (stat->event != results->functions[0].event)
			break;
		share = &row_of(j, stat)->runs[side][run];
		/* Functions of one name: the largest, which comes first, has the noise. */
		if (share->samples == 0) {
			share->noise = stat->noise;
			share->noise_df = stat->noise_df;
		}
		share->samples += stat->self.samples;
		share->period += stat->self.period;
		total->samples += stat->self.samples;
		total->period += stat->self.period;
	}
}

/* Every sample, or those with an even or an odd number: @half 0 or 1, or -1. */
static void read_run(struct judgement *j, int side, const char *path, int half)
{
	const struct filter filter = {0};
	const struct replay_settings settings = {.filter = &filter, .blocks = true};
	struct error err = {0};
	struct perffile *file = perffile_open(path, &err);
	struct replay *replay = file ? replay_create(&settings, file, &err) : NULL;
	const struct results *results;
	const struct record *rec;
	int nr = 0, rc;

	if (!replay || j->nr_runs[side] == MAX_RUNS)
		give_up(&err);
	while ((rc = perffile_next(file, &rec, &err)) > 0) {
		if (rec->type == RECORD_SAMPLE && half >= 0 && (nr++ & 1) != half)
			continue;
		if (replay_apply(replay, rec, &err) < 0)
			give_up(&err);
	}
	results = rc < 0 ? NULL : replay_finish(replay, NULL, NULL, &err);
	if (!results)
		give_up(&err);
	add_run(j, side, results);
	replay_destroy(replay);
	perffile_close(file);
}

static void print_row(const struct judgement *j, size_t number, const struct change *change)
{
	const struct row *row = &j->rows[number];
	uint64_t samples[2] = {0};

	for (int side = 0; side < 2; side++)
		for (size_t run = 0; run < j->nr_runs[side]; run++)
			samples[side] += row->runs[side][run].samples;
	printf("%lu\t%lu\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%.4g\t%.4g\t%s\t%s\n",
	       (unsigned long)samples[0], (unsigned long)samples[1], change->old_value,
	       change->new_value, change->delta, change->ci_low, change->ci_high, change->p_value,
	       change->q_value, verdict_name(change->verdict),
	       intern_get(&j->names, (uint32_t)number));
}

static void judge(struct judgement *j)
{
	const struct side old_side = {.runs = j->totals[0], .nr_runs = j->nr_runs[0]};
	const struct side new_side = {.runs = j->totals[1], .nr_runs = j->nr_runs[1]};
	struct comparison *functions = calloc(j->nr_rows + 1, sizeof(*functions));
	struct error err = {0};

	for (size_t i = 0; functions && i < j->nr_rows; i++)
		functions[i] = (struct comparison){.old_runs = j->rows[i].runs[0],
						   .new_runs = j->rows[i].runs[1]};
	if (!functions || compare_functions(MEASURE_SHARE, DEFAULT_RUN_DEVIATION, &old_side,
					    &new_side, functions, j->nr_rows, &err) < 0)
		give_up(&err);
	for (size_t i = 0; i < j->nr_rows; i++)
		print_row(j, i, &functions[i].change);
	free(functions);
}

int main(int argc, char **argv)
{
	struct judgement j = {0};
	int side = 0;

	if (argc == 3 && strcmp(argv[1], "--split") == 0) {
		read_run(&j, 0, argv[2], 0);
		read_run(&j, 1, argv[2], 1);
	} else {
		for (int i = 1; i < argc; i++) {
			if (strcmp(argv[i], "--") == 0)
				side = 1;
			else
				read_run(&j, side, argv[i], -1);
		}
	}
	if (j.nr_runs[0] == 0 || j.nr_runs[1] == 0) {
		fprintf(stderr, "usage: judge OLD... -- NEW...\n       judge --split RECORDING\n");
		return 2;
	}
	judge(&j);
	intern_free(&j.names);
	free(j.rows);
	return 0;
}
