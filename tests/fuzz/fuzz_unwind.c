/*
 * Choices for an architecture, a stack, registers and the rows of frames: each step ends, goes up
 * the stack, and leads by a row and by the rule that is made of it to the same caller.
 */
#include "decode/stack/unwind/unwindrow.h"
#include "decode/stack/unwind/unwindsignal.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_FRAMES = 32, MAX_WORDS = 64, MAX_EXPR = 40 };

#define STACK_BASE UINT64_C(0x7fff00001000)

struct fuzzed {
	struct fuzz_choices choices;
	const struct unwind_arch *arch;
	struct unwind_stack stack;
	uint64_t words[MAX_WORDS];
	struct unwind_regs regs;
	bool exact; /* execution stands in the frame */
};

/* Near the stack, as most values that matter are, or any. */
static uint64_t pick_value(struct fuzzed *f)
{
	const uint8_t byte = fuzz_u8(&f->choices);

	if (byte == 255)
		return fuzz_u64(&f->choices);
	if (byte >= 192)
		return byte - 192;
	return STACK_BASE + (byte - 32) * (byte & 1 ? UINT64_C(8) : UINT64_C(4));
}

static int64_t pick_offset(struct fuzzed *f)
{
	const uint8_t byte = fuzz_u8(&f->choices);

	return byte == 255 ? (int64_t)fuzz_u64(&f->choices) : 8 * ((int64_t)byte - 100);
}

static struct cfi_value pick_cfi_value(struct fuzzed *f)
{
	struct cfi_value value = {.how = (uint8_t)fuzz_pick(&f->choices, CFI_IS_EXPR + 1)};
	size_t got;

	if (value.how == CFI_AT_EXPR || value.how == CFI_IS_EXPR) {
		value.expr = fuzz_bytes(&f->choices, fuzz_pick(&f->choices, MAX_EXPR), &got);
		value.expr_len = (uint32_t)got;
	} else if (value.how == CFI_AT_CFA || value.how == CFI_IS_CFA) {
		value.offset = pick_offset(f);
	} else if (value.how == CFI_REGISTER) {
		value.reg = (uint8_t)fuzz_pick(&f->choices, CFI_NR_REGS);
	}
	return value;
}

static struct cfi_row pick_row(struct fuzzed *f)
{
	const uint8_t flags = fuzz_u8(&f->choices);
	struct cfi_row row = {
		.ra_column = f->arch->link != UNWIND_NO_REG ? f->arch->link : 16,
		.is_signal = (flags & 7) == 7,
		.swap = f->stack.swap,
		.is_64bit = f->arch->word == 8,
	};

	row.cfa = pick_cfi_value(f);
	if (row.cfa.how < CFI_REGISTER || row.cfa.how == CFI_AT_EXPR) {
		row.cfa = (struct cfi_value){.how = CFI_REGISTER};
		row.cfa.reg = flags & 8 ? f->arch->fp : f->arch->sp;
		row.cfa.offset = pick_offset(f);
	} else if (row.cfa.how == CFI_REGISTER) {
		row.cfa.offset = pick_offset(f);
	}
	row.regs[row.ra_column] = pick_cfi_value(f);
	if (flags & 16)
		row.regs[f->arch->fp] = pick_cfi_value(f);
	if (flags & 32)
		row.regs[f->arch->sp] = pick_cfi_value(f);
	if (flags & 64)
		row.regs[fuzz_pick(&f->choices, CFI_NR_REGS)] = pick_cfi_value(f);
	return row;
}

/* The few registers of the frame that rules are about. */
static struct unwind_frame frame_of(const struct fuzzed *f)
{
	const uint8_t fp = f->arch->fp, link = f->arch->link;
	struct unwind_frame frame = {
		.pc = f->regs.pc,
		.sp = f->regs.values[f->arch->sp],
		.fp = f->regs.values[fp],
		.has_fp = f->regs.known[fp],
		.exact = f->exact,
	};

	if (link != UNWIND_NO_REG) {
		frame.link = f->regs.values[link];
		frame.has_link = f->regs.known[link];
	}
	return frame;
}

/* @step led to the caller by the row, whose registers are in @f now; a rule leads there too. */
static void compare(const struct fuzzed *f, const struct cfi_row *row, struct unwind_frame frame,
		    enum unwind_step step)
{
	const struct cfi_rule rule = cfi_rule_make(row, f->arch->machine, frame.pc);

