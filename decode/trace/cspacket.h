/*
 * The packets of the instruction trace of a CPU: ETMv4 and ETE.
 *
 * Layouts from Arm IHI 0064 (ETMv4) and DDI 0487 (ETE), "Descriptions of trace packets".
 */
#ifndef READPERF_DECODE_TRACE_CSPACKET_H
#define READPERF_DECODE_TRACE_CSPACKET_H

#include "decode/trace/csinfo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CSPACKET_BYTES_MAX = 40,
	CSPACKET_SYNC_BYTES = 12, /* eleven of 0, and 0x80 */
};

enum cspacket_kind {
	CSPACKET_BAD,	  /* no packet, or one that the unit does not write */
	CSPACKET_NOTHING, /* it tells nothing of what was executed */
	CSPACKET_SYNC,
	CSPACKET_INFO,	  /* what was decoded before does not matter from here on; @nr: instructions
			   * that the processor speculates on, told before */
	CSPACKET_ON,	  /* tracing begins, or goes on after a gap */
	CSPACKET_DISCARD, /* what the processor speculated on was not executed; tracing is off */
	CSPACKET_OVERFLOW,    /* the same, as packets were lost */
	CSPACKET_ATOMS,	      /* branches were taken or not */
	CSPACKET_ADDRESS,     /* code goes on at @value */
	CSPACKET_SOURCE,      /* the branch at @value was taken */
	CSPACKET_CONTEXT,     /* who runs */
	CSPACKET_EXCEPTION,   /* its address, and maybe a context, come next */
	CSPACKET_RESET,	      /* an exception without an address */
	CSPACKET_PATHLESS,    /* code was executed, but not told which */
	CSPACKET_TRANSACTION, /* it begins */
	CSPACKET_TIME,
	CSPACKET_CYCLES, /* after @nr was executed for certain */
	CSPACKET_COMMIT, /* the oldest @nr that were speculated on were executed */
	CSPACKET_CANCEL, /* behind its atoms: the newest @nr were not */
};

struct cspacket {
	uint8_t kind; /* enum cspacket_kind */
	uint8_t size; /* bytes */
	uint8_t nr_atoms;
	bool is_wrong;	  /* CANCEL: the newest branch that is left went the other way */
	bool has_address; /* PATHLESS: code goes on at @value */
	bool has_context; /* so has ADDRESS: */
	bool has_thread;
	bool is_64;	/* the code is A64 */
	bool is_target; /* EXCEPTION: its address is where the branch before it went */
	uint32_t thread;
	uint32_t atoms; /* a bit each, the oldest one is bit 0; 1: taken */
	uint32_t nr;
	uint64_t value; /* address, count of the timer, or cycles (0: unknown) */
};

enum { CSPACKET_ADDRESSES = 3 };

/** What a unit writes, and what its next packet goes on with. */
struct cspacket_unit {
	bool is_ete, has_pathless, transactions_count, thread_is_vmid;
	bool cycles_commit; /* packets of cycles do */
	bool wants_marker;  /* times count from the first marker on */
	uint8_t thread_bytes, vmid_bytes;
	uint32_t speculation_max;		/* instructions, at most */
	uint64_t addresses[CSPACKET_ADDRESSES]; /* the last ones, the newest first */
	uint64_t time;
	bool has_time, has_marker, is_64;
	uint32_t threshold; /* cycles, that counts begin with */
};

/** What the unit of @cpu writes, at the start. */
struct cspacket_unit cspacket_unit_of(const struct csinfo_cpu *cpu);

/**
 * Reads the packet at the first of the @len bytes at @bytes; one byte that is CSPACKET_BAD if there
 * is none. Returns false if its end is not there, which is so only if @len is less than
 * CSPACKET_BYTES_MAX; @unit is as before then.
 */
bool cspacket_read(struct cspacket_unit *unit, const uint8_t *bytes, size_t len,
		   struct cspacket *packet);

#endif
