#include "tests/fuzz/replay.h"
#include "tests/support/answers.h"

#include "decode/replay.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* ---- a digest -------------------------------------------------------------------------------- */

/* FNV-1a, 64 bits. */
static void digest_bytes(uint64_t *digest, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		*digest = (*digest ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
}

static void digest_number(uint64_t *digest, uint64_t number)
{
	digest_bytes(digest, &number, sizeof(number));
}

static void digest_text(uint64_t *digest, const char *text)
{
	digest_bytes(digest, text, strlen(text) + 1);
}

static void digest_tally(uint64_t *digest, const struct tally *tally)
{
	digest_number(digest, tally->samples);
	digest_number(digest, tally->period);
}

static void digest_functions(uint64_t *digest, const struct results *results)
{
	for (size_t i = 0; i < results->nr_functions; i++) {
		const struct function_stat *row = &results->functions[i];

		digest_text(digest, row->event->name);
		digest_text(digest, row->binary);
		digest_text(digest, row->function);
		digest_text(digest, row->filename);
		digest_text(digest, row->build_id);
		digest_text(digest, row->reason);
		digest_tally(digest, &row->self);
		digest_tally(digest, &row->children);
	}
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add(struct tally *sum, const struct tally *tally)
{
	sum->samples += tally->samples;
	sum->period += tally->period;
}

static void check_total(const struct tally *sum, const struct event_stat *event)
{
	fuzz_check(sum->samples == event->total.samples);
	/* Sums of periods stop at the largest number, and what is added up here wraps. */
	fuzz_check(sum->period == event->total.period || event->total.period == UINT64_MAX);
}

static void check_event(const struct results *results, const struct event_stat *event)
{
	struct tally functions = {0}, lines = {0}, addresses = {0}, binaries = {0}, cpus = {0};
	struct tally paths = {0}, roots = {0}, calls = {0};

	for (size_t i = 0; i < results->nr_functions; i++)
		if (results->functions[i].event == event->event)
			add(&functions, &results->functions[i].self);
	for (size_t i = 0; i < ANSWER_NR(results, linestat_lines); i++)
		if (ANSWER_ROWS(results, linestat_lines, line_stat)[i].event == event->event)
			add(&lines, &ANSWER_ROWS(results, linestat_lines, line_stat)[i].self);
	for (size_t i = 0; i < ANSWER_NR(results, linestat_addresses); i++)
		if (ANSWER_ROWS(results, linestat_addresses, address_stat)[i].event == event->event)
			add(&addresses,
			    &ANSWER_ROWS(results, linestat_addresses, address_stat)[i].self);
	for (size_t i = 0; i < ANSWER_NR(results, binarystat_binaries); i++)
		if (ANSWER_ROWS(results, binarystat_binaries, binary_stat)[i].event == event->event)
			add(&binaries,
			    &ANSWER_ROWS(results, binarystat_binaries, binary_stat)[i].total);
	for (size_t i = 0; i < ANSWER_NR(results, pathstat_paths); i++) {
		const struct path_stat *path = &ANSWER_ROWS(results, pathstat_paths, path_stat)[i];

		if (path->function->event != event->event)
			continue;
		add(&paths, &path->self);
		if (path->parent == PATH_NO_PARENT)
			add(&roots, &path->total);
	}
	for (size_t i = 0; i < ANSWER_NR(results, pathstat_calls); i++) {
		const struct call_stat *call = &ANSWER_ROWS(results, pathstat_calls, call_stat)[i];

		if (call->callee->event == event->event)
			add(&calls, &call->self);
	}
	for (size_t i = 0; i < event->nr_cpus; i++)
		add(&cpus, &event->cpus[i].total);
	check_total(&functions, event);
	check_total(&lines, event);
	check_total(&addresses, event);
	check_total(&binaries, event);
	check_total(&cpus, event);
	check_total(&paths, event);
	check_total(&roots, event);
	check_total(&calls, event);
}

static bool is_same(const struct tally *a, const struct tally *b)
{
	return a->samples == b->samples && (a->period == b->period || b->period == UINT64_MAX);
}

/* Functions that are split by keys: the rows of each add up to it, and no two are of one tuple. */
static void check_split(const struct results *results)
{
	const struct split_stat *split = results->split;
	struct function_stat *sums = calloc(results->nr_functions + 1, sizeof(*sums));

	fuzz_check(sums);
	for (size_t i = 0; split && i < split->nr_rows; i++) {
		const struct split_row *row = &split->rows[i];
		const uint32_t number = row->function->number;

		fuzz_check(number < results->nr_functions);
		add(&sums[number].self, &row->self);
		add(&sums[number].inlined, &row->inlined);
		add(&sums[number].children, &row->children);
		fuzz_check(i == 0 || row[-1].function != row->function ||
			   row[-1].tuple != row->tuple);
	}
	for (size_t i = 0; split && i < results->nr_functions; i++) {
		fuzz_check(is_same(&sums[i].self, &results->functions[i].self));
		fuzz_check(is_same(&sums[i].inlined, &results->functions[i].inlined));
		fuzz_check(is_same(&sums[i].children, &results->functions[i].children));
	}
	free(sums);
}

/* The rows of processes and threads; *@digest takes in what they say. */
static void check_rows(const struct results *results, uint64_t *digest)
{
	struct tally *sums = calloc(2 * results->nr_events + 1, sizeof(*sums));
	struct tally *of_threads = sums + results->nr_events;
	struct process_stat process;
	struct thread_stat thread;
	struct error err = {0};

	fuzz_check(sums && answer_start(results, &processstat_lives, &err) == 0);
	while (answer_next(results, &processstat_lives, &process, &err) > 0) {
		digest_number(digest, (uint64_t)process.pid);
		digest_text(digest, process.comm);
		digest_text(digest, process.exe);
		for (size_t i = 0; i < results->nr_events; i++)
			add(&sums[i], &process.by_event[i]);
	}
	fuzz_check(answer_start(results, &processstat_thread_lives, &err) == 0);
	while (answer_next(results, &processstat_thread_lives, &thread, &err) > 0) {
		digest_number(digest, (uint64_t)thread.tid);
		digest_text(digest, thread.comm);
		for (size_t i = 0; i < results->nr_events; i++)
			add(&of_threads[i], &thread.by_event[i]);
	}
	fuzz_check(err.kind == ERROR_NONE);
	for (size_t i = 0; i < results->nr_events; i++) {
		check_total(&sums[i], &results->events[i]);
		check_total(&of_threads[i], &results->events[i]);
	}
	free(sums);
}

static uint64_t check_results(const struct results *results)
{
	enum { EVENTS_MAX = 64 }; /* that are checked: each goes through all rows */
	uint64_t digest = 0xcbf29ce484222325;

	for (size_t i = 0; i < results->nr_events && i < EVENTS_MAX; i++)
		check_event(results, &results->events[i]);
	check_split(results);
	digest_functions(&digest, results);
	check_rows(results, &digest);
	return digest ? digest : 1;
}

/* ---- the replay ------------------------------------------------------------------------------ */

/* No file of the machine is to be opened. */
static const struct symbol_settings symbols_of_nothing = {
	.kallsyms = "/dev/null",
	.debug_dir = "/nonexistent",
	.build_id_cache = "/nonexistent",
	.symfs = "/nonexistent",
	.threads = 1,
};

/* Applies the plain samples that come next. Returns 0, or -1 with @err filled. */
static int apply_plain(struct replay *replay, struct perffile *file, struct error *err)
{
	struct plain_samples samples;
	int rc;

	while ((rc = perffile_next_plain(file, &samples, err)) > 0)
		fuzz_check(replay_apply_plain(replay, &samples, err) == 0);
	return rc;
}

/* As apply_all(), with gaps. */
static int apply_gaps(struct replay *replay, struct perffile *file, struct error *err)
{
	const struct record *rec;
	int rc;

	perffile_use_gaps(file);
	if (replay_takes_leaps(replay))
		perffile_use_leaps(file);
	do {
		rc = apply_plain(replay, file, err);
		if (rc == 0)
			rc = perffile_next(file, &rec, err);
		if (rc > 0)
			fuzz_check(replay_apply(replay, rec, err) >= 0);
	} while (rc > 0);
	return rc == 0;
}

/* Returns 1 at the end, 0 if the recording cannot be used. */
static int apply_all(struct replay *replay, struct perffile *file, size_t update, struct error *err)
{
	const struct record *rec;
	size_t nr = 0;
	int rc;

	while ((rc = perffile_next(file, &rec, err)) > 0) {
		fuzz_check(replay_apply(replay, rec, err) >= 0);
		if (update && ++nr == update)
			fuzz_check(replay_snapshot(replay, err));
	}
	return rc == 0;
}

void fuzz_replay_needs(struct perffile *file, const struct needs *needs,
		       void (*check)(const struct results *results, const void *arg),
		       const void *arg)
{
	const struct filter filter = {0};
	const struct replay_settings settings = {
		.filter = &filter,
		.symbols = symbols_of_nothing,
		.needs = *needs,
	};
	struct error err = {0};
	struct replay *replay = replay_create(&settings, file, &err);
	const struct results *results;

	fuzz_check(replay && apply_all(replay, file, 0, &err));
	results = replay_finish(replay, &err);
	fuzz_check(results);
	check(results, arg);
	replay_destroy(replay);
}

uint64_t fuzz_replay(struct perffile *file, const struct fuzz_way *way)
{
	const struct filter filter = {0};
	struct perkeys per = {0};
	struct replay_settings settings = {
		.filter = &filter,
		.per = &per,
		.symbols = symbols_of_nothing,
		.roots = way->roots,
		.needs = {{&headerstat_facts, &recordstat_records, &binarystat_binaries,
			   &processstat_lives, &processstat_thread_lives, &linestat_lines,
			   &linestat_addresses, &pathstat_paths, &pathstat_calls},
			  9},
		.noise = true,
		.life_bytes = way->spilled ? 1 : 0,
		.stacks.paths_max = way->spilled ? 3 : 0,
	};
	struct error err = {0};
	struct replay *replay;
	const struct results *results;
	uint64_t digest = 0;

	settings.symbols.inlined = way->inlined;
	if (way->symfs)
		settings.symbols.symfs = way->symfs;
	/* not always: samples are counted in another way then */
	if (way->inlined)
		fuzz_check(perkeys_add(&per, "comm,pid,tid,cpu,cgroup,data_symbol,slice:1us",
				       &err) == 0);
	if (way->spilled) {
		perffile_set_memory(file, 0);
		perffile_read_ahead(file);
	}
	replay = replay_create(&settings, file, &err);
	fuzz_check(replay);
	if (way->spilled)
		fuzz_check(replay_share(replay, file, 3, &err) == 0);
	if (way->gaps && replay_takes_gaps(replay) ? apply_gaps(replay, file, &err)
						   : apply_all(replay, file, way->update, &err)) {
		results = replay_finish(replay, &err);
		fuzz_check(results);
		digest = check_results(results);
	}
	fuzz_check(err.kind != ERROR_NOMEM);
	replay_destroy(replay);
	perkeys_free(&per);
	return digest;
}

uint64_t fuzz_replay_bytes(const void *bytes, size_t size, const struct fuzz_way *way)
{
	struct fuzz_file input = fuzz_file_make(bytes, size);
	struct error err = {0};
	struct perffile *file = perffile_open(input.path, &err);
	uint64_t digest = file ? fuzz_replay(file, way) : 0;

	perffile_close(file);
	fuzz_file_close(&input);
	return digest;
}
