#include "report/export/firefoxthreads.h"

#include "report/export/firefoxvalues.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_no_markers(struct firefox *to)
{
	static const char *const columns[] = {"data",  "name",	   "startTime", "endTime",
					      "phase", "category", NULL};

	firefoxvalues_no_rows(to, "markers", columns);
}

static void start_thread(struct firefox *to, const struct firefox_thread *thread)
{
	struct json *json = &to->json;
	char pid[24], tid[24];

	snprintf(pid, sizeof(pid), "%" PRId64, thread->pid);
	snprintf(tid, sizeof(tid), "%" PRId64, thread->tid);
	json_open(json, NULL, '{');
	json_text(json, "name", *thread->comm ? thread->comm : "[unknown]");
	json_bool(json, "isMainThread", thread->pid == thread->tid);
	json_text(json, "processType", "default");
	json_text(json, "processName", thread->process_comm);
	firefoxvalues_ms(to, "processStartupTime", 0);
	json_null(json, "processShutdownTime");
	firefoxvalues_ms(to, "registerTime", thread->first - to->start);
	json_null(json, "unregisterTime");
	firefoxvalues_empty(to, "pausedRanges");
	json_text(json, "pid", pid);
	json_digits(json, "tid", tid);
	put_no_markers(to);
	json_open(json, "samples", '{');
	json_u64(json, "length", thread->nr);
	json_text(json, "weightType", to->view->event->is_time ? "tracing-ms" : "samples");
	json_open(json, "stack", '[');
}

/* Copies what was put into @spool since @from, a list of numbers. */
static void copy_numbers(struct firefox *to, const char *key, struct spool *spool, uint64_t from)
{
	char bytes[4096];

	json_open(&to->json, key, '[');
	while (!to->failed && from < spool->size) {
		const uint64_t left = spool->size - from;
		const size_t len = left < sizeof(bytes) ? (size_t)left : sizeof(bytes);

		if (spool_get(spool, from, bytes, len, &to->err) < 0)
			to->failed = true;
		else
			outfile_append(to->view->out, bytes, len);
		from += len;
	}
	json_close(&to->json);
}

static void spool_number(struct firefox *to, struct spool *spool, const char *text, bool first)
{
	if ((!first && spool_put(spool, ",", 1, &to->err) < 0) ||
	    spool_put(spool, text, strlen(text), &to->err) < 0)
		to->failed = true;
}

static void end_thread(struct firefox *to)
{
	json_close(&to->json);
	copy_numbers(to, "time", &to->times, to->times_from);
	if (to->view->event->is_time)
		copy_numbers(to, "weight", &to->weights, to->weights_from);
	else
		json_null(&to->json, "weight");
	json_close(&to->json);
	json_close(&to->json);
	to->times_from = to->times.size;
	to->weights_from = to->weights.size;
	to->nr_done = 0;
	to->at++;
}

/* Samples come by thread, in the order of the list. */
static void put_sample(struct firefox *to, const struct sample_stat *sample)
{
	const struct firefox_thread *thread = &to->threads[to->at];
	const bool first = to->nr_done++ == 0;
	char text[FIREFOXVALUES_MS_MAX];

	if (first)
		start_thread(to, thread);
	json_u64(&to->json, NULL, to->stacks[sample->chain]);
	firefoxvalues_format_ms(text, sample->time - to->start);
	spool_number(to, &to->times, text, first);
	if (to->view->event->is_time) {
		firefoxvalues_format_ms(text, sample->period);
		spool_number(to, &to->weights, text, first);
	}
	if (to->nr_done == thread->nr)
		end_thread(to);
}

void firefoxthreads_put(struct firefox *to)
{
	json_open(&to->json, "threads", '[');
	firefoxindex_samples(to, put_sample);
	json_close(&to->json);
}
