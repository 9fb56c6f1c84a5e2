/*
 * Reads the records of a recording: from the file to the replay, and to the overview table if it is
 * written. Most samples go many at a time, if nobody wants them as records.
 *
 * This is the only caller of perffile_next(), so that the compiler can inline it.
 */
#ifndef READPERF_MAIN_READING_H
#define READPERF_MAIN_READING_H

#include "decode/compare/diff.h"
#include "decode/replay.h"
#include "decode/replay/filter.h"
#include "main/eventnames.h"
#include "main/screen.h"
#include "perffile/perffile.h"
#include "report/report.h"
#include "util/error.h"
#include "util/progress.h"

#include <stdbool.h>
#include <stdint.h>

struct reading {
	struct perffile *file;
	struct replay *replay;
	struct eventnames names; /* of the file's events; for eventnames_free() */
	struct report *report;	 /* gets the records too; or NULL */
	struct filter *filter; /* the filter of the replay; of a stream it may wait for a sample */
	/* Called periodically. Returns 0, or -1 with @err filled to end the reading. */
	int (*tick)(void *arg, struct error *err);
	/* Called when @report cannot take a record, with the reason in @err. Returns 0 to go on
	 * with @err cleared, and @report set to NULL unless it takes what comes, or -1 to end the
	 * reading. */
	int (*lose_report)(void *arg, struct error *err);
	void *tick_arg; /* argument of both */

	bool is_alone;		    /* a thread may read ahead once a core is free */
	unsigned nr_turns;	    /* of asking for records, while it is alone */
	uint64_t bytes_before;	    /* that were read before the first record came */
	uint64_t next_look;	    /* bytes to be read before the cores are tried again */
	size_t nr_threads;	    /* that may be used; 0: the caller's alone */
	struct plain_samples plain; /* samples that were taken at once */
	struct screen_mark mark;    /* the current position */
	/* span of the samples inside --time, whatever other filters select */
	struct sample_span span;
	bool sampled; /* @span is set: there is a sample with a time */
};

/** Shows on @progress how much of the recording was read. */
void reading_show_bytes(const struct reading *reading, struct progress *progress);

/** Shows the @work on @progress, a struct progress; for struct replay_progress. */
void reading_show_work(void *progress, enum replay_work work, uint64_t done, uint64_t total);

/** Shows on @progress, a struct progress, that times of samples are looked for. */
void reading_show_times(void *progress, uint64_t done, uint64_t total);

/** Has up to @threads read reading->file and count its samples, if that is worth it. @cores: that
 * there are. */
void reading_use_threads(struct reading *reading, size_t threads, size_t cores);

/** Reads all records. Returns 0, or -1 with @err filled. */
int reading_run(struct reading *reading, struct error *err);

#endif
