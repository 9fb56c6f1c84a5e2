#include "decode/stack/unwind/unwindstep.h"

/* How far from SP a frame pointer behind the copy of the stack is believed. */
#define STACK_MAX (8ull << 20)

static enum unwind_step unreadable(const struct unwind_stack *stack, uint64_t addr)
{
	return unwind_stack_is_cut(stack, addr) ? UNWIND_STEP_CUT : UNWIND_STEP_BAD;
}

/* Reads what @place and @offset say; the CFA is @cfa. */
static enum unwind_step read_place(const struct unwind_frame *frame, uint64_t cfa, uint8_t place,
				   int32_t offset, const struct unwind_stack *stack,
				   uint64_t *value)
{
	uint64_t addr = cfa;

	if (place == CFI_MEM_SP)
		addr = frame->sp;
	else if (place == CFI_MEM_FP)
		addr = frame->fp;
	addr += (uint64_t)(int64_t)offset;
	if (place == CFI_MEM_FP && !frame->has_fp)
		return UNWIND_STEP_BAD;
	return unwind_stack_read(stack, addr, value) ? UNWIND_STEP_CALLER : unreadable(stack, addr);
}

static enum unwind_step find_cfa(const struct unwind_frame *frame, const struct cfi_rule *rule,
				 const struct unwind_stack *stack, uint64_t *cfa)
{
	const bool by_fp = rule->cfa == CFI_BY_FP || rule->cfa == CFI_MEM_FP;
	const uint64_t base = by_fp ? frame->fp : frame->sp;
	enum unwind_step step;

	if (by_fp && !frame->has_fp)
		return UNWIND_STEP_BAD;
	*cfa = base + (uint64_t)(int64_t)rule->cfa_offset;
	if (rule->cfa == CFI_MEM_SP || rule->cfa == CFI_MEM_FP) {
		step = read_place(frame, 0, rule->cfa, rule->cfa_offset, stack, cfa);
		if (step != UNWIND_STEP_CALLER)
			return step;
	}
	/* Only a signal handler may run on another stack. */
	if (!rule->is_signal && (*cfa < frame->sp || (*cfa == frame->sp && !frame->exact)))
		return UNWIND_STEP_BAD;
	return UNWIND_STEP_CALLER;
}

static enum unwind_step find_ra(const struct unwind_frame *frame, const struct cfi_rule *rule,
				uint64_t cfa, const struct unwind_stack *stack, uint64_t *ra)
{
	if (rule->ra != CFI_IN_PLACE)
		return read_place(frame, cfa, rule->ra, rule->ra_offset, stack, ra);
	*ra = frame->link;
	return frame->has_link ? UNWIND_STEP_CALLER : UNWIND_STEP_BAD;
}

/* Where the caller's FP is; *@has_fp: whether it is known. */
static uint64_t find_fp(const struct unwind_frame *frame, const struct cfi_rule *rule, uint64_t cfa,
			const struct unwind_stack *stack, bool *has_fp)
{
	uint64_t fp = frame->fp;
	enum unwind_step step;

	*has_fp = frame->has_fp && rule->fp != CFI_LOST;
	/* Below SP, where an epilogue has just taken it off, its old value is the caller's. */
	if (rule->fp != CFI_IN_PLACE && rule->fp != CFI_LOST) {
		step = read_place(frame, cfa, rule->fp, rule->fp_offset, stack, &fp);
		*has_fp = step == UNWIND_STEP_CALLER || (step == UNWIND_STEP_BAD && frame->has_fp);
	}
	return fp;
}

