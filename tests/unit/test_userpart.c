/*
 * User parts of call chains: unwound through code with call frame information made for it, of
 * branch records, as recorded, with the link register of arm64; and why they end.
 */
#include "decode/replay/state.h"
#include "decode/stack/userpart.h"
#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <elf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define SP	   UINT64_C(0x7ffc00001000)
#define KERNEL	   UINT64_C(0xffffffff81000000)
#define MARK(mode) ((uint64_t)PERF_CONTEXT_##mode)

/* Functions of 16 bytes, one behind the other, are named by letters: A3 is byte 3 of the first. */
enum { TEXT = 0x401000, TEXT_OFFSET = 0x1000, FUNCTION = 16, A = TEXT, WORDS = 64, TEXT_MAX = 512 };
#define B (A + 1 * FUNCTION)
#define C (A + 2 * FUNCTION)
#define D (A + 3 * FUNCTION)
#define E (A + 4 * FUNCTION)
#define F (A + 5 * FUNCTION)
#define G (A + 6 * FUNCTION)

static const char *const x86_64_source =
	"	.text\n"
	"	.cfi_startproc\n	.skip 16, 0x90\n	.cfi_endproc\n" /* a: SP + 8 */
	/* b: with a frame pointer */
	"	.cfi_startproc\n	.cfi_def_cfa 6, 16\n	.cfi_offset 6, -16\n"
	"	.skip 16, 0x90\n	.cfi_endproc\n"
	/* c: the outermost */
	"	.cfi_startproc\n	.cfi_undefined 16\n	.skip 16, 0x90\n	"
	".cfi_endproc\n"
	"	.skip 16, 0x90\n" /* d: nothing is said */
	/* e: with a stack that was aligned, the CFA first in R10, then in memory below FP */
	"	.cfi_startproc\n	.cfi_def_cfa 10, 0\n	.skip 8, 0x90\n"
	"	.cfi_escape 0x0f, 3, 0x76, 0x78, 6\n	.cfi_escape 0x10, 6, 2, 0x76, 0\n"
	"	.skip 7, 0x90\n	.cfi_endproc\n"
	/* f: the trampoline of signal handlers, whose CFI begins a byte early */
	"	.cfi_startproc\n	.cfi_signal_frame\n"
	"	.cfi_escape 0x0f, 3, 0x77, 0x20, 6\n	.cfi_escape 0x10, 7, 2, 0x77, 0x20\n"
	"	.cfi_escape 0x10, 6, 2, 0x77, 0x18\n	.cfi_escape 0x10, 16, 2, 0x77, 0x28\n"
	"	.skip 17, 0x90\n	.cfi_endproc\n"
	/* g: a frame of 8 bytes without a frame pointer */
	"	.cfi_startproc\n	.cfi_def_cfa_offset 16\n	.skip 16, 0x90\n	"
	".cfi_endproc\n"
	"	.skip 16, 0x90\n";

/* The same for arm64, in code of this machine: a has no frame, b a frame record, c is the
 * outermost. */
static const char *const arm64_source =
	"	.text\n"
	"	.cfi_startproc simple\n	.cfi_return_column 30\n	.cfi_def_cfa 31, 0\n"
	"	.skip 16, 0x90\n	.cfi_endproc\n"
	"	.cfi_startproc simple\n	.cfi_return_column 30\n	.cfi_def_cfa 29, 16\n"
	"	.cfi_offset 29, -16\n	.cfi_offset 30, -8\n	.skip 16, 0x90\n	"
	".cfi_endproc\n"
	"	.cfi_startproc simple\n	.cfi_return_column 30\n	.cfi_def_cfa 31, 0\n"
	"	.cfi_undefined 30\n	.skip 16, 0x90\n	.cfi_endproc\n	.skip 80, 0x90\n";

/* A machine with the program, and a sample that is filled in. */
struct fixture {
	struct scratch_path dir, program;
	const char *arch;
	const char *cpuid, *branches_kept; /* NULL: not recorded */
	struct mkperf_event event;
	struct mkperf_sample sample;
	uint64_t regs[33], stack[WORDS], ips[200];
	struct mkperf_branch branches[32];
	struct stack_settings settings;
};

