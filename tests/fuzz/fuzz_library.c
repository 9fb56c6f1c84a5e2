/*
 * libreadperf by its public door: any recording is read one by one and in batches, in both orders,
 * with all fields, replayed, symbolized and made into tables.
 *
 * The first byte chooses what is done, the second a table.
 */
#include "tests/fuzz/fuzz.h"

#include <readperf/readperf.h>

#include <string.h>

enum { BATCH = 50, WORDS = 16 };

enum choice { BY_BATCHES = 1, FILE_ORDER = 2, WITHOUT_REPLAY = 4, SNAPSHOTS = 8, INLINED = 16 };

struct library_run {
	unsigned choices;
	struct readperf_recording *recording;
	struct readperf_replay *replay; /* NULL: none */
	const char *table;
	uint64_t nr, last_index;
};

/* Fails as the library says it does. */
static void check_error(const struct readperf_error *err)
{
	fuzz_check(err->kind >= READPERF_ERROR_IO && err->kind <= READPERF_ERROR_USAGE);
	fuzz_check(err->text[0] && memchr(err->text, '\0', sizeof(err->text)));
}

static void check_field(const struct readperf_record *record, int field)
{
	const int has = readperf_record_has(record, field);
	uint64_t number, words[WORDS];
	const unsigned char *bytes;
	size_t len;

	fuzz_check(!readperf_record_number(record, field, &number) || has);
	fuzz_check(!readperf_record_text(record, field) ||
		   (has && strlen(readperf_record_text(record, field)) < 65536));
	bytes = readperf_record_bytes(record, field, &len);
	fuzz_check(len < 65536 && (len == 0 || (bytes && has)));
	for (size_t i = 0; i < len; i++)
		number += bytes[i];
	fuzz_check(number + 1 > 0 || number == UINT64_MAX);
	len = readperf_record_words(record, field, words, WORDS);
	fuzz_check(len <= 65536 / 8 && (len == 0 || has));
}

static int count_map(void *arg, uint64_t start, uint64_t end, uint64_t pgoff,
		     const struct readperf_binary *binary)
{
	unsigned *nr = arg;

	(void)pgoff;
	fuzz_check(start < end && readperf_binary_path(binary));
	return ++*nr == 3;
}

static int count_process(void *arg, uint32_t pid, uint32_t ppid, const char *comm)
{
	unsigned *nr = arg;

	(void)pid, (void)ppid;
	fuzz_check(comm != NULL);
	return ++*nr == 3;
}

/* Asks the replay all it can be asked at this moment. Returns 0, -1 with @err filled. */
static int ask(struct library_run *run, const struct readperf_record *record,
	       struct readperf_error *err)
{
	struct readperf_symbols *symbols = readperf_replay_symbols(run->replay);
	const long nr = readperf_replay_chain(run->replay, record, err);
	uint64_t pid, place;
	unsigned nr_maps = 0, nr_processes = 0;

	if (nr < 0)
		return -1;
	for (size_t i = 0; i < (size_t)nr && i < 4; i++) {
		const struct readperf_symbol *symbol = readperf_symbols_find(
			symbols, readperf_replay_frame_place(run->replay, i, &place), place, err);

		if (!symbol)
			return -1;
		for (; symbol; symbol = readperf_symbol_inlined_into(symbol))
			fuzz_check(*readperf_symbol_function(symbol));
	}
	fuzz_check(!readperf_replay_frame_place(run->replay, (size_t)nr, &place));
	fuzz_check(readperf_replay_comm(run->replay, record) != NULL);
	readperf_record_number(record, READPERF_FIELD_PID, &pid);
	fuzz_check(readperf_replay_locate(run->replay, (uint32_t)pid, 2, 0x1000, &place) != NULL);
	fuzz_check(readperf_replay_maps(run->replay, (uint32_t)pid, count_map, &nr_maps) ==
		   (nr_maps == 3));
	fuzz_check(readperf_replay_processes(run->replay, count_process, &nr_processes) ==
		   (nr_processes == 3));
	return 0;
}

static int use_record(struct library_run *run, const struct readperf_record *record,
		      struct readperf_error *err)
{
	const uint64_t index = readperf_record_index(record);

