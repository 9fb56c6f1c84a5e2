#include "tests/calibrate/runs.h"

#include "decode/compare/names/name.h"
#include "decode/replay.h"
#include "perffile/perffile.h"
#include "util/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const struct error *err)
{
	fprintf(stderr, "calibrate: %s\n", err->text);
	exit(1);
}

static struct runs_function *function_of(struct runs *runs, const struct function_stat *stat)
{
	char name[8192], binary[4096] = "?";
	uint32_t number;

	if (strlen(stat->binary) < sizeof(binary))
		name_of_binary(binary, name_of_code(stat->binary));
	snprintf(name, sizeof(name), "%s\t%s", stat->function, binary);
	number = intern_string(&runs->names, name);
	if (number == INTERN_NOMEM || !array_grow(runs->functions, runs->room, (size_t)number + 1))
		exit(1);
	while (runs->nr_functions <= number)
		runs->functions[runs->nr_functions++] = (struct runs_function){0};
	runs->functions[number].kernel = name_is_kernel(stat->binary);
	return &runs->functions[number];
}

static void add_rows(struct runs *runs, const struct results *results)
{
	struct run_total *total = &runs->totals[runs->nr];

	for (size_t i = 0; i < results->nr_functions; i++) {
		const struct function_stat *stat = &results->functions[i];
		struct run_share *share;

		if (stat->event != results->functions[0].event)
			break;
		share = &function_of(runs, stat)->shares[runs->nr];
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
	runs->nr++;
}

void runs_add(struct runs *runs, const char *path)
{
	const struct filter filter = {0};
	const struct replay_settings settings = {.filter = &filter, .noise = true};
	struct error err = {0};
	struct perffile *file = perffile_open(path, &err);
	struct replay *replay = file ? replay_create(&settings, file, &err) : NULL;
	const struct results *results;
	const struct record *rec;
	int rc;

	if (!replay || runs->nr == RUNS_MAX)
		give_up(&err);
	while ((rc = perffile_next(file, &rec, &err)) > 0) {
		if (replay_apply(replay, rec, &err) < 0)
			give_up(&err);
	}
	results = rc < 0 ? NULL : replay_finish(replay, &err);
	if (!results)
		give_up(&err);
	add_rows(runs, results);
	replay_destroy(replay);
	perffile_close(file);
}

void runs_free(struct runs *runs)
{
	intern_free(&runs->names);
	free(runs->functions);
	*runs = (struct runs){0};
}