/* Of x86-64: BP, SP, IP and R10. */
enum { BP_AT, SP_AT, IP_AT, R10_AT, X86_64_MASK = 1 << 6 | 1 << 7 | 1 << 8 | 1 << 18 };

/* False if the machine lacks what it takes: the test is skipped. */
static bool setup(struct fixture *f, const char *arch)
{
	const bool is_arm64 = strcmp(arch, "aarch64") == 0;

	if (strcmp(TOOLCHAIN_MACHINE, "x86_64") != 0) {
		machine_lacks("the program is one of x86-64");
		return false;
	}
	if (!machine_has("gcc"))
		return false;
	*f = (struct fixture){.arch = arch, .dir = scratch_make()};
	toolchain_build(f->dir.text, "x.S", is_arm64 ? arm64_source : x86_64_source,
			"gcc -static -nostdlib " TOOLCHAIN_FIXED
			" -Wl,-Ttext=0x401000 -o x x.S 2>err");
	if (is_arm64) /* EM_AARCH64 */
		toolchain_run(f->dir.text,
			      "printf '\\267' | dd of=x bs=1 seek=18 conv=notrunc 2>err");
	f->program = scratch_join(f->dir.text, "x");
	f->event = (struct mkperf_event){
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER,
		.sample_regs_user = is_arm64 ? UINT64_C(0x1ffffffff) : X86_64_MASK,
		.sample_stack_user = sizeof(f->stack),
	};
	f->sample = (struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
					   .pid = 1,
					   .tid = 1,
					   .time = 1,
					   .period = 1,
					   .regs_user_abi = 2,
					   .stack_size = sizeof(f->stack),
					   .stack_dyn_size = sizeof(f->stack)};
	return true;
}

static void teardown(struct fixture *f)
{
	scratch_remove(f->dir.text);
}

static struct perffile *record(struct fixture *f)
{
	struct mkperf *m = mkperf_new(NULL);

	mkperf_feature_string(m, MKPERF_ARCH, f->arch);
	if (f->cpuid)
		mkperf_feature_string(m, MKPERF_CPUID, f->cpuid);
	if (f->branches_kept) {
		mkperf_feature_begin(m, MKPERF_CPU_PMU_CAPS);
		mkperf_u32(m, 1);
		mkperf_u32(m, 16); /* bytes of the padded name */
		mkperf_string(m, "branches");
		mkperf_u32(m, 8);
		mkperf_string(m, f->branches_kept);
		mkperf_feature_end(m);
	}
	mkperf_event(m, &f->event);
	mkperf_mmap2(m, NULL,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = 1,
					   .tid = 1,
					   .start = TEXT,
					   .len = 0x1000,
					   .pgoff = TEXT_OFFSET,
					   .prot = 5,
					   .filename = f->program.text});
	mkperf_mmap2(m, NULL,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = 1,
					   .tid = 1,
					   .start = SP & ~UINT64_C(0xfff),
					   .len = 0x100000,
					   .prot = 3,
					   .filename = "[stack]"});
	f->sample.regs_user = f->regs;
	f->sample.stack = f->stack;
	f->sample.ips = f->ips;
	f->sample.branches = f->branches;
	mkperf_sample(m, &f->sample);
	mkperf_round(m);
	return recording_open(m);
}

static void print_part(char *text, const struct replay *replay, const struct user_part *part)
{
	int len = 0;

	*text = '\0';
	if (part->is_recorded)
		len = snprintf(text, TEXT_MAX, "recorded ");
	for (size_t i = 0; i < part->nr; i++) {
		const uint64_t place =
			replay->addresses.addresses[part->addresses[i]].place - TEXT_OFFSET;

		if (place < 8 * FUNCTION)
			len += snprintf(text + len, TEXT_MAX - (size_t)len, "%c%d ",
					'a' + (int)place / FUNCTION, (int)place % FUNCTION);
		else
			len += snprintf(text + len, TEXT_MAX - (size_t)len, "? ");
	}
	snprintf(text + len, TEXT_MAX - (size_t)len, "%s", chain_end_word(part->end));
}

