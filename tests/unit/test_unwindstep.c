/* Single steps from a frame to its caller: by rules, by rows, by frame pointers. */
#include "decode/stack/unwind/unwindrow.h"
#include "decode/stack/unwind/unwindstep.h"
#include "tests/support/suite.h"

#include <check.h>
#include <dwarf.h>
#include <elf.h>
#include <string.h>

enum { BASE = 0x7000, WORDS = 16 };

/* Of x86-64 and arm64: SP, FP, where the return address is. */
struct machine {
	const char *name;
	uint8_t sp, fp, ra;
};

static const struct machine x86_64 = {"x86_64", 7, 6, 16}, arm64 = {"aarch64", 31, 29, 30};

/* A frame with a stack of words, each of which is its address + 0x100000. */
struct frame {
	const struct machine *machine;
	const struct unwind_arch *arch;
	uint64_t words[WORDS];
	struct unwind_stack stack;
	struct unwind_regs regs;
	struct cfi_row row;
	bool exact; /* execution stands there */
};

static struct cfi_value at_cfa(int64_t offset)
{
	return (struct cfi_value){.how = CFI_AT_CFA, .offset = offset};
}

static struct cfi_value in_register(uint8_t reg, int64_t offset)
{
	return (struct cfi_value){.how = CFI_REGISTER, .reg = reg, .offset = offset};
}

static struct cfi_value by_expression(enum cfi_how how, const uint8_t *code, size_t len)
{
	return (struct cfi_value){.how = (uint8_t)how, .expr = code, .expr_len = (uint32_t)len};
}

/* SP is BASE, FP BASE + 0x40, the link register 0x3000; the CFA SP + 16 and the return address
 * before it. */
static void start(struct frame *f, const struct machine *machine)
{
	*f = (struct frame){
		.machine = machine, .arch = unwind_arch_find(machine->name, 2), .exact = true};
	for (size_t i = 0; i < WORDS; i++)
		f->words[i] = 0x100000 + BASE + 8 * i;
	f->stack = (struct unwind_stack){
		.bytes = (uint8_t *)f->words, .size = sizeof(f->words), .base = BASE, .word = 8};
	f->regs.pc = 0x1000;
	f->regs.values[machine->sp] = BASE;
	f->regs.values[machine->fp] = BASE + 0x40;
	f->regs.known[machine->sp] = f->regs.known[machine->fp] = true;
	if (f->arch->link != UNWIND_NO_REG) {
		f->regs.values[f->arch->link] = 0x3000;
		f->regs.known[f->arch->link] = true;
	}
	f->row = (struct cfi_row){
		.ra_column = machine->ra, .is_64bit = true, .cfa = in_register(machine->sp, 16)};
	f->row.regs[machine->ra] = at_cfa(-8);
}

static struct unwind_frame frame_of(const struct frame *f)
{
	struct unwind_frame frame = {
		.pc = f->regs.pc,
		.sp = f->regs.values[f->machine->sp],
		.fp = f->regs.values[f->machine->fp],
		.has_fp = f->regs.known[f->machine->fp],
		.exact = f->exact,
	};

	if (f->arch->link != UNWIND_NO_REG) {
		frame.link = f->regs.values[f->arch->link];
		frame.has_link = f->regs.known[f->arch->link];
	}
	return frame;
}

/* Steps by the row, and by its rule if @has_rule; both lead to the same caller, which is returned.
 */
static struct unwind_frame step(struct frame *f, bool has_rule, enum unwind_step expected)
{
	const struct cfi_rule rule = cfi_rule_make(&f->row, f->arch->machine, f->regs.pc);
	struct unwind_frame frame = frame_of(f);

