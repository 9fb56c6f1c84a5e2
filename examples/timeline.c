/* timeline RECORDING: when each thread was sampled, as SVG. In names, what is not ASCII is "?". */
#include <readperf/readperf.h>

#include <inttypes.h>
#include <stdio.h>

enum { THREADS_MAX = 200, WIDTH = 1000, LABEL = 160, ROW = 16 };

struct thread {
	uint64_t tid;
	char comm[64];
	unsigned counts[WIDTH - LABEL]; /* samples by pixel */
};

struct timeline {
	struct thread threads[THREADS_MAX];
	size_t nr;
	uint64_t first, last; /* ns */
};

/* The row of the thread, NULL if there are too many. */
static struct thread *thread_of(struct timeline *to, uint64_t tid)
{
	for (size_t i = 0; i < to->nr; i++)
		if (to->threads[i].tid == tid)
			return &to->threads[i];
	if (to->nr == THREADS_MAX)
		return NULL;
	to->threads[to->nr].tid = tid;
	return &to->threads[to->nr++];
}

static void add(struct timeline *to, int pass, const struct readperf_replay *replay,
		const struct readperf_record *record)
{
	uint64_t time, tid;
	struct thread *thread;

	if (readperf_record_type(record) != READPERF_RECORD_SAMPLE ||
	    !readperf_record_number(record, READPERF_FIELD_TIME, &time) ||
	    !readperf_record_number(record, READPERF_FIELD_TID, &tid))
		return;
	if (pass == 0) {
		to->first = to->last ? to->first : time;
		to->last = time;
		return;
	}
	if (!(thread = thread_of(to, tid)))
		return;
	thread->counts[(time - to->first) * (WIDTH - LABEL - 1) / (to->last - to->first + 1)]++;
	snprintf(thread->comm, sizeof(thread->comm), "%s", readperf_replay_comm(replay, record));
}

/* Reads the recording: in pass 0 for the times, then for the samples. */
static int scan(struct timeline *to, const char *path, int pass, struct readperf_error *err)
{
	struct readperf_recording *recording = readperf_recording_open(path, err);
	struct readperf_replay *replay = NULL;
	const struct readperf_record *record;
	int rc = -1;

	if (recording)
		replay = readperf_replay_create(recording, NULL, err);
	while (replay && (rc = readperf_recording_next(recording, &record, err)) > 0 &&
	       (rc = readperf_replay_apply(replay, record, err)) >= 0)
		add(to, pass, replay, record);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	return rc;
}

static void draw(const struct thread *thread, size_t row)
{
	printf("<text x=\"2\" y=\"%zu\">", row * ROW + 12);
	for (const char *at = thread->comm; *at; at++)
		*at == '<' || *at == '&' ? printf("&#%d;", *at)
					 : putchar(*at < ' ' || *at > '~' ? '?' : *at);
	printf(" %" PRIu64 "</text>\n", thread->tid);
	for (size_t x = 0; x < WIDTH - LABEL; x++)
		if (thread->counts[x])
			printf("<rect x=\"%zu\" y=\"%zu\" width=\"1\" height=\"14\"/>\n", x + LABEL,
			       row * ROW + 1);
}

int main(int argc, char **argv)
{
	static struct timeline timeline;
	struct readperf_error err;

	for (int pass = 0; pass < 2; pass++)
		if (scan(&timeline, argc > 1 ? argv[1] : "perf.data", pass, &err) < 0)
			return fprintf(stderr, "timeline: %s\n", err.text) > 0;
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
	       "font-family=\"sans-serif\" font-size=\"11\">\n",
	       WIDTH, timeline.nr * ROW);
	for (size_t i = 0; i < timeline.nr; i++)
		draw(&timeline.threads[i], i);
	return puts("</svg>") < 0;
}