/* The user part of the sample: "a2 b4 complete"; the words before it become *@nr_kernel. */
static void find_part(struct fixture *f, char *text, size_t *nr_kernel)
{
	static const struct filter filter;
	const struct replay_settings settings = {
		.filter = &filter,
		.symbols = {.build_id_cache = "/nonexistent", .debug_dir = "/nonexistent"},
		.stacks = f->settings,
	};
	struct perffile *file = record(f);
	struct error err = {0};
	struct replay *replay = replay_create(&settings, file, &err);
	const struct record *rec;
	struct user_part part;
	bool found = false;

	while ((rec = recording_next(file))) {
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
		if (rec->type != RECORD_SAMPLE)
			continue;
		found = true;
		ck_assert(user_part_find(&replay->stacks.unwinder, f->settings.mode,
					 process_find(&replay->processes, 1), 0, rec, &part));
		print_part(text, replay, &part);
		*nr_kernel = span_left(&part.kernel_ips) / 8;
	}
	ck_assert(found);
	replay_destroy(replay);
	perffile_close(file);
}

static void check_part(struct fixture *f, const char *expected)
{
	char text[TEXT_MAX];
	size_t nr_kernel;

	find_part(f, text, &nr_kernel);
	ck_assert_str_eq(text, expected);
}

/* Registers of x86-64, the program being at @ip. */
static void stand(struct fixture *f, uint64_t ip, uint64_t bp)
{
	f->sample.ip = ip;
	f->regs[IP_AT] = ip;
	f->regs[SP_AT] = SP;
	f->regs[BP_AT] = bp;
	f->regs[R10_AT] = SP + 0x20;
}

/* a called by b, called by g, called by c. */
static void call(struct fixture *f)
{
	stand(f, A + 2, SP + 16);
	f->stack[0] = B + 5;
	f->stack[2] = 77;
	f->stack[3] = G + 3;
	f->stack[5] = C + 7;
}

static void set_chain(struct fixture *f, const uint64_t *ips, size_t nr)
{
	memcpy(f->ips, ips, nr * sizeof(*ips));
	f->sample.nr_ips = nr;
}

/* ---- unwinding ------------------------------------------------------------------------------- */

START_TEST(whole_chains)
{
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	call(&f);
	check_part(&f, "a2 b4 g2 c6 complete");
	f.stack[5] = 0; /* a thread's first function may have been given no address to return to */
	check_part(&f, "a2 b4 g2 complete");
	teardown(&f);
}
END_TEST

/* A copy cut at each byte gives a part of the chain. */
START_TEST(cut_copies)
{
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	call(&f);
	for (size_t size = 0; size <= 48; size++) {
		f.sample.stack_dyn_size = size;
		check_part(&f, size < 8	   ? "a2 stack-away"
			       : size < 32 ? "a2 b4 stack-away"
			       : size < 48 ? "a2 b4 g2 stack-away"
					   : "a2 b4 g2 c6 complete");
	}
	/* as much as was asked for */
	f.sample.stack_size = f.sample.stack_dyn_size = 24;
	check_part(&f, "a2 b4 stack-cut");
	teardown(&f);
}
END_TEST

START_TEST(chains_that_end_early)
{
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	call(&f); /* outside every mapping, and in what is no code */
	f.stack[3] = 0x10;
	check_part(&f, "a2 b4 no-mapping");
	call(&f); /* the frame pointer is not known, or points below SP */
	f.regs[BP_AT] = UINT64_MAX;
	check_part(&f, "a2 b4 bad-frame");
	f.regs[BP_AT] = SP - 0x100;
	check_part(&f, "a2 b4 bad-frame");
	f.regs[BP_AT] = SP + 0x10000;
	check_part(&f, "a2 b4 stack-cut");
	stand(&f, 0x123456, SP); /* the sample itself is nowhere */
	check_part(&f, "? no-mapping");
	teardown(&f);
}
END_TEST

