/*
 * The processes and threads at the current time of the recording.
 *
 * The kernel reuses pids and tids; each use is another life, with its own struct. Samples of a life
 * may come after its end, from other CPUs, and later than in the order of time by half of RECENT_NS
 * (perffile_use_leaps()). So a life is kept until RECENT_EXITS more threads have exited and
 * RECENT_NS have passed, or RECENT_EXITS_MAX have exited (with keep_ended, without limit), or its
 * number is reused. Then it is retired: a hook stores its data for the tables, and it is freed.
 * lifecycle.h applies FORK, EXIT and COMM.
 */
#ifndef READPERF_DECODE_PROCESS_PROCESS_H
#define READPERF_DECODE_PROCESS_PROCESS_H

#include "decode/count/tallies.h"
#include "decode/process/maps.h"
#include "util/chains.h"
#include "util/intern.h"
#include "util/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PID_NONE UINT32_MAX /* pid of a sample that has none */

struct process {
	uint32_t pid;
	uint32_t ppid;
	uint32_t comm, exe; /* numbers in the table's strings */
	bool known;	    /* it has a record other than a sample */
	bool timed;	    /* it has one with a time: perf did not make up all of them */
	bool ended;	    /* all threads with records have exited */
	bool has_ppid, has_fork;
	bool is_32bit;	  /* its program: where the kernel put it tells; false if nothing does */
	bool exe_pending; /* after exec: the next executable file that it maps is its main binary */
	uint64_t life;	  /* ordinal number among the lives of processes and threads */
	uint64_t begin;	  /* ns, time of its first record; 0: unknown */
	uint64_t fork, exit; /* ns; exit: of the last EXIT so far, 0 if it has no time */
	uint64_t nr_mmaps;
	uint64_t nr_threads; /* lives of threads, retired ones included */
	uint64_t nr_live;    /* threads with records that have not exited */
	struct map_set *maps;
	struct tallies retired; /* counts of its retired threads */
	struct list threads;	/* threads that are not retired */
	struct list in_table;
	struct chain_node by_pid;
};

struct deferred;
struct readcount;
struct switch_times;

/* The members used for each sample come first: with many threads each cache line is a miss. */
struct thread {
	struct chain_node by_ids;
	uint32_t pid, tid;
	struct process *process; /* the life of the process that it belongs to */
	struct tallies tallies;
	uint32_t comm;		   /* number in the table's strings */
	bool known;		   /* it has a record other than a sample */
	bool timed;		   /* as for processes */
	bool ended;		   /* it has exited, or another thread of its process called exec */
	bool has_fork, has_exit;   /* the time is known */
	struct deferred *deferred; /* samples that wait for their user call chain */
	struct readcount *counters;    /* values of inherited counters; NULL: none */
	struct switch_times *switched; /* when it ran; NULL: no record tells, or none is asked */
	uint64_t life;		       /* ordinal number among the lives of processes and threads */
	uint64_t begin;		       /* ns, time of its first record; 0: unknown */
	uint64_t fork, exit;	       /* ns */
	uint64_t ended_at;	       /* ns, of the record that ended it; 0: unknown */
	struct list in_process;
	struct list in_exits; /* linked if it has ended */
};

enum {
	RECENT_THREADS = 256,
	RECENT_EXITS = 1024,
	RECENT_EXITS_MAX = 1 << 14,
	RECENT_NS = 1 << 26, /* about 67 ms */
};

/** Called when lives are removed from a table. */
struct process_hooks {
	/* Stores the data of @thread, or of @process if @thread is NULL, which is about to be
	 * freed. Returns false on error. */
	bool (*retire)(void *arg, struct process *process, struct thread *thread);
	void *arg;
	/* Frees thread->deferred; NULL: it is never set. */
	void (*release)(struct thread *thread);
};

struct process_table {
	struct chains by_pid; /* the last life of each pid */
	struct chains by_ids; /* threads, by pid and tid */
	struct list processes;
	struct list exits; /* threads that have ended, in the order of their end */
	size_t nr_exits;
	struct thread *recent[RECENT_THREADS]; /* threads of recent samples, by tid */
	uint64_t nr_lives;
	bool keep_ended;  /* keep all lives until their numbers are reused */
	uint64_t now;	  /* ns, time of the current record; set by the caller that applies it */
	uint64_t version; /* of map sets: incremented with each change */
	struct intern strings;
	struct process_hooks hooks;
};

/** Makes an empty table. hooks->retire is never called by process_table_free(). */
void process_table_init(struct process_table *table, const struct process_hooks *hooks);

/** Returns the current life of @pid, or NULL. */
struct process *process_find(const struct process_table *table, uint32_t pid);

/** Makes a life of @pid, which must have none; it has no maps. NULL if memory is out. */
struct process *process_new(struct process_table *table, uint32_t pid);

/**
 * Returns the process @pid for a record other than a sample; made, without maps, if there is none
 * or if it has ended before. NULL if memory is out or the hook failed.
 */
struct process *process_get(struct process_table *table, uint32_t pid);

/** Retires @process with all its threads. Returns false if the hook fails or memory is out. */
bool process_retire(struct process_table *table, struct process *process);

/** Returns the current thread @tid of the process @pid, or NULL. */
struct thread *process_thread_find(const struct process_table *table, uint32_t pid, uint32_t tid);

/** Makes a thread of @process, with the comm of the process. NULL if memory is out. */
struct thread *process_thread_new(struct process_table *table, struct process *process,
				  uint32_t tid);

/**
 * Returns the thread @tid of @process for a record other than a sample; made if it is new or has
 * ended before. NULL if memory is out or the hook failed.
 */
struct thread *process_thread_get(struct process_table *table, struct process *process,
				  uint32_t tid);

/** Retires @thread; its process stays. Returns false if the hook fails or memory is out. */
bool process_thread_retire(struct process_table *table, struct thread *thread);

/** Removes @thread, which has no samples, as if it had never been. */
void process_thread_undo(struct process_table *table, struct thread *thread);

/**
 * Returns the thread of a sample: @tid of the current or last life of @pid, or NULL if there is
 * none so far. A cache finds threads of recent samples at once.
 */
struct thread *process_thread_known(struct process_table *table, uint32_t pid, uint32_t tid);

/** As process_thread_known(); a thread that is new is made. NULL if memory is out. */
struct thread *process_thread_of_sample(struct process_table *table, uint32_t pid, uint32_t tid);

/** Applies an MMAP to @process: it has @map, which is copied. Returns false if memory is out. */
bool process_map(struct process_table *table, struct process *process, const struct map *map);

/** Frees all processes and threads without retiring them. */
void process_table_free(struct process_table *table);

#endif
