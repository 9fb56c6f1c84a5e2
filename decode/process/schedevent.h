/*
 * Tracepoints of the scheduler: which thread leaves its CPU, comes to it, or is woken.
 *
 * Layouts and the words for states are those of the recording's formats, which differ between
 * kernels. Formats and raw data are untrusted.
 */
#ifndef READPERF_DECODE_PROCESS_SCHEDEVENT_H
#define READPERF_DECODE_PROCESS_SCHEDEVENT_H

#include "decode/process/schedstate.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "perffile/tracefield.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum schedevent_kind {
	SCHEDEVENT_NONE,   /* not of these */
	SCHEDEVENT_SWITCH, /* sched_switch */
	SCHEDEVENT_WAKE,   /* sched_waking, sched_wakeup, sched_wakeup_new */
	SCHEDEVENT_SOME,   /* one of these, whose samples skip some occurrences */
};

/** The meaning of a state, remembered. */
struct schedstate_memo {
	uint64_t state;
	bool known, can_run, dead;
};

enum { SCHEDSTATE_MEMOS = 16 };

/** What an event tells. */
struct schedevent {
	enum schedevent_kind kind;
	bool bare; /* a switch of which samples only have their own thread: the one that leaves */
	struct tracefield pid;	   /* the thread that is woken, or leaves */
	struct tracefield success; /* of old kernels: 0 if it was awake; size 0: there is none */
	struct tracefield state, comm, next_pid;
	struct schedstates states;
	struct schedstate_memo memos[SCHEDSTATE_MEMOS];
};

/** By number of the event. All zero is empty. */
struct schedevents {
	struct schedevent *list;
	size_t nr, room;
};

/** What a sample tells. */
struct schedevent_sample {
	enum schedevent_kind kind; /* SCHEDEVENT_NONE: nothing */
	uint32_t pid;		   /* the thread that is woken, or leaves */
	bool bare;		   /* what follows is not known */
	uint32_t next_pid;	   /* that comes */
	uint64_t state;		   /* of the one that leaves */
	bool can_run, dead;	   /* what that means */
	struct span comm;	   /* its name */
};

/**
 * Sets *@told to what the sample @rec tells. Returns false if memory is out.
 */
bool schedevents_read(struct schedevents *events, const struct perffile *file,
		      const struct record *rec, struct schedevent_sample *told);

void schedevents_free(struct schedevents *events);

#endif