START_TEST(code_without_cfi)
{
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	stand(&f, D + 2, 1); /* innermost: a function without a frame */
	f.stack[0] = C + 7;
	check_part(&f, "d2 c6 complete");
	stand(&f, D + 2, SP + 16); /* with one, if what is on top leads to no code */
	f.stack[0] = SP;
	f.stack[3] = C + 7;
	check_part(&f, "d2 c6 complete");
	stand(&f, A + 2, SP + 16); /* later frames: by the frame pointer */
	f.stack[0] = D + 5;
	check_part(&f, "a2 d4 c6 complete");
	f.regs[BP_AT] = SP + 17;
	check_part(&f, "a2 d4 no-cfi");
	f.regs[BP_AT] = SP + 16;
	f.stack[3] = SP;
	check_part(&f, "a2 d4 no-cfi");
	teardown(&f);
}
END_TEST

START_TEST(realigned_stacks)
{
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	stand(&f, E + 1, SP + 16); /* R10 is SP + 0x20 */
	f.stack[3] = G + 3;
	f.stack[5] = C + 7;
	check_part(&f, "e1 g2 c6 complete");
	stand(&f, E + 9, SP + 16);
	f.stack[1] = SP + 0x20;
	check_part(&f, "e9 g2 c6 complete");
	stand(&f, A + 1, SP + 16); /* R10 of a caller is lost */
	f.stack[0] = E + 2;
	check_part(&f, "a1 e1 bad-frame");
	teardown(&f);
}
END_TEST

/* What was interrupted stood where it stood; the trampoline is named by itself. */
START_TEST(signal_handlers)
{
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	stand(&f, A + 1, 0);
	f.stack[0] = F;
	f.stack[4] = SP + 0x58; /* BP, SP, IP at +0x18, +0x20, +0x28 of the frame */
	f.stack[5] = SP + 0x40;
	f.stack[6] = B;
	f.stack[12] = C + 7;
	f.stack[11] = 0;
	check_part(&f, "a1 f0 b0 c6 complete");
	teardown(&f);
}
END_TEST

START_TEST(recursion)
{
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	stand(&f, G + 1, 0);
	for (size_t i = 1; i < WORDS; i += 2)
		f.stack[i] = G + 5;
	f.settings.max_frames = 3;
	check_part(&f, "g1 g4 g4 depth-limit");
	f.stack[5] = C + 7;
	check_part(&f, "g1 g4 g4 depth-limit");
	f.settings.max_frames = 4;
	check_part(&f, "g1 g4 g4 c6 complete");
	teardown(&f);
}
END_TEST

/* The other ABI has other registers; kernel threads have none. */
START_TEST(registers_of_no_use)
{
	static const uint64_t chain[] = {MARK(KERNEL), KERNEL};
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	call(&f);
	f.arch = "sparc64"; /* nothing is wrong with its registers: they are not known */
	check_part(&f, "missing");
	f.arch = "x86_64";
	f.event.sample_regs_user = 1 << 6 | 1 << 7 | 1 << 16;
	check_part(&f, "bad-frame");
	f.sample.regs_user_abi = 0;
	f.sample.misc = PERF_RECORD_MISC_KERNEL;
	set_chain(&f, chain, 2);
	check_part(&f, "recorded recorded");
	teardown(&f);
}
END_TEST

/* ---- which part ------------------------------------------------------------------------------ */

START_TEST(kernel_parts_are_kept)
{
	static const uint64_t chain[] = {MARK(KERNEL), KERNEL, KERNEL + 1, MARK(USER)};
	struct fixture f;
	char text[TEXT_MAX];
	size_t nr_kernel;

	if (!setup(&f, "x86_64"))
		return;
	call(&f);
	f.sample.misc = PERF_RECORD_MISC_KERNEL;
	f.sample.ip = KERNEL;
	for (size_t nr = 3; nr <= 4; nr++) { /* with the marker and without */
		set_chain(&f, chain, nr);
		find_part(&f, text, &nr_kernel);
		ck_assert_str_eq(text, "a2 b4 g2 c6 complete");
		ck_assert_uint_eq(nr_kernel, 3);
	}
	f.settings.mode = USER_PART_NONE;
	find_part(&f, text, &nr_kernel);
	ck_assert_str_eq(text, "recorded");
	ck_assert_uint_eq(nr_kernel, 0);
	teardown(&f);
}
END_TEST

