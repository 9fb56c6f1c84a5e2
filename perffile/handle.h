/* The handle of an open recording, private to perffile/. */
#ifndef READPERF_PERFFILE_HANDLE_H
#define READPERF_PERFFILE_HANDLE_H

#include "perffile/counts.h"
#include "perffile/feature/feature.h"
#include "perffile/input/directory.h"
#include "perffile/input/header.h"
#include "perffile/order/queue.h"
#include "perffile/record.h"
#include "perffile/record/events.h"
#include "perffile/record/plain.h"
#include "perffile/record/recordsize.h"
#include "perffile/recover/plausible.h"
#include "perffile/stream.h"
#include "util/apart.h"
#include "perffile/tracestore.h"
#include "perffile/work.h"

struct ahead;

/** Called around what changes @events, @features or @sizes of a recording; NULL: nothing is. */
struct meta_gate {
	int (*close)(void *arg, struct error *err); /* 0, or -1 with @err filled to read no more */
	void (*open)(void *arg);
	void *arg;
};

/** One file of a recording. */
struct part {
	struct source source;
	struct stream stream;
};

enum { HELD_BLOCKS_MAX = 16 };

/** What perffile_next_batch() and perffile_next_plain() keep until the next call. */
struct held {
	uint64_t number; /* counts what was kept so far: a holder of blocks */
	struct block *blocks[HELD_BLOCKS_MAX];
	size_t nr_blocks;
	bool failed; /* by @err, which comes after the records of a batch */
	struct error err;
};

struct perffile {
	struct file_list files;
	struct part *parts; /* nr_parts of them are open; [0] has the header */
	size_t nr_parts;
	struct header header;
	struct event_set events;
	struct record_sizes sizes;
	struct plausibility plausible;
	struct features features;
	struct tracestore traces;
	bool old_pipe; /* see meta_is_old_pipe() */
	bool told;     /* what the recording says of itself is known: lateevents_read() */
	bool started;  /* the header is read */
	bool unsorted; /* records are returned as they are in the file */
	struct meta_gate gate;
	struct ahead *ahead; /* the thread that frames and sorts records; NULL: none */

	/* What framing changes; there may be a thread for it. */
	struct apart before_framing;
	size_t current; /* the part being framed */
	struct block_pool pool;
	struct queue queue;
	uint64_t nr;   /* index of the next record to be framed */
	bool finished; /* all parts are framed */
	struct event_finder framing;
	struct perffile_counts framed; /* what was counted since counts_move() */

	/* What returning records changes. */
	struct apart after_framing;
	bool reads_ahead;	    /* a thread may be started */
	uint64_t last_time;	    /* ns, of the newest record delivered in time order */
	struct raw_stretch stretch; /* the records to be returned next */
	struct event_finder decoding;
	/* returned by perffile_next_plain(), if no thread reads ahead */
	union {
		struct plain_sample plain[PLAIN_SAMPLES_MAX];
		struct {
			struct packed_sample packed[PLAIN_SAMPLES_MAX];
			struct packed_run runs[PACKED_RUNS_MAX];
		};
	};
	struct plain_taker taker;
	bool wants_plain; /* perffile_next_plain() was called */
	bool packs;	  /* perffile_pack() was */
	/* perffile_set_work(); NULL: no work */
	perffile_work work;
	void *work_arg;
	size_t nr_threads;
	struct record rec; /* returned by perffile_next() */
	struct held held;
	struct perffile_counts counts;
};

/** Whether plain samples are packed now: events that come later may have call chains. */
static inline bool handle_packs(const struct perffile *file)
{
	return file->packs && !file->header.swap && events_can_pack(&file->events);
}

#endif
