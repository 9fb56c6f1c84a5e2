#include "decode/symbol/cfi/cfirow.h"

#include "util/leb.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

enum {
	/* Compilers nest two of them at most. */
	MAX_REMEMBERED = 16,
	/* Bytes that are run for one address; no function has as many. */
	MAX_INSTRUCTIONS = 1 << 18,
	/* Instructions of arm64 that dwarf.h of elfutils 0.188 lacks: where return addresses are
	 * signed changes. Unwinding strips the signature wherever it is. */
	CFA_AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c,
};

/* What the instructions change. */
struct cfi_state {
	struct cfi_value cfa;
	struct cfi_value regs[CFI_NR_REGS];
};

struct cfi_machine {
	const struct cfi_section *section;
	const struct cfi_cie *cie;
	uint64_t location; /* address that the next row begins at */
	struct cfi_state now;
	struct cfi_state initial; /* after the CIE's instructions, for `restore` */
	struct cfi_state remembered[MAX_REMEMBERED];
	unsigned nr_remembered;
	bool failed;
};

/* The value of a register that no CFI is needed of goes here and is forgotten. */
static struct cfi_value *value_of(struct cfi_state *state, uint64_t reg, struct cfi_value *none)
{
	return reg < CFI_NR_REGS ? &state->regs[reg] : none;
}

static void set(struct cfi_machine *m, uint64_t reg, struct cfi_value value)
{
	struct cfi_value none;

	*value_of(&m->now, reg, &none) = value;
}

static int64_t scaled(const struct cfi_machine *m, int64_t offset)
{
	return (int64_t)((uint64_t)offset * (uint64_t)m->cie->data_align);
}

static struct cfi_value at_offset(enum cfi_how how, int64_t offset)
{
	return (struct cfi_value){.how = (uint8_t)how, .offset = offset};
}

static struct cfi_value by_expression(enum cfi_how how, struct span *s)
{
	struct span expr = span_take(s, span_uleb(s));

	return (struct cfi_value){
		.how = (uint8_t)how, .expr_len = (uint32_t)span_left(&expr), .expr = expr.pos};
}

static void set_cfa(struct cfi_machine *m, uint64_t reg, int64_t offset)
{
	m->failed |= reg >= CFI_NR_REGS;
	m->now.cfa = at_offset(CFI_REGISTER, offset);
	m->now.cfa.reg = (uint8_t)reg;
}

static void set_cfa_offset(struct cfi_machine *m, int64_t offset)
{
	m->failed |= m->now.cfa.how != CFI_REGISTER;
	m->now.cfa.offset = offset;
}

static void restore(struct cfi_machine *m, uint64_t reg)
{
	struct cfi_value none = {0};

	set(m, reg, *value_of(&m->initial, reg, &none));
}

static void remember(struct cfi_machine *m)
{
	if (m->nr_remembered == MAX_REMEMBERED)
		m->failed = true;
	else
		m->remembered[m->nr_remembered++] = m->now;
}

static void restore_all(struct cfi_machine *m)
{
	if (m->nr_remembered == 0)
		m->failed = true;
	else
		m->now = m->remembered[--m->nr_remembered];
}

static void run_cfa(struct cfi_machine *m, uint8_t op, struct span *s)
{
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = span_uleb(s);
		set_cfa(m, reg, (int64_t)span_uleb(s));
		break;
	case DW_CFA_def_cfa_sf:
		reg = span_uleb(s);
		set_cfa(m, reg, scaled(m, span_sleb(s)));
		break;
	case DW_CFA_def_cfa_register:
		m->failed |= m->now.cfa.how != CFI_REGISTER;
		set_cfa(m, span_uleb(s), m->now.cfa.offset);
		break;
	case DW_CFA_def_cfa_offset:
		set_cfa_offset(m, (int64_t)span_uleb(s));
		break;
	case DW_CFA_def_cfa_offset_sf:
		set_cfa_offset(m, scaled(m, span_sleb(s)));
		break;
	case DW_CFA_def_cfa_expression:
		m->now.cfa = by_expression(CFI_IS_EXPR, s);
		break;
	default:
		m->failed = true;
	}
}

/* Instructions that say where the register @reg is. */
static void run_register(struct cfi_machine *m, uint8_t op, uint64_t reg, struct span *s)
{
	struct cfi_value value = {.how = CFI_REGISTER};
	uint64_t other;

	switch (op) {
	case DW_CFA_offset_extended:
		set(m, reg, at_offset(CFI_AT_CFA, scaled(m, (int64_t)span_uleb(s))));
		break;
	case DW_CFA_offset_extended_sf:
		set(m, reg, at_offset(CFI_AT_CFA, scaled(m, span_sleb(s))));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set(m, reg, at_offset(CFI_AT_CFA, -scaled(m, (int64_t)span_uleb(s))));
		break;
	case DW_CFA_val_offset:
		set(m, reg, at_offset(CFI_IS_CFA, scaled(m, (int64_t)span_uleb(s))));
		break;
	case DW_CFA_val_offset_sf:
		set(m, reg, at_offset(CFI_IS_CFA, scaled(m, span_sleb(s))));
		break;
	case DW_CFA_restore_extended:
		restore(m, reg);
		break;
	case DW_CFA_undefined:
		set(m, reg, at_offset(CFI_UNDEFINED, 0));
		break;
	case DW_CFA_same_value:
		set(m, reg, at_offset(CFI_SAME, 0));
		break;
	case DW_CFA_register:
		other = span_uleb(s);
		value.reg = (uint8_t)other;
		set(m, reg, other < CFI_NR_REGS ? value : at_offset(CFI_UNDEFINED, 0));
		break;
	case DW_CFA_expression:
		set(m, reg, by_expression(CFI_AT_EXPR, s));
		break;
	case DW_CFA_val_expression:
		set(m, reg, by_expression(CFI_IS_EXPR, s));
		break;
	default:
		m->failed = true;
	}
}

