/*
 * A leap: samples that come before older records of other kinds, where these are about other
 * processes.
 *
 * On a busy machine a FORK, COMM, MMAP or EXIT comes after a few samples, so gaps are short (see
 * waiting.h), and most of the work is to change from one CPU to the next. But such a record matters
 * to the samples of one process, or of a few. So for a while, the samples of all calm processes,
 * which no record is about, come first, CPU by CPU. Then come those records, in order, each after
 * the older samples of its processes, and in the end what is left of those:
 *
 *	cpu 0   1 of A   3 of B   5 FORK by A   6 of A   8 of B
 *	cpu 1   2 of B   4 of A                 7 of C   9 MMAP of C
 *
 * comes as 3 8 2 of B, 1 4 of A, FORK, 7 of C, MMAP, 6 of A.
 *
 * A leap is no longer than the longest gap. Whoever remembers processes that have ended must do so
 * for that time, and of as many as a leap has records.
 */
#ifndef READPERF_PERFFILE_ORDER_LEAP_H
#define READPERF_PERFFILE_ORDER_LEAP_H

#include "perffile/order/run.h"
#include "perffile/order/taken.h"
#include "perffile/record/scope.h"
#include "util/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LEAP_RECORDS_MIN = 16, /* of other kinds; with fewer it is not worth it */
	LEAP_STARTED_MIN = 4,  /* CPUs (runs that were started), where most runs become cold */
	LEAP_RECORDS_MAX = 1024,
	LEAP_PROCESSES_MAX = 2048,
	LEAP_SLOTS = 4 * LEAP_PROCESSES_MAX, /* a power of two */
};

/** A process that records are about, and runs of its samples that were kept. */
struct leap_process {
	uint32_t pid;
	uint16_t slot;
	struct tree kept;
};

/** All zero is one that is not under way. */
struct leap {
	uint64_t end;	 /* ns; 0: it is not under way */
	uint64_t newest; /* ns, of the newest record that was taken in it */
	uint64_t looked; /* ns: no leap begins before */
	bool calm;	 /* it is under way, and samples of calm processes are taken */
	size_t nr_records, nr_processes;
	size_t at; /* those before have no runs any more, when all records are taken */
	struct leap_process *last; /* whose run leap_older() or leap_rest() returned last */
	struct leap_process processes[LEAP_PROCESSES_MAX];
	uint16_t slots[LEAP_SLOTS]; /* by pid: the number of its process, from 1 on; 0: none */
};

/** Empties @leap: all processes are calm. */
void leap_clear(struct leap *leap);

/** Takes note of a record with @scope. Returns false if the leap has to end before it. */
bool leap_note(struct leap *leap, const struct record_scope *scope);

/**
 * Moves @taken over its first samples, before its bound, that are of calm processes; returns NULL
 * then. If the first one is not, over those of its process, which is returned. All events have the
 * time at one place, and the pid.
 */
struct leap_process *leap_take(struct leap *leap, struct taken *taken);

/** Keeps @run, with samples of @process. */
void leap_keep(struct leap_process *process, struct run *run);

/** Returns a kept run of a process in @scope with a sample that is older than record @nr at @time
 * ns; NULL: there is none. */
struct run *leap_older(struct leap *leap, const struct record_scope *scope, uint64_t time,
		       uint64_t nr);

/** Returns a kept run; NULL: there is none any more. */
struct run *leap_rest(struct leap *leap);

/** Removes @run, which leap_older() or leap_rest() has returned last. */
void leap_remove(struct leap *leap, struct run *run);

/** Adds @run, of the process whose run leap_older() or leap_rest() has returned last. */
void leap_add(struct leap *leap, struct run *run);

/** Puts that run to where its first record, another one now, belongs. */
void leap_move(struct leap *leap, struct run *run);

#endif
