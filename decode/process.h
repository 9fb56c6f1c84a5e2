/*
 * Processes and threads as the recording tells of them: who is who at this moment of the replay.
 *
 * A pid that is used again is another life, another struct process; so is a tid. A life that has
 * ended is kept for a while, because samples from other CPUs may still follow: until RECENT_EXITS
 * more threads have exited (unless all are to be kept), or its number is used again. Then it is
 * retired: handed to whoever wants to keep what is to be told of it, and freed. What FORK, EXIT and
 * COMM do is in lifecycle.h.
 */
#ifndef READPERF_DECODE_PROCESS_H
#define READPERF_DECODE_PROCESS_H

#include "decode/maps.h"
#include "decode/results.h"
#include "decode/tallies.h"
#include "util/chains.h"
#include "util/intern.h"
#include "util/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PID_NONE UINT32_MAX /* a sample without a pid */

struct process {
	uint32_t pid;
	uint32_t ppid;
	uint32_t comm, exe; /* numbers in the table's strings */
	bool known;	    /* a record other than a sample told of it */
	bool ended;	    /* EXIT of all threads that were told of was seen */
	bool has_ppid, has_fork;
	bool exe_pending;    /* exec was seen: the next file it maps is its main binary */
	uint64_t life;	     /* lives of processes and threads began in this order */
	uint64_t begin;	     /* ns, of the first record about it; 0: without a time */
	uint64_t fork, exit; /* ns; exit: of the last EXIT so far, 0 if it has no time */
	uint64_t nr_mmaps;
	uint64_t nr_threads; /* lives of threads, retired ones too */
	uint64_t nr_live;    /* threads that were told of and have not exited */
	struct map_set *maps;
	struct tallies retired; /* what its retired threads have counted */
	struct list threads;	/* those that are not retired */
	struct list in_table;
	struct chain_node by_pid;
};

struct deferred;
struct readcount;

/* What a sample needs comes first: with many threads each line of memory is a wait. */
struct thread {
	struct chain_node by_ids;
	uint32_t pid, tid;
	struct process *process; /* the life it belongs to */
	struct tallies tallies;
	uint32_t comm;		   /* number in the table's strings */
	bool known;		   /* a record other than a sample told of it */
	bool ended;		   /* it has exited, or another program was started over it */
	bool has_fork, has_exit;   /* at a time */
	struct deferred *deferred; /* its samples that wait for their user call chain: deferred.h */
	struct readcount *counters; /* values of inherited counters, NULL if there are none */
	uint64_t life;		    /* lives of processes and threads began in this order */
	uint64_t begin;		    /* ns, of the first record about it; 0: without a time */
	uint64_t fork, exit;	    /* ns */
	struct list in_process;
	struct list in_exits; /* if it has ended */
};

enum { RECENT_THREADS = 256, RECENT_EXITS = 1024 };

/**
 * Takes what is to be told of a @thread, or with NULL of @process itself, that is about to be
 * freed. Returns false if it could not.
 */
typedef bool (*retire_fn)(void *arg, struct process *process, struct thread *thread);

struct process_table {
	struct chains by_pid; /* the last life of each pid */
	struct chains by_ids; /* threads, by pid and tid together */
	struct list processes;
	struct list exits; /* threads that have ended, the first one first */
	size_t nr_exits;
	struct thread *recent[RECENT_THREADS]; /* those that had samples, by tid */
	uint64_t nr_lives;
	bool keep_ended;  /* until their numbers are used again, however many exit */
	uint64_t now;	  /* ns, of the record at hand; to be set by whoever applies it */
	uint64_t version; /* of map sets: counts every change */
	struct intern strings;
	retire_fn retire;
	void *retire_arg;
};

/** An empty table; @retire is called for all that leave it before process_table_free(). */
void process_table_init(struct process_table *table, retire_fn retire, void *retire_arg);

/** The life that @pid has now, or NULL. */
struct process *process_find(const struct process_table *table, uint32_t pid);

/** A new life of @pid, which must have none, with no maps. NULL if memory is out. */
struct process *process_new(struct process_table *table, uint32_t pid);

/**
 * The process @pid that a record other than a sample tells of, made (with no maps) if there is
 * none or if it has ended before. NULL if memory is out.
 */
struct process *process_get(struct process_table *table, uint32_t pid);

/** Retires @process with all its threads. Returns false if the hook does. */
bool process_retire(struct process_table *table, struct process *process);

/** The thread @tid that the process @pid has now, or NULL. */
struct thread *thread_find(const struct process_table *table, uint32_t pid, uint32_t tid);

/** A new thread of @process with its comm. NULL if memory is out. */
struct thread *thread_new(struct process_table *table, struct process *process, uint32_t tid);

/**
 * The thread @tid of @process that a record other than a sample tells of, made if it is new or has
 * ended before. NULL if memory is out.
 */
struct thread *thread_get(struct process_table *table, struct process *process, uint32_t tid);

/** Retires @thread; its process stays. Returns false if the hook does. */
bool thread_retire(struct process_table *table, struct thread *thread);

/**
 * The thread that a sample is of: @tid of the life that @pid has or had last, made if it is new;
 * threads that were asked for lately are found at once. NULL if memory is out.
 */
struct thread *thread_of_sample(struct process_table *table, uint32_t pid, uint32_t tid);

/** MMAP: @process maps [start, end) to @dso. @is_code: it may be executed. False: no memory. */
bool process_map(struct process_table *table, struct process *process, uint64_t start, uint64_t end,
		 uint64_t pgoff, const struct dso *dso, bool is_code);

/** Frees all that is still there, without the hook. */
void process_table_free(struct process_table *table);

#endif