/* Instructions without operands, or whose operands do not matter. */
static void run_other(struct cfi_machine *m, uint8_t op, struct span *s)
{
	switch (op) {
	case DW_CFA_nop:
		break;
	case DW_CFA_remember_state:
		remember(m);
		break;
	case DW_CFA_restore_state:
		restore_all(m);
		break;
	case DW_CFA_GNU_args_size:
		(void)span_uleb(s);
		break;
	case DW_CFA_GNU_window_save: /* of arm64: negate_ra_state; SPARC has no recordings */
	case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC:
		m->failed |= m->section->machine != EM_AARCH64;
		break;
	default:
		m->failed = true;
	}
}

/* Sets how far an advance goes; false if @op is another instruction. */
static bool advance_of(const struct cfi_machine *m, uint8_t op, struct span *s, uint64_t *next)
{
	uint64_t delta;

	switch (op) {
	case DW_CFA_set_loc:
		*next = cfi_pointer(m->section, s, m->cie->encoding, m->cie->address_size);
		return true;
	case DW_CFA_advance_loc1:
		delta = span_u8(s);
		break;
	case DW_CFA_advance_loc2:
		delta = span_u16(s);
		break;
	case DW_CFA_advance_loc4:
		delta = span_u32(s);
		break;
	case DW_CFA_MIPS_advance_loc8:
		delta = span_u64(s);
		break;
	default:
		if ((op & 0xc0) != DW_CFA_advance_loc)
			return false;
		delta = op & 0x3f;
	}
	*next = m->location + delta * m->cie->code_align;
	return true;
}

static void run_one(struct cfi_machine *m, uint8_t op, struct span *s)
{
	if ((op & 0xc0) == DW_CFA_offset)
		set(m, op & 0x3f, at_offset(CFI_AT_CFA, scaled(m, (int64_t)span_uleb(s))));
	else if ((op & 0xc0) == DW_CFA_restore)
		restore(m, op & 0x3f);
	else if ((op >= DW_CFA_def_cfa && op <= DW_CFA_def_cfa_expression) ||
		 op == DW_CFA_def_cfa_sf || op == DW_CFA_def_cfa_offset_sf)
		run_cfa(m, op, s);
	else if (op == DW_CFA_nop || op == DW_CFA_remember_state || op == DW_CFA_restore_state ||
		 (op >= CFA_AARCH64_NEGATE_RA_STATE_WITH_PC && op <= DW_CFA_GNU_args_size))
		run_other(m, op, s);
	else
		run_register(m, op, span_uleb(s), s);
}

/* Runs @s until a row begins behind @address, which is *@end then. */
static void run_until(struct cfi_machine *m, struct span s, uint64_t address, uint64_t *end)
{
	while (span_left(&s) > 0 && !m->failed) {
		const uint8_t op = span_u8(&s);
		uint64_t next;

		if (!advance_of(m, op, &s, &next)) {
			run_one(m, op, &s);
		} else if (next > address) {
			*end = next < *end ? next : *end;
			m->failed |= s.failed;
			return;
		} else {
			/* An advance never goes back. */
			m->failed |= next < m->location;
			m->location = next;
		}
		m->failed |= s.failed;
	}
}

bool cfi_run(const struct cfi_section *section, const struct cfi_fde *fde, uint64_t address,
	     struct cfi_row *row)
{
	uint64_t unused = UINT64_MAX;
	struct cfi_machine m; /* mostly room for remembered states: not to be zeroed each time */

	if (fde->cie.ra_column >= CFI_NR_REGS ||
	    span_left(&fde->cie.instructions) > MAX_INSTRUCTIONS ||
	    span_left(&fde->instructions) > MAX_INSTRUCTIONS)
		return false;
	m.section = section;
	m.cie = &fde->cie;
	m.location = fde->start;
	m.now = m.initial = (struct cfi_state){0};
	m.nr_remembered = 0;
	m.failed = false;
	run_until(&m, fde->cie.instructions, UINT64_MAX, &unused);
	m.failed |= m.location != fde->start;
	m.initial = m.now;
	row->end = fde->end;
	run_until(&m, fde->instructions, address, &row->end);
	row->start = m.location;
	row->cfa = m.now.cfa;
	memcpy(row->regs, m.now.regs, sizeof(row->regs));
	row->ra_column = (uint8_t)fde->cie.ra_column;
	row->is_signal = fde->cie.is_signal;
	row->swap = section->bytes.swap;
	row->is_64bit = section->is_64bit;
	return !m.failed && row->cfa.how != CFI_UNSET;
}
