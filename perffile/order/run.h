/*
 * A run: records that follow each other in the file, with non-descending times.
 *
 * A warm run has its bytes in memory, in one block. A cold run has given them back and stores where
 * to read them again: in the file or, for a pipe and for compressed records, in a spool.
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
	struct source *source;	 /* borrowed; NULL: the spool */
	uint64_t offset;	 /* of the first record left, in the source or spool */
	uint64_t file_offset;	 /* as in struct block */
	struct run *prev, *next; /* whose bytes come soon before and after it; NULL, or cold */
};

struct run {
	struct tree_node node;
	/*
	 * ns, of the first record left; in a cold run, which may not have been read, a lower bound.
	 */
	uint64_t time;
	uint64_t last; /* ns; no record is newer */
	uint64_t nr;   /* index in the recording of the first record left */
	uint32_t len;  /* bytes of all records left */
	uint16_t size; /* bytes of each record; 0: they differ */
	bool cold;
	bool packed;  /* cold: as in struct block */
	bool other;   /* of records that are kept apart from samples */
	bool started; /* it is in no tree: started.h */
	bool kept;    /* it is in a tree of its process: leap.h */
	union {
		struct warm_run warm;
		struct cold_run at;    /* cold */
		struct run *next_free; /* not in use */
	};
};

/** The order of runs in trees: by time, then by index in the recording. */
int run_compare(const struct tree_node *a, const struct tree_node *b);

/** Warm runs, in the order in which they became warm. */
struct warm_runs {
	struct run *first, *last;
};

/** Storage for the runs of a queue. */
struct run_store {
	struct block_pool *pool;
	struct spool spool;
	struct warm_runs warm[NR_BLOCK_KINDS]; /* all warm runs, by what their blocks have */
	struct run *free;
	struct run_slab *slabs;
	size_t read_bytes;  /* to read again at a time */
	size_t most_copied; /* bytes that may be in blocks of BLOCK_COPIED */
	bool swap;
	uint64_t bytes_cooled, bytes_reread; /* so far */
};

/** Sets up an empty store. @pool must outlive it. */
void run_store_init(struct run_store *store, struct block_pool *pool);

/** Returns a run without contents, or NULL if memory is out. */
struct run *run_new(struct run_store *store);

/** Gives @run back, which must not hold a block. */
void run_drop(struct run_store *store, struct run *run);

/** Makes new @run warm, with its bytes at @bytes in @block; takes over a reference to @block. */
void run_set_warm(struct run_store *store, struct run *run, const uint8_t *bytes,
		  struct block *block);

/** Makes @run no longer warm; the reference to its block passes to the caller. */
void run_leave_warm(struct run_store *store, struct run *run);

/**
 * Makes all warm runs cold whose blocks are of @kind. Records of other kinds than samples that were
 * read once are copied instead, up to most_copied: leaps look at them ahead of their turn. If
 * @kind is BLOCK_REREAD, fewer bytes are read at a time from then on. Returns 0, or -1 with @err
 * filled.
 */
int run_cool_all(struct run_store *store, enum block_kind kind, struct error *err);

/** The part of a run that run_read() has read. */
struct run_part {
	struct block *block; /* a reference; the run's bytes are first in it */
	uint32_t len;	     /* bytes of the run's whole records in it */
	uint32_t last;	     /* offset of the last of them */
	uint64_t nr_records;
};

/**
 * Reads the first records of cold @run again, at least one, and frames them again; it is an error
 * if the file has changed meanwhile. What follows the run in the file is read with it: it is needed
 * soon. The reference to part->block passes to the caller. Returns 0, or -1 with @err filled.
 */
int run_read(struct run_store *store, const struct run *run, struct run_part *part,
	     struct error *err);

/**
 * Leaves in cold @run the part that run_read() has read. Returns the rest, a cold run of its own,
 * whose first record is not older than @time in ns, in no tree; NULL: memory is out.
 */
struct run *run_split(struct run_store *store, struct run *run, const struct run_part *part,
		      uint64_t time);

/**
 * Makes @run warm, all of which run_read() has read into @block, and the runs that were read with
 * it; takes over a reference to @block. Returns 0, or -1 with @err filled if those are no longer
 * what they were.
 */
int run_warm(struct run_store *store, struct run *run, struct block *block, struct error *err);

void run_store_free(struct run_store *store);

#endif
