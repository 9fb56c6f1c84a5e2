/*
 * Processes and threads as the recording tells of them: who is who at this moment of the replay.
 *
 * A pid that is used again is another life, another struct process. All lives are kept until
 * process_table_free(), because processes.csv has a row for each; the maps of a life that was
 * replaced are given back.
 */
#ifndef READPERF_DECODE_PROCESS_H
#define READPERF_DECODE_PROCESS_H

#include "decode/maps.h"
#include "decode/results.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PID_NONE UINT32_MAX /* a sample without a pid */

struct process {
	uint32_t pid;
	uint32_t ppid;
	uint32_t comm, exe; /* numbers in the table's strings */
	uint32_t threads;   /* distinct threads seen */
	uint32_t live;	    /* of them those whose EXIT was not seen */
	bool known;	    /* a record other than a sample told of it */
	bool has_ppid, has_fork, has_exit;
	bool exe_pending;    /* exec was seen: the next file it maps is its main binary */
	uint64_t fork, exit; /* ns */
	uint64_t nr_mmaps;
	struct map_set *maps;	/* NULL once the pid has another life */
	struct tally *by_event; /* by the event's number */
	size_t nr_by_event;
};

struct deferred;

struct thread {
	uint32_t tid;
	uint32_t comm;		   /* number in the table's strings */
	struct process *process;   /* the life it belongs to */
	bool live;		   /* its EXIT was not seen */
	struct deferred *deferred; /* its samples that wait for their user call chain: deferred.h */
};

enum { RECENT_THREADS = 256, RECENT_EXITS = 256 };

struct process_table {
	struct process **lives; /* in the order of their beginnings */
	size_t nr_lives, lives_room;
	struct process **current; /* the last life of each pid, indexed by pid */
	size_t current_room;
	struct index by_pid;
	struct thread *threads; /* the last thread of each tid, indexed by tid */
	size_t threads_room;
	struct index by_tid;
	uint32_t recent[RECENT_THREADS]; /* numbers of threads that had samples, by tid */
	/* Ended lives that keep their maps for a while, in a ring: samples may still follow. */
	struct process *exits[RECENT_EXITS];
	size_t nr_exits;
	struct process *last; /* answered the last lookup */
	uint64_t version;     /* of map sets: counts every change */
	struct intern strings;
};

/** The current life of @pid, made (with no maps) if there is none. NULL if memory is out. */
struct process *process_get(struct process_table *table, uint32_t pid);

/** The thread @tid of @process, made if it is new or belonged to another life. NULL: no memory. */
struct thread *thread_get(struct process_table *table, struct process *process, uint32_t tid);

/**
 * The thread @tid of the current life of @pid, made if it is new; threads that were asked for
 * lately are found at once. NULL if memory is out.
 */
struct thread *thread_of_sample(struct process_table *table, uint32_t pid, uint32_t tid);

/**
 * FORK: thread @tid of process @pid begins at @time ns (0: it was there before the recording), made
 * by thread @ptid of @ppid. A new process has its parent's comm and, if @copy_maps, its parent's
 * maps. Returns false if memory is out.
 */
bool process_fork(struct process_table *table, uint32_t pid, uint32_t ppid, uint32_t tid,
		  uint32_t ptid, uint64_t time, bool copy_maps);

/** EXIT of thread @tid of @pid at @time ns. Samples may still follow. False: memory is out. */
bool process_exit(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time);

/**
 * COMM: the @len bytes at @comm become the name of the thread; with @exec its process starts
 * another program, and the maps of the old one are gone. Returns false if memory is out.
 */
bool process_comm(struct process_table *table, uint32_t pid, uint32_t tid, const char *comm,
		  size_t len, bool exec);

/** MMAP: @process maps [start, end) to @dso. @is_code: it may be executed. False: no memory. */
bool process_map(struct process_table *table, struct process *process, uint64_t start, uint64_t end,
		 uint64_t pgoff, const struct dso *dso, bool is_code);

/** The process's tally of the event with number @event. NULL if memory is out. */
struct tally *process_tally(struct process *process, size_t event);

void process_table_free(struct process_table *table);

#endif