	ck_assert_int_eq(rule.kind, has_rule ? CFI_RULE_STEP : CFI_RULE_ROW);
	ck_assert_int_eq(unwind_row_step(&f->regs, &f->row, f->arch, &f->stack, f->exact),
			 expected);
	if (has_rule)
		ck_assert_int_eq(unwind_step_rule(&frame, &rule, &f->stack), expected);
	if (!has_rule || expected != UNWIND_STEP_CALLER)
		return frame_of(f);
	ck_assert_uint_eq(frame.pc, f->regs.pc);
	ck_assert_uint_eq(frame.sp, f->regs.values[f->machine->sp]);
	ck_assert(frame.has_fp == f->regs.known[f->machine->fp]);
	ck_assert(!frame.has_fp || frame.fp == f->regs.values[f->machine->fp]);
	ck_assert(frame.exact == f->row.is_signal);
	return frame;
}

static void check_caller(const struct unwind_frame *frame, uint64_t pc, uint64_t sp, uint64_t fp)
{
	ck_assert_uint_eq(frame->pc, pc);
	ck_assert_uint_eq(frame->sp, sp);
	ck_assert(frame->has_fp);
	ck_assert_uint_eq(frame->fp, fp);
}

/* ---- by CFI ---------------------------------------------------------------------------------- */

START_TEST(return_addresses)
{
	struct unwind_frame caller;
	struct frame f;

	start(&f, &x86_64); /* without a frame pointer */
	caller = step(&f, true, UNWIND_STEP_CALLER);
	check_caller(&caller, 0x107008, BASE + 16, BASE + 0x40);

	start(&f, &x86_64); /* with one */
	f.row.cfa = in_register(6, 16);
	f.row.regs[6] = at_cfa(-16);
	caller = step(&f, true, UNWIND_STEP_CALLER);
	check_caller(&caller, 0x107048, BASE + 0x50, 0x107040);

	start(&f, &arm64); /* in the link register */
	f.row.cfa = in_register(31, 0);
	f.row.regs[30] = (struct cfi_value){.how = CFI_UNSET};
	caller = step(&f, true, UNWIND_STEP_CALLER);
	check_caller(&caller, 0x3000, BASE, BASE + 0x40);
	ck_assert(!caller.has_link);

	start(&f, &arm64); /* in a frame record */
	f.row.cfa = in_register(29, 32);
	f.row.regs[29] = at_cfa(-32);
	f.row.regs[30] = at_cfa(-24);
	caller = step(&f, true, UNWIND_STEP_CALLER);
	check_caller(&caller, 0x107048, BASE + 0x60, 0x107040);
}
END_TEST

/* No caller has what its callee got in the link register. */
START_TEST(link_register_of_a_caller)
{
	struct frame f;

	start(&f, &arm64);
	f.exact = false;
	f.regs.known[30] = false;
	f.row.regs[30] = (struct cfi_value){.how = CFI_UNSET};
	step(&f, true, UNWIND_STEP_BAD);
}
END_TEST

/* The frame pointer's slot below SP, where an epilogue has taken it off, or behind the copy. */
START_TEST(slots_of_the_frame_pointer)
{
	struct unwind_frame caller;
	struct frame f;

	start(&f, &x86_64);
	f.row.cfa = in_register(7, 8);
	f.row.regs[6] = at_cfa(-16);
	caller = step(&f, true, UNWIND_STEP_CALLER);
	check_caller(&caller, 0x107000, BASE + 8, BASE + 0x40);

	start(&f, &x86_64);
	f.row.regs[6] = at_cfa(1000);
	caller = step(&f, true, UNWIND_STEP_CALLER);
	ck_assert(!caller.has_fp);

	start(&f, &x86_64);
	f.row.regs[6] = (struct cfi_value){.how = CFI_UNDEFINED};
	caller = step(&f, true, UNWIND_STEP_CALLER);
	ck_assert(!caller.has_fp);
}
END_TEST

