/*
 * fold RECORDING [DIR]: call chains as lines "comm;outermost;...;innermost samples", sorted, for
 * programs that draw flame graphs. DIR: a folder of binaries by build id.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream() */
#include <readperf/readperf.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stacks {
	char **lines; /* one for each sample */
	size_t nr, room;
};

/* Appends ";function" of the frame to @out. Returns -1 with @err filled if memory is out. */
static int add_frame(struct readperf_replay *replay, size_t number, FILE *out,
		     struct readperf_error *err)
{
	struct readperf_symbols *symbols = readperf_replay_symbols(replay);
	const struct readperf_symbol *symbol;
	uint64_t place;
	const struct readperf_binary *binary = readperf_replay_frame_place(replay, number, &place);

	symbol = readperf_symbols_find(symbols, binary, place, err);
	if (symbol)
		fprintf(out, ";%s", readperf_symbol_function(symbol));
	return symbol ? 0 : -1;
}

static int add_sample(struct stacks *stacks, struct readperf_replay *replay,
		      const struct readperf_record *record, struct readperf_error *err)
{
	long nr = readperf_replay_chain(replay, record, err);
	size_t size;
	FILE *out;
	int rc = nr < 0 ? -1 : 0;

	if (stacks->nr == stacks->room) {
		stacks->room = stacks->room ? 2 * stacks->room : 1024;
		stacks->lines = realloc(stacks->lines, stacks->room * sizeof(*stacks->lines));
	}
	out = stacks->lines ? open_memstream(&stacks->lines[stacks->nr], &size) : NULL;
	if (!out)
		abort();
	fputs(readperf_replay_comm(replay, record), out);
	while (rc == 0 && nr-- > 0)
		rc = add_frame(replay, (size_t)nr, out, err);
	fclose(out);
	stacks->nr++;
	return rc;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_stacks(struct stacks *stacks)
{
	if (stacks->nr > 0)
		qsort(stacks->lines, stacks->nr, sizeof(*stacks->lines), compare);
	for (size_t i = 0, first = 0; i < stacks->nr; i++)
		if (i + 1 == stacks->nr || strcmp(stacks->lines[i], stacks->lines[i + 1]) != 0) {
			printf("%s %zu\n", stacks->lines[i], i + 1 - first);
			first = i + 1;
		}
}

int main(int argc, char **argv)
{
	struct readperf_error err = {0};
	struct readperf_settings *settings = readperf_settings_create(&err);
	struct readperf_recording *recording;
	struct readperf_replay *replay = NULL;
	const struct readperf_record *record;
	struct stacks stacks = {0};
	int rc = -1;

	recording = readperf_recording_open(argc > 1 ? argv[1] : "perf.data", &err);
	if (recording &&
	    (argc < 3 || !readperf_settings_set(settings, "buildid-dir", argv[2], &err)))
		replay = readperf_replay_create(recording, settings, &err);
	while (replay && (rc = readperf_recording_next(recording, &record, &err)) > 0)
		if ((rc = readperf_replay_apply(replay, record, &err)) < 0 ||
		    (readperf_record_type(record) == READPERF_RECORD_SAMPLE &&
		     (rc = add_sample(&stacks, replay, record, &err)) < 0))
			break;
	rc < 0 ? (void)fprintf(stderr, "fold: %s\n", err.text) : print_stacks(&stacks);
	while (stacks.nr > 0)
		free(stacks.lines[--stacks.nr]);
	free(stacks.lines);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
	return rc < 0;
}
