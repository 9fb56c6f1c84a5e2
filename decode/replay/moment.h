/* What a replay knows at this moment: processes and threads, their maps, the chain of a sample. */
#ifndef READPERF_DECODE_REPLAY_MOMENT_H
#define READPERF_DECODE_REPLAY_MOMENT_H

#include "decode/process/addrspace.h"
#include "decode/replay.h"
#include "decode/symbol/symbol.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An address of a call chain. */
struct moment_frame {
	uint64_t ip; /* as recorded; 0: the frame was unwound, only its location is known */
	enum cpumode cpumode;
	bool returns;	    /* @ip is where a call returns to */
	struct location at; /* of a caller: before its return address */
};

/** The frames of a chain, innermost first. All zero is empty; the caller frees @frames. */
struct moment_chain {
	struct moment_frame *frames;
	size_t nr, room;
};

/** Processes and threads; what it points to is valid until the next record is applied. */
const struct process_table *moment_processes(const struct replay *replay);

/** Returns the current comm of the thread, or of its process if it is not known; "" if neither is.
 */
const char *moment_comm(const struct replay *replay, uint32_t pid, uint32_t tid);

/** Returns the location of @addr in the process @pid, which may be unknown, or in the kernel. */
struct location moment_locate(const struct replay *replay, uint32_t pid, enum cpumode cpumode,
			      uint64_t addr);

/**
 * Sets @chain to the call chain of @rec, the sample that was applied last; its own address comes
 * first. Returns 0, or -1 with @err filled if memory is out.
 */
int moment_chain(struct replay *replay, const struct record *rec, struct moment_chain *chain,
		 struct error *err);

/** The binaries of @replay, each of which its symbolizer knows by number. */
struct dso_table *moment_dsos(struct replay *replay);

/** The symbolizer of @replay, which knows the recorded kernel so far. */
struct symbolizer *moment_symbolizer(struct replay *replay);

#endif