/* Of a recorded user part and an unwound one that which has more. */
START_TEST(recorded_and_unwound)
{
	static const uint64_t chain[] = {MARK(USER), A + 2, B + 5, G + 3, C + 7, C + 7};
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	call(&f);
	set_chain(&f, chain, 6);
	check_part(&f, "recorded recorded");
	set_chain(&f, chain, 5);
	check_part(&f, "a2 b4 g2 c6 complete");
	f.settings.mode = USER_PART_RECORDED;
	check_part(&f, "recorded recorded");
	f.settings.mode = USER_PART_LBR;
	check_part(&f, "missing");
	f.settings.mode = USER_PART_DWARF;
	check_part(&f, "a2 b4 g2 c6 complete");
	teardown(&f);
}
END_TEST

/* Whether there may be more calls than branches the processor says: not what came before. */
START_TEST(full_branch_records)
{
	static const struct {
		const char *kept, *cpuid; /* NULL: not recorded */
		size_t nr;
		const char *end;
	} records[] = {
		{"32", NULL, 31, "recorded"},
		{"32", NULL, 32, "lbr-full"},
		{"16", "GenuineIntel,6,94,3", 16, "lbr-full"},
		{NULL, "GenuineIntel,6,94,3", 16, "recorded"},
		{NULL, "GenuineIntel,6,94,3", 32, "lbr-full"},
		{NULL, "GenuineIntel,6,63,2", 15, "recorded"},
		{NULL, "GenuineIntel,6,63,2", 16, "lbr-full"},
		{NULL, NULL, 8, "recorded"},
		{NULL, NULL, 16, "recorded"},
		{NULL, NULL, 32, "lbr-full"},
		{"", NULL, 8, "recorded"},
	};
	static const uint64_t chain[] = {MARK(USER), A + 2};
	struct fixture f;
	char text[TEXT_MAX];
	size_t nr_kernel;

	if (!setup(&f, "x86_64"))
		return;
	f.event.sample_type &= ~(uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	f.event.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	f.event.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
	f.sample.ip = A + 2;
	set_chain(&f, chain, 2);
	for (size_t i = 0; i < 32; i++)
		f.branches[i] = (struct mkperf_branch){.from = C + 6, .to = C};
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		f.branches_kept = records[i].kept;
		f.cpuid = records[i].cpuid;
		f.sample.nr_branches = records[i].nr;
		find_part(&f, text, &nr_kernel);
		ck_assert_str_eq(strrchr(text, ' ') + 1, records[i].end);
	}
	teardown(&f);
}
END_TEST