	fuzz_check(!(run->choices & FILE_ORDER) || run->nr == 0 || index > run->last_index);
	run->last_index = index;
	run->nr++;
	for (int field = 0; field == 0 || readperf_field_name(field); field++)
		check_field(record, field);
	if (!run->replay)
		return 0;
	if (readperf_replay_apply(run->replay, record, err) < 0)
		return -1;
	if (run->choices & SNAPSHOTS && run->nr % 64 == 0 &&
	    readperf_replay_snapshot(run->replay, err) < 0)
		return -1;
	return run->nr < 200 ? ask(run, record, err) : 0;
}

/* Returns 0 at the end, -1 with @err filled. */
static int use_all(struct library_run *run, struct readperf_error *err)
{
	const struct readperf_record *records[BATCH];
	long nr = 1;

	while (nr > 0) {
		nr = run->choices & BY_BATCHES
			     ? readperf_recording_next_batch(run->recording, records, BATCH, err)
			     : readperf_recording_next(run->recording, records, err);
		for (long i = 0; i < nr; i++)
			if (use_record(run, records[i], err) < 0)
				return -1;
	}
	return (int)nr;
}

/* Every cell of the table, once more than there are columns. */
static void use_table(const struct readperf_table *table)
{
	const size_t nr_rows = readperf_table_nr_rows(table);

	for (size_t i = 0; i <= readperf_table_nr_columns(table); i++) {
		const uint32_t *codes = readperf_table_codes(table, i);
		const uint8_t *known = readperf_table_known(table, i);

		for (size_t row = 0; codes && row < nr_rows; row++)
			fuzz_check(known[row] <= 1 && readperf_table_text(table, i, codes[row]));
		fuzz_check(!readperf_table_text(table, i,
						(uint32_t)readperf_table_nr_texts(table, i)));
	}
}

static void use_results(struct library_run *run, struct readperf_error *err)
{
	struct readperf_table *table = NULL;

	if (readperf_replay_finish(run->replay, err) == 0)
		table = readperf_table_read(run->replay, run->table, err);
	if (table)
		use_table(table);
	else
		check_error(err);
	readperf_table_free(table);
}

static void run_library(struct library_run *run, const struct readperf_settings *settings)
{
	struct readperf_error err = {0};
	struct readperf_facts *facts;

	if (run->choices & FILE_ORDER)
		readperf_recording_keep_order(run->recording);
	else if (!(run->choices & WITHOUT_REPLAY))
		run->replay = readperf_replay_create(run->recording, settings, &err);
	if (use_all(run, &err) < 0)
		check_error(&err);
	else if (run->replay)
		use_results(run, &err);
	facts = readperf_facts_read(run->recording, &err);
	for (size_t i = 0; facts && i < readperf_facts_count(facts); i++)
		fuzz_check(readperf_facts_key(facts, i) && readperf_facts_value(facts, i));
	readperf_facts_free(facts);
	readperf_replay_free(run->replay);
}

/* Symbols are looked for where nothing is. */
static struct readperf_settings *make_settings(const struct library_run *run)
{
	struct readperf_settings *settings = readperf_settings_create(NULL);

	readperf_settings_set(settings, "symfs", fuzz_empty_dir(), NULL);
	readperf_settings_set(settings, "buildid-dir", "/nonexistent", NULL);
	readperf_settings_set(settings, "threads", "1", NULL);
	readperf_settings_set(settings, "inline", run->choices & INLINED ? "yes" : "no", NULL);
	readperf_settings_set(settings, "tables", run->table, NULL);
	return settings;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choices choices = fuzz_choices_of(data, size);
	struct library_run run = {.choices = fuzz_u8(&choices)};
	struct readperf_settings *settings;
	struct readperf_error err = {0};
	unsigned nr = 0;
	const uint8_t *bytes;
	size_t left;

	while (readperf_table_name(nr))
		nr++;
	run.table = readperf_table_name(fuzz_pick(&choices, nr));
	bytes = fuzz_bytes(&choices, size, &left);
	run.recording = readperf_recording_open_memory(bytes, left, "input", &err);
	settings = make_settings(&run);
	if (run.recording)
		run_library(&run, settings);
	else
		check_error(&err);
	readperf_recording_close(run.recording);
	readperf_settings_free(settings);
	return 0;
}
