#include "decode/symbol/cfi/cfirule.h"

#include "util/leb.h"

#include <dwarf.h>
#include <elf.h>
#include <stddef.h>
#include <string.h>

/* DWARF numbers of the registers that a rule is about. */
struct rule_regs {
	uint16_t machine;
	uint8_t sp, fp, pc;
	bool has_link; /* the return address is in a register until it is saved */
};

static const struct rule_regs known_machines[] = {
	{EM_X86_64, 7, 6, 16, false},
	{EM_AARCH64, 31, 29, 30, true},
};

static const struct rule_regs *regs_of(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(known_machines) / sizeof(known_machines[0]); i++) {
		if (known_machines[i].machine == machine)
			return &known_machines[i];
	}
	return NULL;
}

bool cfi_rule_knows(uint16_t machine)
{
	return regs_of(machine) != NULL;
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* What simple expressions say: SP or FP plus an offset, or what is in memory there. */
struct simple {
	uint8_t base; /* CFI_BY_SP, CFI_BY_FP */
	int64_t offset;
	bool is_read;
};

/* Reads "breg N" and "breg N, deref". */
static bool read_simple(const struct cfi_value *value, const struct rule_regs *regs,
			struct simple *simple)
{
	struct span s = span_make(value->expr, value->expr_len, false);
	const uint8_t op = span_u8(&s);

	simple->offset = span_sleb(&s);
	simple->is_read = span_left(&s) == 1 && *s.pos == DW_OP_deref;
	if (s.failed || (span_left(&s) && !simple->is_read))
		return false;
	simple->base = op == DW_OP_breg0 + regs->sp ? CFI_BY_SP : CFI_BY_FP;
	return op == DW_OP_breg0 + regs->sp || op == DW_OP_breg0 + regs->fp;
}

/*
 * The entries of a procedure linkage table push a word after 11 bytes or, of older linkers, 10; the
 * CFA is SP + 8 + ((address & 15) >= 11) * 8.
 */
static bool is_stub(const struct cfi_value *cfa, uint64_t address, int64_t *offset)
{
	static const uint8_t form[] = {DW_OP_breg7, 8, DW_OP_breg16, 0,		 DW_OP_lit15,
				       DW_OP_and,   0, DW_OP_ge,     DW_OP_lit3, DW_OP_shl,
				       DW_OP_plus};
	enum { LIMIT_AT = 6 };
	uint8_t limit;

	if (cfa->expr_len != sizeof(form) || memcmp(cfa->expr, form, LIMIT_AT) != 0 ||
	    memcmp(cfa->expr + LIMIT_AT + 1, form + LIMIT_AT + 1, sizeof(form) - LIMIT_AT - 1) != 0)
		return false;
	limit = (uint8_t)(cfa->expr[LIMIT_AT] - DW_OP_lit0);
	*offset = (address & 15) >= limit ? 16 : 8;
	return limit < 16;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool set_offset(int32_t *offset, int64_t value)
{
	*offset = (int32_t)value;
	return *offset == value;
}

static bool make_cfa(const struct cfi_value *cfa, const struct rule_regs *regs, uint64_t address,
		     struct cfi_rule *rule)
{
	struct simple simple;
	int64_t offset = cfa->offset;

	if (cfa->how == CFI_REGISTER) {
		rule->cfa = cfa->reg == regs->sp ? CFI_BY_SP : CFI_BY_FP;
		return (cfa->reg == regs->sp || cfa->reg == regs->fp) &&
		       set_offset(&rule->cfa_offset, offset);
	}
	if (cfa->how != CFI_IS_EXPR)
		return false;
	if (regs->machine == EM_X86_64 && is_stub(cfa, address, &offset)) {
		rule->cfa = CFI_BY_SP;
		return set_offset(&rule->cfa_offset, offset);
	}
	if (!read_simple(cfa, regs, &simple))
		return false;
	rule->cfa = simple.base;
	if (simple.is_read)
		rule->cfa = simple.base == CFI_BY_SP ? CFI_MEM_SP : CFI_MEM_FP;
	return set_offset(&rule->cfa_offset, simple.offset);
}

/* Where a saved register is. */
static bool make_saved(const struct cfi_value *value, const struct rule_regs *regs, uint8_t *place,
		       int32_t *offset)
{
	struct simple simple;

	switch (value->how) {
	case CFI_UNSET:
	case CFI_SAME:
		*place = CFI_IN_PLACE;
		return true;
	case CFI_UNDEFINED:
		*place = CFI_LOST;
		return true;
	case CFI_AT_CFA:
		*place = CFI_MEM_CFA;
		return set_offset(offset, value->offset);
	case CFI_AT_EXPR:
		if (!read_simple(value, regs, &simple) || simple.is_read)
			return false;
		*place = simple.base == CFI_BY_SP ? CFI_MEM_SP : CFI_MEM_FP;
		return set_offset(offset, simple.offset);
	default:
		return false;
	}
}

/* Whether the caller's SP is the CFA, as it is but for oddities. */
static bool is_sp_cfa(const struct cfi_row *row, const struct rule_regs *regs,
		      const struct cfi_rule *rule)
{
	const struct cfi_value *sp = &row->regs[regs->sp];
	struct simple simple;

	if (sp->how == CFI_UNSET || (sp->how == CFI_IS_CFA && sp->offset == 0))
		return true;
	/* A signal's trampoline: both are in memory at the same place. */
	return sp->how == CFI_AT_EXPR && rule->cfa == CFI_MEM_SP &&
	       read_simple(sp, regs, &simple) && !simple.is_read && simple.base == CFI_BY_SP &&
	       simple.offset == rule->cfa_offset;
}

struct cfi_rule cfi_rule_make(const struct cfi_row *row, uint16_t machine, uint64_t address)
{
	const struct rule_regs *regs = regs_of(machine);
	struct cfi_rule rule = {.kind = CFI_RULE_ROW, .is_signal = row->is_signal};
	const struct cfi_value *ra = &row->regs[row->ra_column];

	if (ra->how == CFI_UNDEFINED) {
		rule.kind = CFI_RULE_OUTERMOST;
		return rule;
	}
	if (!regs || row->ra_column != regs->pc || !row->is_64bit)
		return rule;
	if (!regs->has_link && (ra->how == CFI_UNSET || ra->how == CFI_SAME))
		return rule;
	if (make_cfa(&row->cfa, regs, address, &rule) &&
	    make_saved(ra, regs, &rule.ra, &rule.ra_offset) &&
	    make_saved(&row->regs[regs->fp], regs, &rule.fp, &rule.fp_offset) &&
	    is_sp_cfa(row, regs, &rule))
		rule.kind = CFI_RULE_STEP;
	return rule;
}