/* A stack that goes down or stands still, except that a call of arm64 takes none. */
START_TEST(stacks_that_do_not_go_up)
{
	struct frame f;

	for (int i = 0; i < 2; i++) {
		start(&f, i ? &arm64 : &x86_64);
		f.row.cfa.offset = -8;
		step(&f, true, UNWIND_STEP_BAD);
		start(&f, i ? &arm64 : &x86_64);
		f.row.cfa.offset = 0;
		f.row.regs[f.machine->ra] = at_cfa(8);
		step(&f, true, UNWIND_STEP_CALLER);
		start(&f, i ? &arm64 : &x86_64);
		f.exact = false;
		f.row.cfa.offset = 0;
		f.row.regs[f.machine->ra] = at_cfa(8);
		step(&f, true, UNWIND_STEP_BAD);
	}
}
END_TEST

START_TEST(ends_of_chains)
{
	struct cfi_rule rule;
	struct frame f;

	start(&f, &x86_64); /* undefined return address */
	f.row.regs[16] = (struct cfi_value){.how = CFI_UNDEFINED};
	rule = cfi_rule_make(&f.row, EM_X86_64, 0x1000);
	ck_assert_int_eq(rule.kind, CFI_RULE_OUTERMOST);
	ck_assert_int_eq(unwind_row_step(&f.regs, &f.row, f.arch, &f.stack, true),
			 UNWIND_STEP_OUTERMOST);
	start(&f, &x86_64); /* 0 */
	f.words[1] = 0;
	step(&f, true, UNWIND_STEP_OUTERMOST);
	start(&f, &x86_64); /* none said */
	f.row.regs[16] = (struct cfi_value){.how = CFI_UNSET};
	step(&f, false, UNWIND_STEP_BAD);
	start(&f, &x86_64); /* the frame pointer is not known */
	f.regs.known[6] = false;
	f.row.cfa = in_register(6, 16);
	step(&f, true, UNWIND_STEP_BAD);
}
END_TEST

/* A copy cut off at each byte leads to the caller only with all of the return address. */
START_TEST(cut_stacks)
{
	for (size_t size = 0; size <= 24; size++) {
		struct frame f;

		start(&f, &x86_64);
		f.stack.size = size;
		step(&f, true, size >= 16 ? UNWIND_STEP_CALLER : UNWIND_STEP_CUT);
	}
}
END_TEST

/* The entries of a procedure linkage table push a word on their way. */
START_TEST(stubs)
{
	static const uint8_t code[] = {DW_OP_breg7, 8,	       DW_OP_breg16, 0,
				       DW_OP_lit15, DW_OP_and, DW_OP_lit11,  DW_OP_ge,
				       DW_OP_lit3,  DW_OP_shl, DW_OP_plus};
	struct unwind_frame caller;
	struct frame f;

	for (uint64_t i = 0; i < 16; i++) {
		const uint64_t sp = i < 11 ? BASE + 8 : BASE + 16;

		start(&f, &x86_64);
		f.regs.pc = 0x1020 + i;
		f.row.cfa = by_expression(CFI_IS_EXPR, code, sizeof(code));
		caller = step(&f, true, UNWIND_STEP_CALLER);
		check_caller(&caller, sp - 8 + 0x100000, sp, BASE + 0x40);
	}
}
END_TEST

/* As the C library has it for its own: CFA and all registers are in the signal's frame. */
START_TEST(trampolines_of_signal_handlers)
{
	static const uint8_t cfa[] = {DW_OP_breg7, 40, DW_OP_deref}, sp[] = {DW_OP_breg7, 40},
			     fp[] = {DW_OP_breg7, 48}, pc[] = {DW_OP_breg7, 56},
			     bx[] = {DW_OP_breg7, 32};
	struct unwind_frame caller;
	struct frame f;

	start(&f, &x86_64);
	f.exact = false;
	f.row.is_signal = true;
	f.row.cfa = by_expression(CFI_IS_EXPR, cfa, sizeof(cfa));
	f.row.regs[7] = by_expression(CFI_AT_EXPR, sp, sizeof(sp));
	f.row.regs[6] = by_expression(CFI_AT_EXPR, fp, sizeof(fp));
	f.row.regs[16] = by_expression(CFI_AT_EXPR, pc, sizeof(pc));
	f.row.regs[3] = by_expression(CFI_AT_EXPR, bx, sizeof(bx));
	f.words[5] = 0x5000; /* the handler had a stack of its own, above the other */
	caller = step(&f, true, UNWIND_STEP_CALLER);
	check_caller(&caller, 0x107038, 0x5000, 0x107030);
	ck_assert_uint_eq(f.regs.values[3], 0x107020);
}
END_TEST

