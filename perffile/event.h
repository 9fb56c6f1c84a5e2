/*
 * An event of a recording: one perf_event_attr with its ids and its name (perf calls it evsel).
 *
 * Events belong to the perffile handle and live until perffile_close(); their number is their place
 * in the file.
 */
#ifndef READPERF_PERFFILE_EVENT_H
#define READPERF_PERFFILE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A perf_event_attr of any size, its missing tail zero; the names are the kernel's. */
struct attr {
	uint32_t type;
	uint32_t size; /* bytes in the file */
	uint64_t config;
	uint64_t sample_period; /* a frequency in Hz if FLAG_FREQ is set in @flags */
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t flags;	  /* the bit-field at offset 40, bit 0 = disabled */
	uint32_t bp_type; /* of a breakpoint: 1 read, 2 write, 4 execute */
	uint64_t config1, config2;
	uint64_t branch_sample_type;
	uint64_t sample_regs_user, sample_regs_intr;
	int32_t clockid; /* of the times, if FLAG_USE_CLOCKID is set in @flags; else perf's own */
};

enum { SAMPLE_FIELDS_MAX = 32 };

struct sample_field;

/** Where an event's samples and trailers hold their fields; made once per event. */
struct sample_layout {
	const struct sample_field *fields[SAMPLE_FIELDS_MAX]; /* behind the words, in ABI order */
	unsigned nr_fields;
	bool has_extra;	      /* fields behind the call chain */
	uint16_t time_offset; /* of the time in a SAMPLE's body, in bytes; UINT16_MAX: none */
	uint16_t least;	      /* bytes of a SAMPLE, header included, in which every list is empty */
	bool varies;	      /* it has lists or fields that are not known: it may be larger */
	uint16_t chain_offset;	/* in a SAMPLE, of the number of its addresses; 0: it varies in more
				 */
	uint16_t trailer_bytes; /* of the sample_id trailer; 0 without sample_id_all */
	uint16_t trailer_time;	/* of the time, in bytes back from the record's end; 0: none */
};

struct event {
	unsigned number;  /* place among the file's events, from 0 */
	const char *name; /* as perf prints it */
	bool named;	  /* the recording says so; else it is made from the attr */
	bool dummy;	  /* counts nothing: perf adds one for the records of maps and threads */
	bool offcpu;	  /* its samples are waits of threads, see offcpu.h */
	bool chains;	  /* its samples have call chains */
	bool is_time;	  /* its periods are ns */
	struct attr attr;
	const uint64_t *ids;
	size_t nr_ids;
	struct sample_layout layout;
};

#endif