/* Member by member: a struct that was just written in parts is slow to copy as a whole. */
enum unwind_step unwind_step_rule(struct unwind_frame *frame, const struct cfi_rule *rule,
				  const struct unwind_stack *stack)
{
	uint64_t cfa, ra, fp;
	bool has_fp;
	enum unwind_step step = find_cfa(frame, rule, stack, &cfa);

	if (step == UNWIND_STEP_CALLER)
		step = find_ra(frame, rule, cfa, stack, &ra);
	if (step != UNWIND_STEP_CALLER)
		return step;
	fp = find_fp(frame, rule, cfa, stack, &has_fp);
	frame->fp = fp;
	frame->has_fp = has_fp;
	frame->pc = ra;
	frame->sp = cfa;
	frame->has_link = frame->is_followed = false;
	frame->exact = rule->is_signal;
	return ra ? UNWIND_STEP_CALLER : UNWIND_STEP_OUTERMOST;
}

/* Each caller's SP is at its callee's, and the return address behind it. */
static enum unwind_step follow_sp(struct unwind_frame *frame, const struct unwind_arch *arch,
				  const struct unwind_stack *stack)
{
	struct unwind_frame caller = {.fp = frame->fp, .has_fp = frame->has_fp};
	uint64_t ra_addr;

	if (!unwind_stack_read(stack, frame->sp, &caller.sp))
		return unreadable(stack, frame->sp);
	if (caller.sp == 0)
		return UNWIND_STEP_OUTERMOST;
	ra_addr = caller.sp + (uint64_t)(int64_t)arch->frame.ra;
	if (caller.sp <= frame->sp)
		return UNWIND_STEP_BAD;
	if (!unwind_stack_read(stack, ra_addr, &caller.pc))
		return unreadable(stack, ra_addr);
	*frame = caller;
	return caller.pc ? UNWIND_STEP_CALLER : UNWIND_STEP_OUTERMOST;
}

/* Code without frame pointers may have 0 there, too. */
static enum unwind_step end_of_records(const struct unwind_frame *frame)
{
	return frame->is_followed ? UNWIND_STEP_OUTERMOST : UNWIND_STEP_BAD;
}

/* Reads the caller's FP at @addr, which may be below SP, in what is not copied. */
static bool read_next_fp(struct unwind_frame *caller, const struct unwind_frame *frame,
			 uint64_t addr, const struct unwind_stack *stack)
{
	caller->has_fp = unwind_stack_read(stack, addr, &caller->fp);
	return caller->has_fp || addr < frame->sp;
}

enum unwind_step unwind_step_record(struct unwind_frame *frame, const struct unwind_arch *arch,
				    const struct unwind_stack *stack)
{
	struct unwind_frame caller = {.is_followed = true};
	const uint64_t fp = frame->fp;

	if (!arch->frame.is_known)
		return UNWIND_STEP_BAD;
	if (arch->frame.by_sp)
		return follow_sp(frame, arch, stack);
	if (!frame->has_fp || fp % arch->word)
		return UNWIND_STEP_BAD;
	if (fp == 0)
		return end_of_records(frame);
	caller.sp = fp + (uint64_t)(int64_t)arch->frame.sp;
	if (caller.sp <= frame->sp)
		return UNWIND_STEP_BAD;
	if (!unwind_stack_read(stack, fp + (uint64_t)(int64_t)arch->frame.ra, &caller.pc) ||
	    !read_next_fp(&caller, frame, fp + (uint64_t)(int64_t)arch->frame.fp, stack))
		return fp - stack->base < STACK_MAX ? UNWIND_STEP_CUT : UNWIND_STEP_BAD;
	if (caller.pc == 0)
		return end_of_records(frame);
	*frame = caller;
	return UNWIND_STEP_CALLER;
}

enum unwind_step unwind_step_return(struct unwind_frame *frame, const struct unwind_stack *stack)
{
	struct unwind_frame caller = {.fp = frame->fp, .has_fp = frame->has_fp};

	if (!unwind_stack_read(stack, frame->sp, &caller.pc))
		return unreadable(stack, frame->sp);
	caller.sp = frame->sp + stack->word;
	*frame = caller;
	return caller.pc ? UNWIND_STEP_CALLER : UNWIND_STEP_OUTERMOST;
}
