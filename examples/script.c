/* script RECORDING: the samples as perf script prints them, on one line or with their chains. */
#include <readperf/readperf.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Names of events have one width. */
static int width_of_events(const struct readperf_recording *recording)
{
	int width = 0, len;

	for (size_t i = 0; i < readperf_recording_nr_events(recording); i++) {
		len = (int)strlen(readperf_event_name(readperf_recording_event(recording, i)));
		width = len > width ? len : width;
	}
	return width;
}

/* The header of a sample; a chain follows on lines of its own. */
static void print_head(struct readperf_replay *replay, const struct readperf_record *record,
		       int has_chain, int width)
{
	const struct readperf_event *event = readperf_record_event(record);
	uint64_t tid, cpu, time, period;

	readperf_record_number(record, READPERF_FIELD_TID, &tid);
	readperf_record_number(record, READPERF_FIELD_TIME, &time);
	readperf_record_number(record, READPERF_FIELD_PERIOD, &period);
	printf(has_chain ? "%s %" PRIu64 : "%16s %5" PRIu64, readperf_replay_comm(replay, record),
	       tid);
	if (readperf_record_number(record, READPERF_FIELD_CPU, &cpu))
		printf(" [%03" PRIu64 "]", cpu);
	time /= 1000;
	printf(" %5" PRIu64 ".%06" PRIu64 ": %10" PRIu64 " %*s: %s", time / 1000000, time % 1000000,
	       period, width, readperf_event_name(event), has_chain ? "\n" : "");
}

static int print_frame(struct readperf_replay *replay, size_t number, int has_chain,
		       struct readperf_error *err)
{
	struct readperf_symbols *symbols = readperf_replay_symbols(replay);
	const struct readperf_binary *binary;
	const struct readperf_symbol *symbol;
	const char *path;
	const int returns = readperf_replay_frame_returns(replay, number);
	uint64_t place, address = readperf_replay_frame_ip(replay, number);

	binary = readperf_replay_frame_place(replay, number, &place);
	symbol = readperf_symbols_find(symbols, binary, place, err);
	if (!symbol)
		return -1;
	/* In chains the addresses of user code are those of its file. */
	if (has_chain && !readperf_binary_is_kernel(binary))
		address = readperf_symbol_address(symbol) + (uint64_t)returns;
	printf("%s%16" PRIx64 " %s", has_chain ? "\t" : " ", address,
	       readperf_symbol_function(symbol));
	if (!*readperf_symbol_reason(symbol))
		printf("+0x%" PRIx64, readperf_symbol_offset(symbol) + (uint64_t)returns);
	path = readperf_binary_path(binary);
	printf(" (%s)\n", strcmp(path, "[unmapped]") == 0 ? "[unknown]" : path);
	return 0;
}

static int print_sample(struct readperf_replay *replay, const struct readperf_record *record,
			int width, struct readperf_error *err)
{
	const int has_chain = readperf_record_has(record, READPERF_FIELD_CALLCHAIN);
	const long nr = readperf_replay_chain(replay, record, err);
	int rc = nr < 0 ? -1 : 0;

	print_head(replay, record, has_chain, width);
	for (long i = 0; rc == 0 && i < (has_chain ? nr : 1); i++)
		rc = print_frame(replay, (size_t)i, has_chain, err);
	fputs(has_chain ? "\n" : "", stdout);
	return rc;
}

int main(int argc, char **argv)
{
	struct readperf_recording *recording;
	struct readperf_replay *replay = NULL;
	const struct readperf_record *record;
	struct readperf_error err = {0};
	int rc = -1;

	recording = readperf_recording_open(argc > 1 ? argv[1] : "perf.data", &err);
	if (recording)
		replay = readperf_replay_create(recording, NULL, &err);
	while (replay && (rc = readperf_recording_next(recording, &record, &err)) > 0)
		if ((rc = readperf_replay_apply(replay, record, &err)) < 0 ||
		    (readperf_record_type(record) == READPERF_RECORD_SAMPLE &&
		     (rc = print_sample(replay, record, width_of_events(recording), &err)) < 0))
			break;
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	return rc < 0 && fprintf(stderr, "script: %s\n", err.text);
}
