#include "decode/trace/csflow.h"

#include "decode/trace/csbranch.h"

#include <string.h>

enum {
	INSTRUCTION = 4, /* bytes */
	/* Code without a branch is not longer: what each byte of a trace can cost has a bound. */
	RUN_MAX = 1 << 15,
	RETURN_STACK = 1 << 12, /* of configr */
	MARKS_WAITS = 1U << 31, /* of idr2 */
};

void csflow_start(struct csflow *flow, const struct csinfo_cpu *cpu, csflow_read *read, void *arg)
{
	*flow = (struct csflow){
		.read = read,
		.arg = arg,
		.keeps_calls = cpu->configr & RETURN_STACK,
		.waits_are_told = cpu->idr2 & MARKS_WAITS,
	};
}

void csflow_restart(struct csflow *flow)
{
	flow->has_ip = flow->has_context = false;
	csflow_forget_calls(flow);
}

void csflow_forget_code(struct csflow *flow)
{
	flow->nr_code = 0;
	memset(flow->runs, 0, sizeof(flow->runs));
}

void csflow_set_context(struct csflow *flow, bool is_64)
{
	flow->has_context = true;
	flow->is_64 = is_64;
}

void csflow_go_to(struct csflow *flow, uint64_t address)
{
	flow->has_ip = true;
	flow->returns = false;
	flow->ip = address;
}

void csflow_lose(struct csflow *flow)
{
	flow->has_ip = flow->returns = false;
}

/* ---- calls ----------------------------------------------------------------------------------- */

void csflow_forget_calls(struct csflow *flow)
{
	flow->nr_calls = 0;
	flow->returns = false;
}

static void call(struct csflow *flow, uint64_t back)
{
	if (!flow->keeps_calls)
		return;
	flow->last_call = (flow->last_call + 1) % CSFLOW_CALLS;
	flow->calls[flow->last_call] = back;
	if (flow->nr_calls < CSFLOW_CALLS)
		flow->nr_calls++;
}

/* No address came behind an indirect branch: it leads to where the last call was. */
static void return_from_call(struct csflow *flow)
{
	if (!flow->returns || flow->nr_calls == 0)
		return;
	flow->nr_calls--;
	csflow_go_to(flow, flow->calls[flow->last_call]);
	flow->last_call = (flow->last_call + CSFLOW_CALLS - 1) % CSFLOW_CALLS;
}

/* ---- code ------------------------------------------------------------------------------------ */

static bool read_word(struct csflow *flow, uint64_t address, uint32_t *word)
{
	const uint8_t *at;

	if (address - flow->code_at >= flow->nr_code ||
	    flow->nr_code - (address - flow->code_at) < INSTRUCTION) {
		const size_t nr = flow->read(flow->arg, address, flow->code, sizeof(flow->code));

		flow->code_at = address;
		flow->nr_code = nr <= sizeof(flow->code) ? nr : sizeof(flow->code);
	}
	if (flow->nr_code - (address - flow->code_at) < INSTRUCTION)
		return false;
	at = flow->code + (address - flow->code_at);
	*word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
	return true;
}

static struct csflow_run find_run(struct csflow *flow, uint64_t ip)
{
	struct csflow_run run = {.ip = ip, .last = ip};
	uint32_t word;

	for (uint64_t at = ip; at >= ip && run.nr < RUN_MAX && read_word(flow, at, &word);
	     at += INSTRUCTION) {
		const struct csbranch branch = csbranch_read(word, at);

		run.nr++;
		run.last = at;
		run.kind = (uint8_t)branch.kind;
		run.target = branch.target;
		if (branch.kind != CSBRANCH_NONE &&
		    (branch.kind != CSBRANCH_WAIT || flow->waits_are_told))
			return run;
	}
	run.is_open = true;
	return run;
}

static uint64_t end_of(const struct csflow_run *run)
{
	return run->nr ? run->last + INSTRUCTION : run->ip;
}

static const struct csflow_run *run_at(struct csflow *flow, uint64_t ip)
{
	struct csflow_run *run = &flow->runs[ip / INSTRUCTION % CSFLOW_RUNS];

	if (run->nr == 0 || run->ip != ip)
		*run = find_run(flow, ip);
	return run;
}

/* ---- elements -------------------------------------------------------------------------------- */

static enum ptstep_flow flow_of(uint8_t kind, bool is_taken)
{
	static const uint8_t flows[] = {
		[CSBRANCH_DIRECT] = PTFLOW_JUMP,
		[CSBRANCH_CONDITIONAL] = PTFLOW_BRANCH,
		[CSBRANCH_CALL] = PTFLOW_CALL,
		[CSBRANCH_INDIRECT] = PTFLOW_JUMP,
		[CSBRANCH_INDIRECT_CALL] = PTFLOW_CALL,
		[CSBRANCH_RETURN] = PTFLOW_RETURN,
		[CSBRANCH_EXCEPTION_RETURN] = PTFLOW_FAR_RETURN,
	};

	if (kind < CSBRANCH_DIRECT || kind > CSBRANCH_EXCEPTION_RETURN)
		return PTFLOW_OTHER;
	return is_taken ? (enum ptstep_flow)flows[kind] : PTFLOW_BRANCH;
}

