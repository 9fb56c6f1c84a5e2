/* Which combination of the keys of --per each sample has, and what functions counted for each. */
#ifndef READPERF_DECODE_REPLAY_SAMPLESPLIT_H
#define READPERF_DECODE_REPLAY_SAMPLESPLIT_H

#include "decode/answer/splitchain.h"
#include "decode/answer/splitstat.h"
#include "decode/count/keytuples.h"
#include "decode/count/splitcount.h"
#include "decode/process/cgroups.h"
#include "decode/process/dataplace.h"
#include "decode/process/process.h"
#include "decode/replay/perkeys.h"
#include "decode/symbol/symbol.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/error.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero, but for @keys and @tuples.nr_keys, is empty. */
struct samplesplit {
	const struct perkeys *keys; /* without any, nothing is split */
	const struct addrspaces *spaces;
	struct samplefield fields[PERKEYS_MAX];
	size_t nr_events; /* events when the fields were looked for */
	bool timed;	  /* @first is known */
	uint64_t first;	  /* ns, time of the first sample: slices count from it */
	struct keytuples tuples;
	struct splitcount counts;
	struct cgroups cgroups;
	struct data_places data;       /* of the key data_symbol */
	uint32_t *data_texts;	       /* by number of the place: its text in @strings */
	uint32_t *same;		       /* by tuple: the first with the same values; NULL: itself */
	struct intern strings;	       /* texts of fields; in the end also those of all values */
	struct split_value *values;    /* of each tuple */
	struct splitstat rows, recent; /* of the whole recording; of the window */
	struct splitchains chains;
};

/** Makes it split by @keys; these and @spaces are borrowed. */
void samplesplit_init(struct samplesplit *split, const struct perkeys *keys,
		      const struct addrspaces *spaces);

/** What keys may be of a sample. */
struct split_sample {
	const struct thread *thread;
	uint64_t time;		  /* ns */
	uint32_t pid, tid, cpu;	  /* as in struct record */
	unsigned has;		  /* HAS_, see struct record */
	const struct record *rec; /* NULL for a plain sample, which has no more */
};

/** Whether the keys are of nothing but the thread and the CPU, which plain samples have, too. */
bool samplesplit_takes_plain(const struct samplesplit *split);

/**
 * Sets *@tuple to the number of the combination that @sample has. Returns 0, or -1 with @err
 * filled.
 */
int samplesplit_tuple(struct samplesplit *split, const struct perffile *file,
		      const struct split_sample *sample, uint32_t *tuple, struct error *err);

/** Fills @err: why splitcount_add() failed. Returns -1. */
int samplesplit_fail(const struct samplesplit *split, struct error *err);

/**
 * Makes the rows, split->rows.stat, from those of functions in @input, whose keys and values are
 * set here. @comms: names of threads; @symbolizer: for names of data. Returns 0, or -1 with @err
 * filled.
 */
int samplesplit_finish(struct samplesplit *split, struct splitstat_input *input,
		       const struct intern *comms, struct symbolizer *symbolizer,
		       struct error *err);

/** Makes the rows of the window, split->recent.stat, after samplesplit_finish(), with its @input.
 */
int samplesplit_recent(struct samplesplit *split, const struct splitstat_input *input,
		       const struct recentcount *window, struct error *err);

/** Adds what call chains counted to split->rows.stat, after samplesplit_finish(); as that. */
int samplesplit_chains(struct samplesplit *split, const struct pathstore *paths, struct error *err);

void samplesplit_free(struct samplesplit *split);

#endif
