#include "tests/support/resulttext.h"

#include "decode/replay/crew.h"
#include "decode/replay/state.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <stdio.h>

/* As main/reading.c reads a recording. */
static void read_all(struct perffile *file, struct replay *replay, struct resulttext_way way)
{
	struct plain_samples samples;
	const struct record *rec;
	struct error err = {0};
	const bool plain = way.nr_threads > 0 && replay_takes_plain(replay);
	size_t nr = 0, nr_packed = 0;

	do {
		if (way.nr_threads > 1 && nr++ == way.nr_alone)
			perffile_read_ahead(file);
		while (plain && perffile_next_plain(file, &samples, &err) > 0) {
			nr_packed += samples.samples ? 0 : samples.nr;
			ck_assert_msg(replay_apply_plain(replay, &samples, &err) == 0, "%s",
				      err.text);
		}
		rec = recording_next(file);
		ck_assert_msg(!rec || replay_apply(replay, rec, &err) >= 0, "%s", err.text);
	} while (rec);
	if (way.nr_packed)
		*way.nr_packed = nr_packed;
}

static void put_split(FILE *to, const struct split_stat *split)
{
	for (size_t i = 0; split && i < split->nr_rows; i++) {
		const struct split_row *row = &split->rows[i];

		fprintf(to, "%s %u:", row->function->binary, row->tuple);
		for (size_t key = 0; key < split->nr_keys; key++)
			fprintf(to, " %s", row->values[key].text);
		fprintf(to, " %llu %llu %llu\n", (unsigned long long)row->self.samples,
			(unsigned long long)row->self.period,
			(unsigned long long)row->children.period);
	}
}

static void put_lives(FILE *to, struct row_source source)
{
	struct process_stat row;
	struct error err = {0};

	ck_assert_int_eq(source.start(source.arg, &err), 0);
	while (source.next(source.arg, &row, &err) > 0)
		fprintf(to, "life %lld fork %llu of %lld: %llu\n", (long long)row.pid,
			(unsigned long long)row.fork, (long long)row.ppid,
			(unsigned long long)row.by_event[0].samples);
}

static void put_results(FILE *to, const struct results *results, bool has_paths)
{
	const struct rows paths =
		has_paths ? results_rows(results, &pathstat_paths) : (struct rows){0};
	const struct rows records = results_rows(results, &recordstat_records);

	for (size_t i = 0; i < results->nr_functions; i++) {
		const struct function_stat *row = &results->functions[i];

		fprintf(to, "%s+%s %llu %llu %llu %llu %.17g %.17g\n", row->binary, row->function,
			(unsigned long long)row->self.samples, (unsigned long long)row->self.period,
			(unsigned long long)row->children.samples,
			(unsigned long long)row->children.period, row->noise, row->children_noise);
	}
	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *row = &results->events[i];

		fprintf(to, "%llu %llu cut %llu %s cpus %zu first %llu\n",
			(unsigned long long)row->total.samples,
			(unsigned long long)row->total.period, (unsigned long long)row->cut.samples,
			row->cut_reason, row->nr_cpus,
			(unsigned long long)row->cpus[0].total.samples);
	}
	for (size_t i = 0; i < paths.nr; i++) {
		const struct path_stat *row = &((const struct path_stat *)paths.first)[i];

		fprintf(to, "%u %u %s %llu %llu %s\n", row->parent, row->depth,
			row->function->binary, (unsigned long long)row->self.samples,
			(unsigned long long)row->total.period, row->end);
	}
	for (size_t i = 0; i < records.nr; i++) {
		const struct record_stat *row = &((const struct record_stat *)records.first)[i];

		fprintf(to, "%s %llu\n", row->record, (unsigned long long)row->count);
	}
	put_split(to, results->split);
	put_lives(to, results_rows(results, &processstat_lives).source);
}

char *resulttext_read(const char *path, struct resulttext_way way, uint64_t *nr_left)
{
	const struct filter none = {0};
	struct replay_settings settings = {
		.filter = way.filter ? way.filter : &none,
		.per = way.per,
		.symbols = {.build_id_cache = "/nonexistent",
			    .debug_dir = "/nonexistent",
			    .kallsyms = "/dev/null",
			    .threads = way.nr_naming},
		.needs = {{&recordstat_records, &processstat_lives, &pathstat_paths},
			  way.no_paths ? 2 : 3},
		.noise = !way.filter && !way.packs && !way.leaps,
		.stacks.paths_max = way.paths_max,
	};
	struct error err = {0};
	struct perffile *file = perffile_open(path, &err);
	struct replay *replay;
	const struct results *results;
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	ck_assert_ptr_nonnull(file);
	if (way.memory)
		perffile_set_memory(file, way.memory);
	replay = replay_create(&settings, file, &err);
	ck_assert_msg(replay && replay_share(replay, file, way.nr_threads, &err) == 0, "%s",
		      err.text);
	if (way.gaps && replay_takes_gaps(replay))
		perffile_use_gaps(file);
	if (way.gaps && way.leaps && replay_takes_leaps(replay))
		perffile_use_leaps(file);
	if (way.packs && replay_takes_packed(replay))
		perffile_pack(file);
	read_all(file, replay, way);
	results = replay_finish(replay, &err);
	ck_assert_msg(results != NULL, "%s", err.text);
	if (nr_left)
		*nr_left = replay->crew ? crew_nr_left(replay->crew) : 0;
	if (way.nr_paths)
		*way.nr_paths = callpath_count(&replay->stacks.paths.now);
	put_results(to, results, !way.no_paths);
	fclose(to);
	replay_destroy(replay);
	perffile_close(file);
	return text;
}