static struct cselement block(uint64_t ip, uint64_t last, enum ptstep_flow flow)
{
	return (struct cselement){
		.kind = CSELEMENT_BLOCK,
		.block = {.ip = ip,
			  .end_ip = last,
			  .nr = (uint32_t)((last - ip) / INSTRUCTION) + 1,
			  .flow = (uint8_t)flow},
	};
}

/* Nothing more is known of what is executed. */
static struct cselement lose(struct csflow *flow, enum cselement_kind kind, uint64_t address)
{
	csflow_lose(flow);
	return (struct cselement){.kind = kind, .value = address};
}

/* Whether it is known what is executed next. If not, but it should be, adds an element. */
static bool is_ready(struct csflow *flow, struct cselement *elements, size_t *nr)
{
	if (flow->returns && flow->nr_calls == 0)
		elements[(*nr)++] = lose(flow, CSELEMENT_MISMATCH, flow->ip);
	return_from_call(flow);
	if (!flow->has_ip || !flow->has_context)
		return false;
	if (!flow->is_64)
		elements[(*nr)++] = lose(flow, CSELEMENT_NO_CODE, flow->ip);
	else if (flow->ip % INSTRUCTION)
		elements[(*nr)++] = lose(flow, CSELEMENT_MISMATCH, flow->ip);
	return flow->has_ip;
}

/* The branch at @last, of @kind, has been taken. */
static void take(struct csflow *flow, uint8_t kind, uint64_t last, uint64_t target)
{
	if (kind == CSBRANCH_CALL || kind == CSBRANCH_INDIRECT_CALL)
		call(flow, last + INSTRUCTION);
	if (kind >= CSBRANCH_INDIRECT && kind <= CSBRANCH_EXCEPTION_RETURN) {
		flow->ip = last;
		flow->has_ip = false;
		flow->returns = flow->keeps_calls;
	} else {
		flow->ip = kind == CSBRANCH_DIRECT || kind == CSBRANCH_CONDITIONAL ||
					   kind == CSBRANCH_CALL
				   ? target
				   : last + INSTRUCTION;
	}
}

size_t csflow_branch(struct csflow *flow, bool is_taken, struct cselement elements[CSFLOW_ELEMENTS])
{
	const struct csflow_run *run;
	size_t nr = 0;

	if (!is_ready(flow, elements, &nr))
		return nr;
	run = run_at(flow, flow->ip);
	if (run->kind == CSBRANCH_INVALID) {
		elements[nr++] = lose(flow, CSELEMENT_MISMATCH, run->last);
		return nr;
	}
	if (run->nr)
		elements[nr++] = block(run->ip, run->last, flow_of(run->kind, is_taken));
	if (run->is_open)
		elements[nr++] = lose(flow, CSELEMENT_NO_CODE, end_of(run));
	else if (is_taken)
		take(flow, run->kind, run->last, run->target);
	else
		flow->ip = run->last + INSTRUCTION;
	return nr;
}

/* Branches on the way there, which were not taken, are not told. */
size_t csflow_branch_at(struct csflow *flow, uint64_t address,
			struct cselement elements[CSFLOW_ELEMENTS])
{
	uint64_t from = address;
	struct csbranch branch;
	uint32_t word;
	size_t nr = 0;

	if (is_ready(flow, elements, &nr) && flow->ip < address &&
	    address - flow->ip < (uint64_t)RUN_MAX * INSTRUCTION)
		from = flow->ip;
	if (!flow->has_context || !flow->is_64 || address % INSTRUCTION ||
	    !read_word(flow, address, &word)) {
		elements[0] = lose(flow, CSELEMENT_NO_CODE, address);
		return 1;
	}
	csflow_go_to(flow, address);
	branch = csbranch_read(word, address);
	elements[nr++] = block(from, address, flow_of((uint8_t)branch.kind, true));
	take(flow, (uint8_t)branch.kind, address, branch.target);
	return nr;
}

/* What is executed from the code's next instruction up to @address, which it does not include. */
static size_t run_up_to(struct csflow *flow, uint64_t address,
			struct cselement elements[CSFLOW_ELEMENTS])
{
	const struct csflow_run *run = run_at(flow, flow->ip);
	size_t nr = 0;

	if (!run->is_open && run->last < address) {
		elements[nr++] = lose(flow, CSELEMENT_MISMATCH, run->last);
	} else if (end_of(run) >= address) {
		elements[nr++] = block(run->ip, address - INSTRUCTION, PTFLOW_OTHER);
	} else {
		if (run->nr)
			elements[nr++] = block(run->ip, run->last, PTFLOW_OTHER);
		elements[nr++] = lose(flow, CSELEMENT_NO_CODE, end_of(run));
	}
	return nr;
}

size_t csflow_except_at(struct csflow *flow, uint64_t address, bool is_target,
			struct cselement elements[CSFLOW_ELEMENTS])
{
	size_t nr = 0;

	if (is_target)
		csflow_go_to(flow, address);
	if (is_ready(flow, elements, &nr) && flow->ip < address && address % INSTRUCTION == 0)
		nr += run_up_to(flow, address, elements + nr);
	csflow_lose(flow);
	return nr;
}
