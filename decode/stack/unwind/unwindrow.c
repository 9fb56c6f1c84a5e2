#include "decode/stack/unwind/unwindrow.h"

#include "decode/stack/unwind/unwindexpr.h"

/* What the values of a row are found by. */
struct row_step {
	const struct unwind_regs *regs;
	const struct unwind_stack *stack;
	uint64_t cfa;
	enum unwind_step step; /* why a value could not be found */
	bool is_below;	       /* it would be in memory below the copy of the stack */
};

static bool evaluate(struct row_step *in, const struct cfi_value *from, const uint64_t *first,
		     uint64_t *value)
{
	const struct span expr = span_make(from->expr, from->expr_len, in->stack->swap);
	const enum unwind_expr_end end = unwind_expr(expr, in->regs, in->stack, first, value);

	if (end != UNWIND_EXPR_VALUE)
		in->step = end == UNWIND_EXPR_CUT ? UNWIND_STEP_CUT : UNWIND_STEP_BAD;
	return end == UNWIND_EXPR_VALUE;
}

static bool read_word(struct row_step *in, uint64_t addr, uint64_t *value)
{
	if (unwind_stack_read(in->stack, addr, value))
		return true;
	in->step = unwind_stack_is_cut(in->stack, addr) ? UNWIND_STEP_CUT : UNWIND_STEP_BAD;
	in->is_below = in->step == UNWIND_STEP_BAD;
	return false;
}

static bool copy_register(struct row_step *in, uint8_t reg, int64_t offset, uint64_t *value)
{
	*value = in->regs->values[reg] + (uint64_t)offset;
	in->step = in->regs->known[reg] ? in->step : UNWIND_STEP_BAD;
	return in->regs->known[reg];
}

static bool find_cfa(struct row_step *in, const struct cfi_value *cfa)
{
	if (cfa->how == CFI_REGISTER)
		return copy_register(in, cfa->reg, cfa->offset, &in->cfa);
	return evaluate(in, cfa, NULL, &in->cfa);
}

/* The caller's value of register @reg. */
static bool find_value(struct row_step *in, const struct cfi_value *from, uint8_t reg,
		       uint64_t *value)
{
	uint64_t addr;

	switch (from->how) {
	case CFI_SAME:
		return copy_register(in, reg, 0, value);
	case CFI_REGISTER:
		return copy_register(in, from->reg, 0, value);
	case CFI_AT_CFA:
		return read_word(in, in->cfa + (uint64_t)from->offset, value);
	case CFI_IS_CFA:
		*value = in->cfa + (uint64_t)from->offset;
		return true;
	case CFI_AT_EXPR:
		return evaluate(in, from, &in->cfa, &addr) && read_word(in, addr, value);
	case CFI_IS_EXPR:
		return evaluate(in, from, &in->cfa, value);
	default:
		in->step = UNWIND_STEP_BAD;
		return false;
	}
}

/* All registers but the return address; those that cannot be found are not known. */
static void find_registers(struct row_step *in, const struct cfi_row *row,
			   const struct unwind_arch *arch, struct unwind_regs *caller)
{
	for (unsigned reg = 0; reg < CFI_NR_REGS; reg++) {
		const struct cfi_value *from = &row->regs[reg];
		const bool is_saved = reg < 64 && arch->saved >> reg & 1;

		in->is_below = false;
		if (from->how != CFI_UNSET)
			caller->known[reg] =
				find_value(in, from, (uint8_t)reg, &caller->values[reg]);
		/* What an epilogue has just taken off is below SP, its old value the caller's. */
		if (is_saved && (from->how == CFI_UNSET || in->is_below)) {
			caller->values[reg] = in->regs->values[reg];
			caller->known[reg] = in->regs->known[reg];
		}
	}
	if (row->regs[arch->sp].how == CFI_UNSET) {
		caller->values[arch->sp] = in->cfa;
		caller->known[arch->sp] = true;
	}
}

/* Where functions save no return address it is in the link register still. */
static bool find_ra(struct row_step *in, const struct cfi_row *row, const struct unwind_arch *arch,
		    uint64_t *ra)
{
	const struct cfi_value *from = &row->regs[row->ra_column];

	if (from->how != CFI_UNSET)
		return find_value(in, from, row->ra_column, ra);
	if (arch->link == UNWIND_NO_REG) {
		in->step = UNWIND_STEP_BAD;
		return false;
	}
	return copy_register(in, arch->link, 0, ra);
}

enum unwind_step unwind_row_step(struct unwind_regs *regs, const struct cfi_row *row,
				 const struct unwind_arch *arch, const struct unwind_stack *stack,
				 bool exact)
{
	struct row_step in = {regs, stack, 0, UNWIND_STEP_CALLER, false};
	struct unwind_regs here = *regs, caller = {0};
	const uint64_t sp = regs->values[arch->sp];

	/* Expressions may ask for the PC by the number of the return address. */
	if (arch->link == UNWIND_NO_REG) {
		here.values[row->ra_column] = regs->pc;
		here.known[row->ra_column] = true;
	}
	in.regs = &here;
	if (row->regs[row->ra_column].how == CFI_UNDEFINED)
		return UNWIND_STEP_OUTERMOST;
	if (!find_cfa(&in, &row->cfa))
		return in.step;
	if (!row->is_signal && (in.cfa < sp || (in.cfa == sp && !exact)))
		return UNWIND_STEP_BAD;
	if (!find_ra(&in, row, arch, &caller.pc))
		return in.step;
	find_registers(&in, row, arch, &caller);
	/* The caller has called: its link register is not its own caller's any more. What a signal
	 * interrupted still has it, unless the row's is the address that was interrupted. */
	if (arch->link != UNWIND_NO_REG && (!row->is_signal || row->ra_column == arch->link))
		caller.known[arch->link] = false;
	if (arch->word == 4)
		caller.pc = (uint32_t)caller.pc;
	*regs = caller;
	return caller.pc ? UNWIND_STEP_CALLER : UNWIND_STEP_OUTERMOST;
}
