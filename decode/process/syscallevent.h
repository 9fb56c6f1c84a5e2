/*
 * Tracepoints of system calls: which one a thread begins, and how one ends.
 *
 * They are raw_syscalls:sys_enter and sys_exit, and those of single calls, syscalls:sys_enter_read.
 * Layouts are those of the recording's formats. Formats and raw data are untrusted.
 */
#ifndef READPERF_DECODE_PROCESS_SYSCALLEVENT_H
#define READPERF_DECODE_PROCESS_SYSCALLEVENT_H

#include "perffile/perffile.h"
#include "perffile/record.h"
#include "perffile/tracefield.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum syscallevent_kind {
	SYSCALLEVENT_NONE, /* not of these, or only some of them have samples */
	SYSCALLEVENT_ENTER,
	SYSCALLEVENT_EXIT,
};

/** What an event tells. */
struct syscallevent {
	enum syscallevent_kind kind;
	struct tracefield number, result; /* result: of SYSCALLEVENT_EXIT */
};

/** By number of the event. All zero is empty. */
struct syscallevents {
	struct syscallevent *list;
	size_t nr, room;
};

/** What a sample tells. */
struct syscallevent_sample {
	enum syscallevent_kind kind; /* SYSCALLEVENT_NONE: nothing */
	uint64_t number;	     /* of the system call, as its program knows it */
	bool failed;		     /* it returns an error; of SYSCALLEVENT_EXIT */
};

/** Sets *@told to what the sample @rec tells. Returns false if memory is out. */
bool syscallevents_read(struct syscallevents *events, const struct perffile *file,
			const struct record *rec, struct syscallevent_sample *told);

void syscallevents_free(struct syscallevents *events);

#endif