/* Functions of gcc that align their stack: the CFA is in R10, later in memory below FP. */
START_TEST(realigned_stacks)
{
	static const uint8_t saved[] = {DW_OP_breg6, 0x78, DW_OP_deref}, fp[] = {DW_OP_breg6, 0};
	struct unwind_frame caller;
	struct frame f;

	start(&f, &x86_64);
	f.row.cfa = in_register(10, 0);
	step(&f, false, UNWIND_STEP_BAD);
	start(&f, &x86_64);
	f.row.cfa = in_register(10, 0);
	f.regs.values[10] = BASE + 0x20;
	f.regs.known[10] = true;
	caller = step(&f, false, UNWIND_STEP_CALLER);
	check_caller(&caller, 0x107018, BASE + 0x20, BASE + 0x40);
	ck_assert(!f.regs.known[10]);

	start(&f, &x86_64);
	f.row.cfa = by_expression(CFI_IS_EXPR, saved, sizeof(saved));
	f.row.regs[6] = by_expression(CFI_AT_EXPR, fp, sizeof(fp));
	f.words[7] = BASE + 0x60;
	caller = step(&f, true, UNWIND_STEP_CALLER);
	check_caller(&caller, 0x107058, BASE + 0x60, 0x107040);
}
END_TEST

/* Registers that functions keep are the caller's, others are lost; those the row names are there.
 */
START_TEST(other_registers)
{
	static const uint8_t code[] = {DW_OP_plus_uconst, 1};
	struct frame f;

	start(&f, &x86_64);
	for (unsigned i = 0; i < 16; i++) {
		f.regs.values[i] += i == 7 || i == 6 ? 0 : 500 + i;
		f.regs.known[i] = true;
	}
	f.row.regs[12] = at_cfa(0);
	f.row.regs[13] = in_register(1, 0);
	f.row.regs[14] = (struct cfi_value){.how = CFI_IS_CFA, .offset = 8};
	f.row.regs[15] = by_expression(CFI_IS_EXPR, code, sizeof(code));
	f.row.regs[2] = (struct cfi_value){.how = CFI_SAME};
	step(&f, true, UNWIND_STEP_CALLER);
	for (unsigned i = 0; i < 16; i++)
		ck_assert(f.regs.known[i] == (i == 2 || i == 3 || i == 6 || i == 7 || i >= 12));
	ck_assert_uint_eq(f.regs.values[2], 502);
	ck_assert_uint_eq(f.regs.values[3], 503);
	ck_assert_uint_eq(f.regs.values[12], 0x107010);
	ck_assert_uint_eq(f.regs.values[13], 501);
	ck_assert_uint_eq(f.regs.values[14], BASE + 24);
	ck_assert_uint_eq(f.regs.values[15], BASE + 17);
}
END_TEST

/* ---- without CFI ----------------------------------------------------------------------------- */

START_TEST(frame_pointers)
{
	struct unwind_frame frame;
	struct frame f;

	start(&f, _i ? &arm64 : &x86_64);
	frame = frame_of(&f);
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_CALLER);
	check_caller(&frame, 0x107048, BASE + 0x50, 0x107040);
	ck_assert(!frame.exact && frame.is_followed && !frame.has_link);

	frame = frame_of(&f);
	frame.fp = BASE + 0x44;
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_BAD);
	frame.fp = BASE - 0x10; /* its frame would end at SP */
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_BAD);
	frame.fp = BASE + 0x78; /* the return address is behind the copy */
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_CUT);
	frame.fp = BASE + (8 << 20); /* what is so far is on no stack */
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_BAD);
	frame.fp = 0; /* the end of the chain, or the register has another use */
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_BAD);
	frame.is_followed = true;
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_OUTERMOST);
	frame.has_fp = false;
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_BAD);
}
END_TEST

