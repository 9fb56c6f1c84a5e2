/*
 * Frames of a CoreSight trace: 16 bytes in which the traces of several CPUs are mixed, as the
 * formatter of Arm IHI 0029 (CoreSight architecture) writes them to memory.
 */
#ifndef READPERF_DECODE_TRACE_CSFRAME_H
#define READPERF_DECODE_TRACE_CSFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CSFRAME_BYTES = 16, CSFRAME_DATA_MAX = 15 };

/** Bytes of one trace. */
struct csframe_run {
	uint8_t id; /* trace id; 0: nothing */
	uint8_t nr;
	uint8_t bytes[CSFRAME_DATA_MAX];
};

/**
 * Divides the frame at @frame into @runs, whose number is returned. *@id is the trace that it
 * begins with, and becomes the one that the next frame begins with.
 */
size_t csframe_divide(const uint8_t frame[CSFRAME_BYTES], uint8_t *id,
		      struct csframe_run runs[CSFRAME_DATA_MAX]);

/** Whether the frame is a barrier, behind which other bytes go on. */
bool csframe_is_barrier(const uint8_t frame[CSFRAME_BYTES]);

#endif
