/* When the first and the last sample were taken: a function of perffile.h, which reads for that. */
#include "perffile/handle.h"
#include "perffile/perffile.h"
#include "perffile/record/offcpu.h"

static const struct sample_times no_times = {UINT64_MAX, 0};

static bool are_times(const struct sample_times *times)
{
	return times->first <= times->last;
}

/*
 * Reads what perf noted: u64 first, u64 last. They are 0 if perf record did not look at its samples
 * at the end (-B, or into a pipe), UINT64_MAX if these have no times; the last one is invented if
 * it is a sum of waits.
 */
static bool read_noted(const struct perffile *file, struct sample_times *times)
{
	struct span s = features_section(&file->features, file->header.swap, FEATURE_SAMPLE_TIME);

	times->first = span_u64(&s);
	times->last = span_u64(&s);
	return !s.failed && times->first > 0 && are_times(times) &&
	       !offcpu_is_invented(times->last);
}

static void note(struct sample_times *times, uint64_t time)
{
	if (time < times->first)
		times->first = time;
	if (time > times->last)
		times->last = time;
}

/* Reads @file up to its first sample or, to find the last one, to its end. */
static int read_times(struct perffile *file, bool last, struct sample_times *times,
		      struct error *err)
{
	struct sample_times samples = no_times, others = no_times;
	const struct record *rec;
	int rc;

	if (last)
		perffile_keep_order(file); /* the earliest and the latest need no order */
	while ((rc = perffile_next(file, &rec, err)) > 0) {
		if (!(rec->has & HAS_TIME) || !rec->time)
			continue;
		note(rec->type == RECORD_SAMPLE ? &samples : &others, rec->time);
		if (!last && are_times(&samples))
			break;
	}
	if (rc < 0 && err->kind == ERROR_NOMEM)
		return -1;
	*times = are_times(&samples) ? samples : others;
	return are_times(times);
}

/* Where the recording that is read again shows how far it is. */
struct showing {
	const struct times_search *search;
	const struct perffile *file;
};

static int show(void *arg, struct error *err)
{
	const struct showing *showing = arg;

	(void)err;
	showing->search->show(showing->search->arg, perffile_bytes_read(showing->file),
			      perffile_bytes_total(showing->file));
	return 0;
}

int perffile_sample_times(const struct perffile *file, const struct times_search *search,
			  struct sample_times *times, struct error *err)
{
	struct showing showing = {.search = search};
	struct perffile *again;
	int rc;

	if (read_noted(file, times))
		return 1;
	again = perffile_open_again(file, err);
	if (!again)
		return -1;
	showing.file = again;
	if (search->show)
		perffile_set_tick(again, show, &showing);
	rc = read_times(again, search->last, times, err);
	perffile_close(again);
	return rc;
}
