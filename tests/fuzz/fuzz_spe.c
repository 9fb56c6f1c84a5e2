/*
 * The bytes of an Arm SPE trace: records and what is lost make up all of them but padding, and the
 * tables have each record once.
 */
#include "decode/answer/memoryaccess.h"
#include "decode/replay.h"
#include "decode/trace/spesource.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"
#include "tests/support/answers.h"
#include "tests/writer/mkperf.h"

#include <linux/perf_event.h>
#include <string.h>

static const uint64_t midrs[] = {0, 0x410fd490, 0x480fd060, 0xc00fac40};

static void check_source(const struct sperecord *record, size_t number)
{
	const struct speinfo_cpu cpu = {.midr = midrs[number % 4], .event_filter = number};
	struct memory_words words;

	memory_access_words(spesource_data_src(record, &cpu), &words);
	fuzz_check(strlen(words.source) < MEMORY_WORD_MAX);
}

/* Reads all records; returns how many are whole. */
static size_t read_records(const uint8_t *data, size_t size, size_t *lost)
{
	struct spereader reader = {.bytes = data, .size = size};
	enum sperecord_found found;
	struct sperecord record;
	size_t whole = 0, bytes, at = 0;

	*lost = 0;
	while ((found = sperecord_next(&reader, &record, &bytes)) != SPERECORD_END) {
		fuzz_check(bytes > 0 && reader.at <= size && at + bytes <= reader.at);
		at = reader.at;
		whole += found == SPERECORD_WHOLE;
		*lost += found == SPERECORD_WHOLE ? 0 : bytes;
		check_source(&record, whole);
	}
	fuzz_check(reader.at == size);
	return whole;
}

static struct mkperf *recording_of(const uint8_t *data, size_t size)
{
	const uint64_t words[] = {2, 4, 8, 1, 77, 0, 4, midrs[size % 4], 8, 1024, size};
	struct mkperf *m = mkperf_new(NULL);

	fuzz_check(m);
	mkperf_event(m, &(struct mkperf_event){.type = 8, .sample_type = PERF_SAMPLE_TID});
	mkperf_begin(m, 70, 0);
	mkperf_u32(m, 4);
	mkperf_u32(m, 0);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		mkperf_u64(m, words[i]);
	mkperf_end(m);
	mkperf_begin(m, MKPERF_RECORD_AUXTRACE, 0);
	mkperf_u64(m, size);
	mkperf_bytes(m, NULL, 24);
	mkperf_u64(m, UINT32_MAX);
	mkperf_end(m);
	mkperf_payload(m, data, size);
	return m;
}

/* What is in the bytes. */
struct expected {
	size_t whole, lost; /* records, bytes */
};

static void check(const struct results *results, const void *arg)
{
	const struct expected *expected = arg;
	const struct spe_stat *rows = ANSWER_ROWS(results, spestat_functions, spe_stat);
	const struct memory_stat *memory = ANSWER_ROWS(results, memorystat_accesses, memory_stat);
	uint64_t all = 0, of_memory = 0, accesses = 0;

	for (size_t i = 0; i < ANSWER_NR(results, spestat_functions); i++) {
		if (strcmp(rows[i].event->name, "arm_spe:instructions") == 0)
			all += rows[i].records;
		if (strcmp(rows[i].event->name, "arm_spe:memory") == 0)
			of_memory += rows[i].records;
	}
	for (size_t i = 0; i < ANSWER_NR(results, memorystat_accesses); i++)
		accesses += memory[i].tally.samples;
	fuzz_check(all == expected->whole && of_memory == accesses);
	fuzz_check(results->operations ? results->operations->records == expected->whole &&
						 results->operations->lost_bytes == expected->lost
				       : expected->whole == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct needs needs = {
		{&spestat_functions, &memorystat_accesses, &cachelinestat_accesses}, 3};
	struct expected expected;
	struct mkperf *m;
	struct fuzz_file input;
	struct perffile *file;
	struct error err = {0};
	const uint8_t *bytes;
	size_t len;

	size &= ~(size_t)7; /* as the recorder pads it */
	expected.whole = read_records(data, size, &expected.lost);
	m = recording_of(data, size);
	bytes = mkperf_finish(m, &len);
	fuzz_check(bytes);
	input = fuzz_file_make(bytes, len);
	file = perffile_open(input.path, &err);
	fuzz_check(file);
	fuzz_replay_needs(file, &needs, check, &expected);
	perffile_close(file);
	fuzz_file_close(&input);
	mkperf_free(m);
	return 0;
}
