/*
 * The records of a recording on their way through the rooms: from its file to the replay, and to
 * the overview where there is one.
 *
 * The only place that pulls records: what leads to it is compiled into one piece.
 */
#ifndef READPERF_MAIN_READING_H
#define READPERF_MAIN_READING_H

#include "decode/compare/diff.h"
#include "decode/replay.h"
#include "decode/replay/filter.h"
#include "main/screen.h"
#include "perffile/perffile.h"
#include "report/report.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

struct reading {
	struct perffile *file;
	struct replay *replay;
	struct report *report;	     /* gets the records, too; or NULL */
	const struct filter *filter; /* the replay's */
	/* Called now and then. Returns 0, or -1 with @err filled: that ends the reading. */
	int (*tick)(void *arg, struct error *err);
	/* Called when @report cannot take a record, for the reason @err. Returns 0 to go on without
	 * it, @report being NULL and @err empty then, or -1 to end the reading. */
	int (*lose_report)(void *arg, struct error *err);
	void *tick_arg; /* of both */

	struct screen_mark mark; /* how far it has come */
	struct sample_span span; /* of the samples inside --time, other filters or not */
	bool sampled;		 /* there is one with a time */
};

/** Shows the @work of the replay on @progress, a struct progress: for struct replay_progress. */
void reading_show_work(void *progress, enum replay_work work, uint64_t done, uint64_t total);

/** Reads to the end. Returns 0, or -1 with @err filled. */
int reading_run(struct reading *reading, struct error *err);

#endif
