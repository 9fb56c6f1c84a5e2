/*
 * Processes and threads: who is who at this moment of the recording.
 *
 * The kernel uses pids and tids again; each use is another life, a struct of its own. Samples of a
 * life may follow its end, from other CPUs. So it stays until RECENT_EXITS more threads have exited
 * (unless all are to be kept), or its number is used again. Then it is retired: a hook keeps what
 * tables tell of it, and it is freed. lifecycle.h has what FORK, EXIT and COMM do.
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
	uint32_t comm;		    /* number in the table's strings */
	bool known;		    /* a record other than a sample told of it */
	bool ended;		    /* it has exited, or another program was started over it */
	bool has_fork, has_exit;    /* at a time */
	struct deferred *deferred;  /* its samples that wait for their user call chain */
	struct readcount *counters; /* values of inherited counters, NULL if there are none */
	uint64_t life;		    /* lives of processes and threads began in this order */
	uint64_t begin;		    /* ns, of the first record about it; 0: without a time */
	uint64_t fork, exit;	    /* ns */
	struct list in_process;
	struct list in_exits; /* if it has ended */
};

enum { RECENT_THREADS = 256, RECENT_EXITS = 1024 };

/** What the owner of a table does when lives leave it. */
struct process_hooks {
	/* Takes what is to be told of a @thread, or with NULL of @process itself, that is about to
	 * be freed. Returns false if it could not. */
	bool (*retire)(void *arg, struct process *process, struct thread *thread);
	void *arg;
	/* Frees thread->deferred; NULL: nothing sets it. */
	void (*release)(struct thread *thread);
};

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
	struct process_hooks hooks;
};

/** An empty table; the hook for what retires is called before process_table_free() only. */
void process_table_init(struct process_table *table, const struct process_hooks *hooks);

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
struct thread *process_thread_find(const struct process_table *table, uint32_t pid, uint32_t tid);

/** A new thread of @process with its comm. NULL if memory is out. */
struct thread *process_thread_new(struct process_table *table, struct process *process,
				  uint32_t tid);

/**
 * The thread @tid of @process that a record other than a sample tells of, made if it is new or has
 * ended before. NULL if memory is out.
 */
struct thread *process_thread_get(struct process_table *table, struct process *process,
				  uint32_t tid);

/** Retires @thread; its process stays. Returns false if the hook does. */
bool process_thread_retire(struct process_table *table, struct thread *thread);

/**
 * The thread that a sample is of: @tid of the life that @pid has or had last, made if it is new;
 * threads that were asked for lately are found at once. NULL if memory is out.
 */
struct thread *process_thread_of_sample(struct process_table *table, uint32_t pid, uint32_t tid);

/** MMAP: @process maps [start, end) to @dso. @is_code: it may be executed. False: no memory. */
bool process_map(struct process_table *table, struct process *process, uint64_t start, uint64_t end,
		 uint64_t pgoff, const struct dso *dso, bool is_code);

/** Frees all that is still there; nothing is retired. */
void process_table_free(struct process_table *table);

#endif
