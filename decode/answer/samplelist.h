/* All samples of a run, sorted by thread and time, in limited memory. */
#ifndef READPERF_DECODE_ANSWER_SAMPLELIST_H
#define READPERF_DECODE_ANSWER_SAMPLELIST_H

#include "decode/count/samplelog.h"
#include "decode/results/pathrows.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

struct sorter;

/** All zero is not started. */
struct sample_list {
	struct sorter *sorter;
	uint64_t nr;
};

/** Starts a list, without the samples of the one before. Returns false if memory is out. */
bool samplelist_start(struct sample_list *list);

/** Adds @sample, whose chain is @chain. Returns 0, or -1 with @err filled. */
int samplelist_add(struct sample_list *list, const struct logged_sample *sample, uint32_t chain,
		   struct error *err);

/** Goes back to the first sample. Returns 0, or -1 with @err filled. */
int samplelist_rewind(struct sample_list *list, struct error *err);

/** Fills @row with the next sample. Returns 1, 0 at the end, -1 with @err filled. */
int samplelist_next(struct sample_list *list, struct sample_stat *row, struct error *err);

void samplelist_free(struct sample_list *list);

#endif
