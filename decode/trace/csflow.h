/*
 * Follows the code that a CoreSight trace leads through: from one branch to the next.
 *
 * Elements tell what was executed. Where the code is not known, or does not fit to the trace, they
 * tell that, and nothing is followed up to the next address that the trace tells.
 */
#ifndef READPERF_DECODE_TRACE_CSFLOW_H
#define READPERF_DECODE_TRACE_CSFLOW_H

#include "decode/trace/cselement.h"
#include "decode/trace/csinfo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CSFLOW_ELEMENTS = 2, /* that a step makes, at most */
	CSFLOW_CALLS = 16,
	CSFLOW_RUNS = 512,
	CSFLOW_CODE_BYTES = 256,
};

/** Reads up to @len bytes of code at @address; returns how many, 0 if it is not known. */
typedef size_t csflow_read(void *arg, uint64_t address, uint8_t *to, size_t len);

/** Instructions without a branch, up to one. */
struct csflow_run {
	uint64_t ip, last; /* addresses of its first and last instruction */
	uint64_t target;   /* of the last one */
	uint32_t nr;	   /* instructions; 0: nothing is known */
	uint8_t kind;	   /* of the last one: enum csbranch_kind */
	bool is_open;	   /* it has no branch: what follows is not known */
};

/** csflow_start() begins. */
struct csflow {
	csflow_read *read;
	void *arg;
	bool keeps_calls;    /* the trace does not tell where returns from known calls lead */
	bool waits_are_told; /* they count as branches */
	bool has_ip, has_context, is_64;
	bool returns; /* to the last call, unless an address comes */
	uint64_t ip;
	uint64_t calls[CSFLOW_CALLS]; /* addresses behind them, a ring */
	unsigned nr_calls, last_call;
	struct csflow_run runs[CSFLOW_RUNS];
	uint64_t code_at;
	size_t nr_code; /* bytes */
	uint8_t code[CSFLOW_CODE_BYTES];
};

/** @read is called with @arg. */
void csflow_start(struct csflow *flow, const struct csinfo_cpu *cpu, csflow_read *read, void *arg);

/** Nothing is known of where code is executed, and how. */
void csflow_restart(struct csflow *flow);

/** Other code is at the addresses. */
void csflow_forget_code(struct csflow *flow);

/** The calls before do not matter for where the next return leads. */
void csflow_forget_calls(struct csflow *flow);

/** The code that comes next is A64 (@is_64), or of 32 bits. */
void csflow_set_context(struct csflow *flow, bool is_64);

/** Code goes on at @address. */
void csflow_go_to(struct csflow *flow, uint64_t address);

/** Code goes on at an address that the trace tells later. */
void csflow_lose(struct csflow *flow);

/** Goes on up to the next branch and, if @is_taken, to its target. Returns how many elements. */
size_t csflow_branch(struct csflow *flow, bool is_taken,
		     struct cselement elements[CSFLOW_ELEMENTS]);

/** Goes on up to the branch at @address, which is taken. The same. */
size_t csflow_branch_at(struct csflow *flow, uint64_t address,
			struct cselement elements[CSFLOW_ELEMENTS]);

/**
 * Goes on up to @address, where an exception comes; @is_target: the branch before led there. The
 * same.
 */
size_t csflow_except_at(struct csflow *flow, uint64_t address, bool is_target,
			struct cselement elements[CSFLOW_ELEMENTS]);

#endif
