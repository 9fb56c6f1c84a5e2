/*
 * The fields of the tracepoints at the begin and the end of system calls, a NUL after each, then
 * choices for their samples: what syscalls.csv has of them is possible.
 */
#include "decode/replay.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/replay.h"
#include "tests/support/answers.h"
#include "tests/writer/mkperf.h"

#include <linux/perf_event.h>
#include <string.h>

enum { ENTER_ID = 21, EXIT_ID = 22, SAMPLES_MAX = 2000, RAW_MAX = 40 };

static void put_tracing(struct mkperf *m, const char *enter, const char *exit)
{
	const size_t room = strlen(enter) + strlen(exit) + 80;
	char *of_enter = malloc(room), *of_exit = malloc(room);
	const char *const formats[] = {of_enter, of_exit};

	fuzz_check(of_enter && of_exit);
	snprintf(of_enter, room, "name: sys_enter\nID: %d\nformat:\n%s", ENTER_ID, enter);
	snprintf(of_exit, room, "name: sys_exit\nID: %d\nformat:\n%s", EXIT_ID, exit);
	mkperf_tracing(m, &(struct mkperf_tracepoints){"raw_syscalls", formats, 2}, 1);
	free(of_enter);
	free(of_exit);
}

static void add_event(struct mkperf *m, uint64_t id)
{
	mkperf_event(m, &(struct mkperf_event){.type = PERF_TYPE_TRACEPOINT,
					       .config = id,
					       .sample_period = 1,
					       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							      PERF_SAMPLE_TIME | PERF_SAMPLE_RAW |
							      PERF_SAMPLE_IDENTIFIER,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					       .ids = &id,
					       .nr_ids = 1});
}

/* What was put into a recording. */
struct samples {
	size_t nr;
	uint64_t span; /* ns between the first and the last */
};

static struct samples put_samples(struct mkperf *m, struct fuzz_choices *choices)
{
	uint64_t time = 1000;
	size_t nr = 0;

	for (; nr < SAMPLES_MAX && fuzz_choices_left(choices); nr++) {
		const uint8_t what = fuzz_u8(choices);
		struct mkperf_sample sample = {.event = what & 1,
					       .pid = 10 + (what >> 1 & 1),
					       .tid = 10 + (what >> 1 & 3),
					       .time = time += what >> 4};
		size_t got;

		sample.raw = fuzz_bytes(choices, fuzz_u8(choices) % RAW_MAX, &got);
		sample.raw_size = (uint32_t)got;
		mkperf_sample(m, &sample);
	}
	return (struct samples){nr, time - 1000};
}

static void check(const struct results *results, const void *arg)
{
	const struct samples *samples = arg;
	const struct syscall_stat *rows = ANSWER_ROWS(results, syscallstat_calls, syscall_stat);
	uint64_t calls = 0, unfinished = 0;

	for (size_t i = 0; i < ANSWER_NR(results, syscallstat_calls); i++) {
		fuzz_check(rows[i].failed <= rows[i].count);
		fuzz_check(rows[i].max <= rows[i].total && rows[i].max <= samples->span);
		fuzz_check(rows[i].total <= rows[i].max * rows[i].count);
		calls += rows[i].count;
		unfinished += rows[i].unfinished;
	}
	fuzz_check(2 * calls + unfinished <= samples->nr && unfinished <= 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct needs needs = {{&syscallstat_calls}, 1};
	struct fuzz_choices choices;
	struct mkperf *m = mkperf_new(NULL);
	char *text = fuzz_text(data, size);
	const size_t enter = strlen(text), end = enter < size ? enter + 1 : size;
	const size_t exit = strlen(text + end), rest = end + exit;
	struct fuzz_file input;
	struct perffile *file;
	struct error err = {0};
	const uint8_t *bytes;
	struct samples samples;
	size_t len;

	fuzz_check(m);
	choices = fuzz_choices_of(data + rest, size - rest);
	add_event(m, ENTER_ID);
	add_event(m, EXIT_ID);
	mkperf_feature_string(m, MKPERF_ARCH, "x86_64");
	put_tracing(m, text, text + end);
	fuzz_u8(&choices); /* the NUL */
	samples = put_samples(m, &choices);
	bytes = mkperf_finish(m, &len);
	fuzz_check(bytes);
	input = fuzz_file_make(bytes, len);
	file = perffile_open(input.path, &err);
	if (file)
		fuzz_replay_needs(file, &needs, check, &samples);
	perffile_close(file);
	fuzz_file_close(&input);
	mkperf_free(m);
	free(text);
	return 0;
}
