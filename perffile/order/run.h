/*
 * A run: records that follow each other in the file, their times not descending.
 *
 * A warm run has its bytes in memory, in one block. A cold one has given them back and knows where
 * to read them again: in the file itself, or, of a pipe and of compressed records, in a spool.
 */
#ifndef READPERF_PERFFILE_ORDER_RUN_H
#define READPERF_PERFFILE_ORDER_RUN_H

#include "perffile/input/block.h"
#include "util/error.h"
#include "util/spool.h"
#include "util/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct warm_run {
	const uint8_t *bytes; /* of the first record left */
	struct block *block;  /* a reference */
	struct run *prev, *next;
};

struct cold_run {
	struct source *source; /* borrowed; NULL: the spool */
	uint64_t offset;       /* of the first record left, in either */
	uint64_t file_offset;  /* as a block's */
};

struct run {
	struct tree_node node;
	/* ns, of the first record left. Of a cold run that record may be later than that, for the
	 * run may not have been read so far, but its times do not descend. */
	uint64_t time;
	uint64_t nr;  /* index in the recording of the first record left */
	uint32_t len; /* bytes of all records left */
	bool cold;
	bool packed; /* cold: as a block's */
	union {
		struct warm_run warm;
		struct cold_run at;    /* cold */
		struct run *next_free; /* not in use */
	};
};

/** Where runs are kept; a queue's. */
struct run_store {
	struct block_pool *pool;
	struct spool spool;
	struct run *warm_first,
		*warm_last; /* all warm runs, in the order in which they became so */
	struct run *free;
	struct run_slab *slabs;
	size_t read_bytes; /* to read again at a time */
	bool swap;
	uint64_t bytes_cooled, bytes_reread; /* so far */
};

void run_store_init(struct run_store *store, struct block_pool *pool);

/** A run without contents, or NULL if memory is out. */
struct run *run_new(struct run_store *store);

/** Gives @run back, which must not hold a block. */
void run_drop(struct run_store *store, struct run *run);

/** Makes @run a warm one of the bytes at @bytes in @block, to which it takes over a reference. */
void run_set_warm(struct run_store *store, struct run *run, const uint8_t *bytes,
		  struct block *block);

/** Makes @run no longer a warm one: its block is the caller's from now on. */
void run_leave_warm(struct run_store *store, struct run *run);

/** Makes all warm runs cold. Returns 0, or -1 with @err filled. */
int run_cool_all(struct run_store *store, struct error *err);

/** What run_read() has read of a run. */
struct run_part {
	struct block *block; /* a reference */
	uint32_t len;	     /* bytes of the records that are whole in it */
	uint32_t last;	     /* where the last of them starts */
	uint64_t nr_records;
};

/**
 * Reads the first records of cold @run again, at least one. They are framed anew: a file that has
 * changed since is an error, and no more. Returns 0, or -1 with @err filled.
 */
int run_read(struct run_store *store, const struct run *run, struct run_part *part,
	     struct error *err);

void run_store_free(struct run_store *store);

#endif
