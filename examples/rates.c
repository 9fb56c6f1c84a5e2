/* rates RECORDING: samples for each second and thread, as TSV: time of day (or ns), tid, comm,
 * samples. */
#include <readperf/readperf.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 256 };

struct rate {
	uint64_t second, tid, samples;
	char comm[17];
};

struct rates {
	struct rate *all;
	size_t nr, room;
};

/* Counts a sample. Time goes on, so that the row of its second and thread is among the last. */
static void count(struct rates *to, uint64_t second, uint64_t tid, const char *comm)
{
	struct rate *rate;

	for (size_t i = to->nr; i > 0 && to->all[i - 1].second == second; i--)
		if (to->all[i - 1].tid == tid) {
			to->all[i - 1].samples++;
			return;
		}
	if (to->nr == to->room) {
		to->room = to->room ? 2 * to->room : 1024;
		to->all = realloc(to->all, to->room * sizeof(*to->all));
		if (!to->all)
			abort();
	}
	rate = &to->all[to->nr++];
	*rate = (struct rate){.second = second, .tid = tid, .samples = 1};
	strncpy(rate->comm, comm, sizeof(rate->comm) - 1);
}

/* The second of the sample: since 1970, if the recording tells, else of its own clock. */
static uint64_t second_of(const struct readperf_recording *recording, uint64_t time)
{
	int64_t wall;

	return (readperf_recording_wall_time(recording, time, &wall) ? (uint64_t)wall : time) /
	       1000000000;
}

/* Returns as readperf_recording_next_batch(). */
static long count_batch(struct rates *to, struct readperf_recording *recording,
			struct readperf_replay *replay, struct readperf_error *err)
{
	const struct readperf_record *records[BATCH];
	const long nr = readperf_recording_next_batch(recording, records, BATCH, err);
	uint64_t time, tid;

	for (long i = 0; i < nr; i++) {
		if (readperf_replay_apply(replay, records[i], err) < 0)
			return -1;
		if (readperf_record_type(records[i]) == READPERF_RECORD_SAMPLE &&
		    readperf_record_number(records[i], READPERF_FIELD_TIME, &time) &&
		    readperf_record_number(records[i], READPERF_FIELD_TID, &tid))
			count(to, second_of(recording, time), tid,
			      readperf_replay_comm(replay, records[i]));
	}
	return nr;
}

int main(int argc, char **argv)
{
	struct readperf_error err = {0};
	struct readperf_recording *recording;
	struct readperf_replay *replay = NULL;
	struct rates rates = {0};
	long rc = -1;

	recording = readperf_recording_open(argc > 1 ? argv[1] : "perf.data", &err);
	if (recording)
		replay = readperf_replay_create(recording, NULL, &err);
	while (replay && (rc = count_batch(&rates, recording, replay, &err)) > 0)
		;
	for (size_t i = 0; i < rates.nr; i++)
		printf("%" PRIu64 "\t%" PRIu64 "\t%s\t%" PRIu64 "\n", rates.all[i].second,
		       rates.all[i].tid, rates.all[i].comm, rates.all[i].samples);
	if (rc < 0)
		fprintf(stderr, "rates: %s\n", err.text);
	free(rates.all);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	return rc < 0;
}