	if (rule.kind == CFI_RULE_OUTERMOST)
		fuzz_check(step == UNWIND_STEP_OUTERMOST);
	if (rule.kind != CFI_RULE_STEP)
		return;
	fuzz_check(unwind_step_rule(&frame, &rule, &f->stack) == step);
	if (step != UNWIND_STEP_CALLER)
		return;
	fuzz_check(frame.pc == f->regs.pc && frame.sp == f->regs.values[f->arch->sp]);
	fuzz_check(frame.has_fp == f->regs.known[f->arch->fp]);
	fuzz_check(!frame.has_fp || frame.fp == f->regs.values[f->arch->fp]);
}

static bool step_by_row(struct fuzzed *f)
{
	const struct cfi_row row = pick_row(f);
	const struct unwind_frame frame = frame_of(f);
	const enum unwind_step step = unwind_row_step(&f->regs, &row, f->arch, &f->stack, f->exact);

	if (step == UNWIND_STEP_CALLER) {
		fuzz_check(f->regs.pc != 0);
		fuzz_check(row.is_signal || row.regs[f->arch->sp].how != CFI_UNSET ||
			   f->regs.values[f->arch->sp] >= frame.sp);
	}
	compare(f, &row, frame, step);
	f->exact = row.is_signal;
	return step == UNWIND_STEP_CALLER && f->regs.known[f->arch->sp];
}

/* The same without CFI. */
static bool step_by_record(struct fuzzed *f)
{
	const struct unwind_frame frame = frame_of(f);
	struct unwind_frame caller = frame, returned = frame;
	struct unwind_regs interrupted = f->regs;

	if (unwind_step_return(&returned, &f->stack) == UNWIND_STEP_CALLER)
		fuzz_check(returned.pc != 0 && returned.sp == frame.sp + f->stack.word);
	if (unwind_signal_step(&interrupted, f->arch, &f->stack) == UNWIND_STEP_CALLER)
		fuzz_check(unwind_signal_knows(f->arch) && interrupted.known[f->arch->sp]);
	if (unwind_step_record(&caller, f->arch, &f->stack) != UNWIND_STEP_CALLER)
		return false;
	fuzz_check(caller.pc != 0 && caller.sp > frame.sp);
	f->regs.pc = caller.pc;
	f->regs.values[f->arch->sp] = caller.sp;
	f->regs.values[f->arch->fp] = caller.fp;
	f->regs.known[f->arch->fp] = caller.has_fp;
	f->exact = false;
	return true;
}

/* The registers of the sample; false if they are too few. */
static bool pick_regs(struct fuzzed *f)
{
	const uint64_t mask = fuzz_pick(&f->choices, 4) ? UINT64_MAX : fuzz_u64(&f->choices);
	uint64_t values[64];

	for (size_t i = 0; i < 64; i++)
		values[i] = pick_value(f);
	return unwind_regs_take(&f->regs, f->arch, mask,
				span_make(values, sizeof(values), f->stack.swap));
}

static void pick_stack(struct fuzzed *f)
{
	const unsigned nr = fuzz_pick(&f->choices, MAX_WORDS + 1);

	for (unsigned i = 0; i < nr; i++)
		f->words[i] = pick_value(f);
	f->stack = (struct unwind_stack){
		.bytes = (const uint8_t *)f->words,
		.size = nr * sizeof(f->words[0]) - (nr ? fuzz_pick(&f->choices, 8) : 0),
		.swap = fuzz_pick(&f->choices, 16) == 15,
		.word = f->arch->word,
	};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const machines[] = {"x86_64", "aarch64", "riscv64", "s390x", "ppc64le"};
	struct fuzzed f = {.choices = fuzz_choices_of(data, size), .exact = true};
	const uint8_t flags = fuzz_u8(&f.choices);
	bool goes_on;

	f.arch = unwind_arch_find(machines[flags % 5], flags & 128 ? 1 : 2);
	if (!f.arch)
		return 0;
	pick_stack(&f);
	goes_on = pick_regs(&f);
	f.stack.base = f.regs.values[f.arch->sp];
	for (size_t i = 0; goes_on && i < MAX_FRAMES && fuzz_choices_left(&f.choices); i++)
		goes_on = fuzz_pick(&f.choices, 8) ? step_by_row(&f) : step_by_record(&f);
	return 0;
}
