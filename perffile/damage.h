/* What can be wrong with the records of a recording, and how often it was. */
#ifndef READPERF_PERFFILE_DAMAGE_H
#define READPERF_PERFFILE_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum damage_cause {
	DAMAGE_SIZE,   /* a size that leads to no other record */
	DAMAGE_TYPE,   /* a type that no perf has, and what follows is no record */
	DAMAGE_SHORT,  /* a body shorter than its type demands */
	DAMAGE_LIST,   /* a list or field of more bytes than the record has */
	DAMAGE_STRING, /* a string without an end */
	DAMAGE_ID,     /* a sample of an event that the recording does not describe */
	DAMAGE_PACKED, /* compressed bytes that cannot be unpacked, or that lack some before them */
	DAMAGE_PAYLOAD, /* a length of bytes behind the record that are not there */
	NR_DAMAGES,
};

struct damage {
	uint64_t records; /* places, where bytes were stepped over */
	uint64_t bytes;	  /* of the file, or unpacked; not read because of it */
	uint64_t offset;  /* of the first, bytes from the file's start */
	bool packed;	  /* it is in a compressed record, at @offset or one of the next */
};

/** What a @cause is called in tables ("size"). */
const char *damage_name(enum damage_cause cause);

/** The same as a sentence about damaged records. */
const char *damage_meaning(enum damage_cause cause);

#endif