/* Go's duffcopy is called with FP in a frame that begins below SP: its callers' FP is not known. */
START_TEST(frame_below_the_stack_pointer)
{
	struct unwind_frame frame = {.sp = BASE, .fp = BASE - 8, .has_fp = true, .exact = true};
	struct frame f;

	start(&f, &x86_64);
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_CALLER);
	ck_assert_uint_eq(frame.pc, 0x100000 + BASE);
	ck_assert_uint_eq(frame.sp, BASE + 8);
	ck_assert(!frame.has_fp);
	ck_assert_int_eq(unwind_step_record(&frame, f.arch, &f.stack), UNWIND_STEP_BAD);
}
END_TEST

START_TEST(the_top_of_the_stack)
{
	struct unwind_frame frame;
	struct frame f;

	start(&f, &x86_64);
	frame = frame_of(&f);
	ck_assert_int_eq(unwind_step_return(&frame, &f.stack), UNWIND_STEP_CALLER);
	check_caller(&frame, 0x107000, BASE + 8, BASE + 0x40);
	frame.sp = BASE + sizeof(f.words);
	ck_assert_int_eq(unwind_step_return(&frame, &f.stack), UNWIND_STEP_CUT);
	f.words[0] = 0;
	frame.sp = BASE;
	ck_assert_int_eq(unwind_step_return(&frame, &f.stack), UNWIND_STEP_OUTERMOST);
}
END_TEST

/* Of PowerPC: SP points at the caller's, and the return address is 16 bytes behind. */
START_TEST(chains_of_stack_pointers)
{
	const struct unwind_arch *arch = unwind_arch_find("ppc64le", 2);
	struct unwind_frame frame = {.sp = BASE, .exact = true};
	struct frame f;

	start(&f, &x86_64);
	f.words[0] = BASE + 0x20;
	ck_assert_int_eq(unwind_step_record(&frame, arch, &f.stack), UNWIND_STEP_CALLER);
	ck_assert_uint_eq(frame.sp, BASE + 0x20);
	ck_assert_uint_eq(frame.pc, 0x107030);
	f.words[4] = BASE + 0x20;
	ck_assert_int_eq(unwind_step_record(&frame, arch, &f.stack), UNWIND_STEP_BAD);
	f.words[4] = BASE + 0x70;
	ck_assert_int_eq(unwind_step_record(&frame, arch, &f.stack), UNWIND_STEP_CUT);
	f.words[4] = 0;
	ck_assert_int_eq(unwind_step_record(&frame, arch, &f.stack), UNWIND_STEP_OUTERMOST);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("unwindstep");
	TCase *tcase = tcase_create("unwindstep");

	tcase_add_test(tcase, return_addresses);
	tcase_add_test(tcase, link_register_of_a_caller);
	tcase_add_test(tcase, slots_of_the_frame_pointer);
	tcase_add_test(tcase, stacks_that_do_not_go_up);
	tcase_add_test(tcase, ends_of_chains);
	tcase_add_test(tcase, cut_stacks);
	tcase_add_test(tcase, stubs);
	tcase_add_test(tcase, trampolines_of_signal_handlers);
	tcase_add_test(tcase, realigned_stacks);
	tcase_add_test(tcase, other_registers);
	tcase_add_loop_test(tcase, frame_pointers, 0, 2);
	tcase_add_test(tcase, frame_below_the_stack_pointer);
	tcase_add_test(tcase, the_top_of_the_stack);
	tcase_add_test(tcase, chains_of_stack_pointers);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
