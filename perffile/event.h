/*
 * An event of a recording: one perf_event_attr with its ids and its name (perf calls it evsel).
 *
 * Events are owned by the perffile handle and valid until perffile_close(); an event's number is
 * its index in the file.
 */
#ifndef READPERF_PERFFILE_EVENT_H
#define READPERF_PERFFILE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A perf_event_attr of any size; fields missing in the file are zero. Names as in the kernel. */
struct attr {
	uint32_t type;
	uint32_t size; /* bytes in the file */
	uint64_t config;
	uint64_t sample_period; /* a frequency in Hz if ATTR_FREQ is set in @flags */
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t flags;	  /* the bit-field at offset 40, bit 0 = disabled */
	uint32_t bp_type; /* breakpoints: 1 read, 2 write, 4 execute */
	uint64_t config1, config2, config3, config4;
	uint64_t branch_sample_type;
	uint64_t sample_regs_user, sample_regs_intr;
	uint32_t sample_stack_user; /* bytes of the stack that samples have a copy of, at most */
	uint16_t sample_max_stack; /* most addresses of a call chain; 0: not given */
	int32_t clockid; /* of the times if ATTR_USE_CLOCKID is set in @flags; else perf's own */
};

enum { SAMPLE_FIELDS_MAX = 32 };

struct sample_field;

/** Positions of the fields in an event's samples and trailers; computed once per event. */
struct sample_layout {
	const struct sample_field *fields[SAMPLE_FIELDS_MAX]; /* from SAMPLE_READ on, ABI order */
	unsigned nr_fields;
	uint16_t words_bytes; /* of the fields before these, of one word each */
	bool has_extra;	      /* has fields after the call chain */
	uint16_t time_offset; /* of the time in a SAMPLE's body, in bytes; UINT16_MAX: none */
	/* the same for its address, its pid and tid, its CPU and its period */
	uint16_t ip_offset, tid_offset, cpu_offset, period_offset;
	bool plain;	       /* its samples can be a struct plain_sample */
	bool plain_chain;      /* they have a call chain, too, after all other fields */
	uint16_t least;	       /* bytes of a SAMPLE with all lists empty, header included */
	bool varies;	       /* has lists or unknown fields: a SAMPLE may be larger */
	uint16_t chain_offset; /* of the call chain's length in a SAMPLE; 0 unless only it varies */
	uint16_t trailer_bytes; /* of the sample_id trailer; 0 without sample_id_all */
	uint16_t trailer_time;	/* of the time, in bytes before the record's end; 0: none */
};

struct event {
	unsigned number;  /* index among the file's events, from 0 */
	const char *name; /* as perf prints it, unless it was renamed */
	bool named;	  /* @name is from the recording; else made from the attr */
	bool dummy;	  /* counts nothing; perf adds it to get map and task records */
	bool offcpu;	  /* its samples are off-CPU waits, see offcpu.h */
	bool chains;	  /* its samples have call chains */
	bool is_time;	  /* its periods are in ns */
	/* The name as perf prints it, if the event was renamed; else NULL. */
	const char *recorded;
	struct attr attr;
	const uint64_t *ids;
	size_t nr_ids;
	struct sample_layout layout;
};

/** The name of @event as perf prints it. */
static inline const char *event_recorded_name(const struct event *event)
{
	return event->recorded ? event->recorded : event->name;
}

#endif