/* As many words as the kernel records; its own address alone. */
START_TEST(ends_of_recorded_chains)
{
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	f.event.sample_type &= ~(uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	f.sample.ip = A + 2;
	f.ips[0] = MARK(USER);
	for (size_t i = 1; i < 200; i++)
		f.ips[i] = A + 2;
	f.sample.nr_ips = 127;
	check_part(&f, "recorded recorded");
	f.sample.nr_ips = 128;
	check_part(&f, "recorded depth-limit");
	f.event.sample_max_stack = 4;
	f.sample.nr_ips = 4;
	check_part(&f, "recorded recorded");
	f.sample.nr_ips = 5;
	check_part(&f, "recorded depth-limit");
	f.sample.nr_ips = 2;
	check_part(&f, "recorded missing");
	f.sample.nr_ips = 3;
	check_part(&f, "recorded recorded");
	teardown(&f);
}
END_TEST

/* Branches are calls, newest first; the newest one went to where the program is. */
START_TEST(last_branch_records)
{
	static const uint64_t chain[] = {MARK(KERNEL), KERNEL, MARK(USER), A + 2};
	struct fixture f;

	if (!setup(&f, "x86_64"))
		return;
	f.event.sample_type &= ~(uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	f.event.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	f.event.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
	f.sample.misc = PERF_RECORD_MISC_KERNEL;
	f.sample.ip = KERNEL;
	set_chain(&f, chain, 4);
	f.branches[0] = (struct mkperf_branch){.from = B + 4, .to = A};
	f.branches[1] = (struct mkperf_branch){.from = G + 2, .to = B};
	f.sample.nr_branches = 2;
	check_part(&f, "a0 b4 g2 recorded");
	for (size_t i = 2; i < 9; i++)
		f.branches[i] = (struct mkperf_branch){.from = C + 6, .to = C};
	f.branches_kept = "8";
	f.sample.nr_branches = 8;
	check_part(&f, "a0 b4 g2 c6 c6 c6 c6 c6 c6 lbr-full");
	f.branches_kept = "9";
	check_part(&f, "a0 b4 g2 c6 c6 c6 c6 c6 c6 recorded");
	f.branches_kept = NULL;
	f.sample.nr_branches = 2;
	f.settings.mode = USER_PART_RECORDED;
	check_part(&f, "recorded recorded");
	f.settings.mode = USER_PART_AUTO;
	set_chain(&f, chain, 2); /* of the kernel alone */
	check_part(&f, "recorded recorded");
	set_chain(&f, chain, 4);
	f.event.branch_sample_type = PERF_SAMPLE_BRANCH_USER; /* other branches are no calls */
	check_part(&f, "recorded recorded");
	teardown(&f);
}
END_TEST

/* ---- arm64 ----------------------------------------------------------------------------------- */

/* Frames without and with a record; return addresses that carry a signature. */
START_TEST(unwinding_of_arm64)
{
	const uint64_t signature = _i ? UINT64_C(0x5a000000000000) << 7 : 0;
	struct fixture f;

	if (!setup(&f, "aarch64"))
		return;
	f.sample.ip = f.regs[32] = A + 4;
	f.regs[31] = SP;
	f.regs[30] = (B + 8) | signature;
	f.regs[29] = SP + 16;
	f.stack[2] = SP + 32;
	f.stack[3] = (B + 12) | signature;
	f.stack[4] = 0;
	f.stack[5] = (C + 8) | signature;
	check_part(&f, "a4 b7 b11 c7 complete");
	f.sample.stack_dyn_size = 40;
	check_part(&f, "a4 b7 b11 stack-away");
	teardown(&f);
}
END_TEST

/* The link register alone: it tells of a caller that the kernel's walk leaves out. */
START_TEST(link_register_of_arm64)
{
	static const uint64_t chain[] = {MARK(USER), A + 4, C + 8};
	struct fixture f;

	if (!setup(&f, "aarch64"))
		return;
	f.event.sample_type &= ~(uint64_t)PERF_SAMPLE_STACK_USER;
	f.event.sample_regs_user = 1 << 30;
	f.sample.ip = A + 4;
	f.regs[0] = B + 8;
	set_chain(&f, chain, 3);
	check_part(&f, "a4 b7 c7 recorded");
	f.regs[0] = C + 8; /* it is there already */
	check_part(&f, "a4 c7 recorded");
	f.regs[0] = B + 8;
	f.ips[1] = f.sample.ip = B + 4; /* a function that has saved it */
	check_part(&f, "b4 c7 recorded");
	f.ips[1] = f.sample.ip = A + 4; /* no caller is recorded */
	f.sample.nr_ips = 2;
	check_part(&f, "a4 b7 recorded");
	f.settings.mode = USER_PART_DWARF;
	check_part(&f, "missing");
	teardown(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("userpart");
	TCase *tcase = tcase_create("userpart");

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, whole_chains);
	tcase_add_test(tcase, cut_copies);
	tcase_add_test(tcase, chains_that_end_early);
	tcase_add_test(tcase, code_without_cfi);
	tcase_add_test(tcase, realigned_stacks);
	tcase_add_test(tcase, signal_handlers);
	tcase_add_test(tcase, recursion);
	tcase_add_test(tcase, registers_of_no_use);
	tcase_add_test(tcase, kernel_parts_are_kept);
	tcase_add_test(tcase, recorded_and_unwound);
	tcase_add_test(tcase, ends_of_recorded_chains);
	tcase_add_test(tcase, last_branch_records);
	tcase_add_test(tcase, full_branch_records);
	tcase_add_loop_test(tcase, unwinding_of_arm64, 0, 2);
	tcase_add_test(tcase, link_register_of_arm64);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
