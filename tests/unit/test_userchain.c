/*
 * User call chains of samples with registers and a copy of the stack: where each frame is, and why
 * the chain ends. The code is assembled here, its CFI written by hand.
 */
#include "decode/replay/state.h"
#include "decode/stack/unwind/unwindsignal.h"
#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <elf.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

enum {
	CODE = 0x400000,
	DATA = 0x600000,
	VDSO = 0x700000,
	STACK = 0x7ff0000,
	PID = 7,
	NR_REGS = 24,
	CX = 2,
	BP = 6,
	SP = 7,
	IP = 8,
};

/* All that perf takes of x86-64: AX to SS, then R8 to R15. */
#define REGS_MASK 0xff0fffu

/*
 * _start calls caller, and that calls thrower, which does what _Unwind_Resume() of libgcc does: it
 * jumps to a landing pad, and its CFI has that in RCX. vforked has its return address there.
 */
static const char code_text[] = "	.text\n"
				"	.globl _start\n"
				"_start:	.cfi_startproc\n"
				"	.cfi_undefined rip\n"
				"	call caller\n"
				"started: hlt\n"
				"	.cfi_endproc\n"
				"caller:	.cfi_startproc\n"
				"	sub $24, %rsp\n"
				"	.cfi_adjust_cfa_offset 24\n"
				"	call thrower\n"
				"called: add $24, %rsp\n"
				"	.cfi_adjust_cfa_offset -24\n"
				"	ret\n"
				"	.cfi_adjust_cfa_offset 24\n"
				"pad:	jmp called\n"
				"	.cfi_endproc\n"
				"thrower: .cfi_startproc\n"
				"	.cfi_def_cfa rsp, 0\n"
				"	.cfi_offset rax, -72\n"
				"	.cfi_offset rdx, -64\n"
				"	.cfi_register rip, rcx\n"
				"	jmp *%rcx\n"
				"	.cfi_endproc\n"
				"vforked: .cfi_startproc\n"
				"	.cfi_def_cfa rsp, 0\n"
				"	.cfi_register rip, rcx\n"
				"	jmp *%rcx\n"
				"	.cfi_endproc\n"
				"leaf:	.cfi_startproc\n"
				"	ret\n"
				"	.cfi_endproc\n"
				"bare:	hlt\n"
				"	.skip 8, 0x90\n"
				"handler: ret\n"
				"	call bare\n"
				"behind: hlt\n"
				"	.skip 8, 0x90\n"
				"context: .cfi_startproc\n"
				"	mov %rbx, %rsp\n"
				"	hlt\n"
				"	.cfi_endproc\n"
				"	call bare\n"
				"next:	.cfi_startproc\n"
				"	ret\n"
				"	.cfi_endproc\n"
				"	.skip 8, 0x90\n"
				"restore: .cfi_startproc\n"
				"	mov $15, %eax\n"
				"	syscall\n"
				"	.cfi_endproc\n"
				"	.skip 8, 0x90\n";

static struct scratch_path dir;

static void build_code_again(void)
{
	toolchain_build(dir.text, "code.s", code_text,
			"gcc -nostdlib -static " TOOLCHAIN_FIXED " -o code code.s");
}

static void build_code(void)
{
	dir = scratch_make();
	build_code_again();
}

static void remove_code(void)
{
	scratch_remove(dir.text);
}

static uint64_t address_of(const char *symbol)
{
	return toolchain_address(dir.text, "code", symbol);
}

/* A sample: its registers, and the words of the stack. */
struct stop {
	uint64_t regs[NR_REGS];
	uint64_t stack[8];
	const char *machine; /* NULL: the recording does not say */
};

static void map_memory(struct mkperf *m)
{
	const struct scratch_path path = scratch_join(dir.text, "code");
	char whole[4096];

	ck_assert_ptr_nonnull(realpath(path.text, whole));
	mkperf_comm(m, NULL, 0, PID, PID, "code");
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					  .pid = PID,
					  .tid = PID,
					  .start = CODE,
					  .len = 0x100000,
					  .filename = whole});
	mkperf_mmap(
		m, NULL,
		&(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA,
				      .pid = PID,
				      .tid = PID,
				      .start = DATA,
				      .len = 0x1000,
				      .filename = "//anon"});
}

static struct perffile *open_recording(const struct stop *stop)
{
	struct mkperf *m = mkperf_new(NULL);
	uint64_t regs[NR_REGS], nr = 0;

	mkperf_event(m, &(struct mkperf_event){
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
				.sample_regs_user = REGS_MASK,
				.sample_stack_user = sizeof(stop->stack),
			});
	if (stop->machine)
		mkperf_feature_string(m, MKPERF_ARCH, stop->machine);
	map_memory(m);
	for (size_t i = 0; i < NR_REGS; i++) {
		if (REGS_MASK >> i & 1)
			regs[nr++] = stop->regs[i];
	}
	mkperf_sample(m, &(struct mkperf_sample){
				 .misc = PERF_RECORD_MISC_USER,
				 .pid = PID,
				 .tid = PID,
				 .ip = stop->regs[IP],
				 .regs_user_abi = PERF_SAMPLE_REGS_ABI_64,
				 .regs_user = regs,
				 .stack = stop->stack,
				 .stack_size = sizeof(stop->stack),
				 .stack_dyn_size = sizeof(stop->stack),
			 });
	return recording_open(m);
}

/* "END ADDRESS ADDRESS...", innermost first. */
static void put_chain(struct replay *replay, const struct record *rec, char *text, size_t size)
{
	struct process *process = process_find(&replay->processes, rec->pid);
	struct user_part part;
	int len;

	ck_assert(process && user_part_find(&replay->stacks.unwinder, USER_PART_AUTO, process,
					    rec->event->number, rec, &part));
	len = snprintf(text, size, "%s", chain_end_word(part.end));
	for (size_t i = 0; i < part.nr; i++) {
		const struct address *at = &replay->addresses.addresses[part.addresses[i]];

		len += snprintf(text + len, size - (size_t)len, " %" PRIx64, at->place + CODE);
	}
}

static void expect_chain(const struct stop *stop, const char *expected)
{
	static const struct filter filter;
	const struct replay_settings settings = {.filter = &filter};
	struct perffile *file = open_recording(stop);
	struct error err = {0};
	struct replay *replay = replay_create(&settings, file, &err);
	const struct record *rec;
	char text[256] = "";

	ck_assert_ptr_nonnull(replay);
	while ((rec = recording_next(file))) {
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
		if (rec->type == PERF_RECORD_SAMPLE)
			put_chain(replay, rec, text, sizeof(text));
	}
	ck_assert_str_eq(text, expected);
	replay_destroy(replay);
	perffile_close(file);
}

static bool can_run(void)
{
	if (strcmp(TOOLCHAIN_MACHINE, "x86_64") == 0)
		return true;
	machine_lacks("the code is of x86-64");
	return false;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The addresses of frames whose callers have CFI: "complete leaf call call". */
static const char *complete(char *text, size_t size)
{
	snprintf(text, size, "complete %" PRIx64 " %" PRIx64 " %" PRIx64, address_of("leaf"),
		 address_of("called") - 1, address_of("started") - 1);
	return text;
}

static struct stop stop_in_leaf(void)
{
	return (struct stop){
		.regs = {[SP] = STACK, [IP] = address_of("leaf")},
		.stack = {address_of("called"), 1, 2, 3, address_of("started")},
		.machine = "x86_64",
	};
}

START_TEST(whole_chain)
{
	const struct stop stop = stop_in_leaf();
	char text[256];

	if (can_run())
		expect_chain(&stop, complete(text, sizeof(text)));
}
END_TEST

/* What machine it is the binaries say, too. */
START_TEST(machine_not_recorded)
{
	struct stop stop = stop_in_leaf();
	char text[256];

	stop.machine = NULL;
	if (can_run())
		expect_chain(&stop, complete(text, sizeof(text)));
}
END_TEST

/* A call returns to code, never to what is mapped as data. */
START_TEST(return_to_data)
{
	struct stop stop = stop_in_leaf();
	char text[256];

	if (!can_run())
		return;
	stop.stack[0] = DATA + 8;
	snprintf(text, sizeof(text), "no-mapping %" PRIx64, address_of("leaf"));
	expect_chain(&stop, text);
}
END_TEST

/* makecontext(3) has the first function of a context return to the start of one that nothing calls,
 * and that finds the next context, or none, where its own return address would be. */
START_TEST(return_to_a_start)
{
	struct stop stop = stop_in_leaf();
	char text[256];

	if (!can_run())
		return;
	stop.stack[0] = address_of("context");
	snprintf(text, sizeof(text), "complete %" PRIx64 " %" PRIx64, address_of("leaf"),
		 address_of("context"));
	for (int i = 0; i < 3; i++) {
		static const uint64_t next[] = {0, DATA + 8, STACK};

		stop.stack[1] = next[i];
		expect_chain(&stop, text);
	}
	/* Others may keep where they return to. */
	stop.stack[1] = address_of("started");
	snprintf(text, sizeof(text), "complete %" PRIx64 " %" PRIx64 " %" PRIx64,
		 address_of("leaf"), address_of("context"), address_of("started") - 1);
	expect_chain(&stop, text);
	/* Here it is the call before the function. */
	stop.stack[0] = address_of("next");
	snprintf(text, sizeof(text), "complete %" PRIx64 " %" PRIx64, address_of("leaf"),
		 address_of("next") - 1);
	expect_chain(&stop, text);
	/* A trampoline for signals is none, though its CFI is any function's. */
	stop.stack[0] = address_of("restore");
	stop.regs[BP] = STACK + 16;
	snprintf(text, sizeof(text), "no-cfi %" PRIx64 " %" PRIx64, address_of("leaf"),
		 address_of("restore") - 1);
	expect_chain(&stop, text);
}
END_TEST

/* A landing pad is where execution goes on: not a byte before it, where the row is another. */
START_TEST(landing_pad)
{
	const struct stop stop = {
		.regs = {[CX] = address_of("pad"), [SP] = STACK, [IP] = address_of("thrower")},
		.stack = {1, 2, 3, address_of("started")},
		.machine = "x86_64",
	};
	char text[256];

	if (!can_run())
		return;
	snprintf(text, sizeof(text), "complete %" PRIx64 " %" PRIx64 " %" PRIx64,
		 address_of("thrower"), address_of("pad"), address_of("started") - 1);
	expect_chain(&stop, text);
}
END_TEST

/* Where a program starts there may be no CFI, and the frame pointer is 0, as the dynamic loader has
 * it: what other code of the binary leaves there is known. */
START_TEST(entry_without_cfi)
{
	const struct stop stop = {
		.regs = {[SP] = STACK, [IP] = address_of("bare")},
		.stack = {1},
		.machine = "x86_64",
	};
	char text[256];

	if (!can_run())
		return;
	snprintf(text, sizeof(text), "complete %" PRIx64, address_of("bare"));
	expect_chain(&stop, text);
	/* elsewhere a thread's first functions have one, too */
	toolchain_run(dir.text,
		      "gcc -nostdlib -static -Wl,-e,0x500000 " TOOLCHAIN_FIXED " -o code code.s");
	snprintf(text, sizeof(text), "no-cfi %" PRIx64, address_of("bare"));
	expect_chain(&stop, text);
	build_code_again();
}
END_TEST

/* The innermost frame has no CFI, and BP leads to 0 and @word. */
static struct stop stop_in_bare(uint64_t word)
{
	return (struct stop){
		.regs = {[BP] = STACK + 16, [SP] = STACK, [IP] = address_of("bare")},
		.stack = {1, 2, 0, word},
		.machine = "x86_64",
	};
}

/* Code without CFI may have any pointer in BP: what it leads to is a caller if it calls. */
START_TEST(frame_pointer_to_a_function)
{
	struct stop stop;
	char text[256];

	if (!can_run())
		return;
	stop = stop_in_bare(address_of("behind"));
	snprintf(text, sizeof(text), "complete %" PRIx64 " %" PRIx64, address_of("bare"),
		 address_of("behind") - 1);
	expect_chain(&stop, text);
	stop = stop_in_bare(address_of("handler"));
	snprintf(text, sizeof(text), "no-cfi %" PRIx64, address_of("bare"));
	expect_chain(&stop, text);
	stop.stack[0] = address_of("handler"); /* nor is it one on top of the stack */
	expect_chain(&stop, text);
}
END_TEST

/* A return address in a register is one all the same. */
START_TEST(return_address_in_register)
{
	const struct stop stop = {
		.regs = {[CX] = address_of("called"), [SP] = STACK, [IP] = address_of("vforked")},
		.stack = {1, 2, 3, address_of("started")},
		.machine = "x86_64",
	};
	char text[256];

	if (!can_run())
		return;
	snprintf(text, sizeof(text), "complete %" PRIx64 " %" PRIx64 " %" PRIx64,
		 address_of("vforked"), address_of("called") - 1, address_of("started") - 1);
	expect_chain(&stop, text);
}
END_TEST

/* ---- unwound by the recorder ----------------------------------------------------------------- */

static void map_binary(struct mkperf *m, uint64_t start, const char *name)
{
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					  .pid = PID,
					  .tid = PID,
					  .start = start,
					  .len = 0x1000,
					  .filename = name});
}

/* simpleperf writes the calls themselves; one stands at the start of its binary. */
START_TEST(chain_of_calls)
{
	static const uint64_t ips[] = {PERF_CONTEXT_USER, CODE, DATA};
	struct mkperf *m = mkperf_new(NULL);
	struct recording_tables tables;

	mkperf_event(m, &(struct mkperf_event){
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
					       PERF_SAMPLE_STACK_USER,
				.sample_regs_user = REGS_MASK,
				.sample_stack_user = 64,
			});
	map_binary(m, CODE, "/opt/none/leaf");
	map_binary(m, DATA, "/opt/none/caller");
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = PID,
						 .tid = PID,
						 .ip = CODE,
						 .ips = ips,
						 .nr_ips = 3});
	tables = recording_tables_of(m);
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_RESULTS], "children_samples", "binary",
					"/opt/none/caller"),
			  1);
	recording_tables_free(&tables);
}
END_TEST

/* ---- frame pointers -------------------------------------------------------------------------- */

/* Code that may use the register for anything else: only behind a frame that was followed is 0 the
 * end. */
START_TEST(frame_pointer_of_zero)
{
	static const uint64_t words[4] = {0, CODE, 0, 0};
	const struct unwind_arch *arch = unwind_arch_of(EM_X86_64);
	const struct unwind_stack stack = {
		.bytes = (const uint8_t *)words, .size = sizeof(words), .base = STACK, .word = 8};
	const struct unwind_frame first = {
		.pc = CODE, .sp = STACK - 8, .has_fp = true, .exact = true};
	struct unwind_frame frame = first;

	ck_assert_int_eq(unwind_step_record(&frame, arch, &stack), UNWIND_STEP_BAD);
	frame.fp = STACK + 16;
	ck_assert_int_eq(unwind_step_record(&frame, arch, &stack), UNWIND_STEP_BAD);
	frame.fp = STACK;
	ck_assert_int_eq(unwind_step_record(&frame, arch, &stack), UNWIND_STEP_CALLER);
	ck_assert_uint_eq(frame.pc, CODE);
	ck_assert_int_eq(unwind_step_record(&frame, arch, &stack), UNWIND_STEP_OUTERMOST);
}
END_TEST

/* ---- trampolines of signal handlers ---------------------------------------------------------- */

enum { FRAME_WORDS = 160 };

/* Steps from a trampoline with its SP at the start of @bytes. */
static enum unwind_step step_over(uint16_t machine, const void *bytes, size_t size,
				  struct unwind_regs *regs)
{
	const struct unwind_arch *arch = unwind_arch_of(machine);
	const struct unwind_stack stack = {
		.bytes = bytes, .size = size, .base = STACK, .word = arch->word};

	*regs = (struct unwind_regs){.pc = VDSO};
	regs->values[arch->sp] = STACK;
	return unwind_signal_step(regs, arch, &stack);
}

/* 312 bytes up: X0 to X30, SP, PC. */
START_TEST(trampoline_of_arm64)
{
	uint64_t words[FRAME_WORDS];
	struct unwind_regs regs;

	for (size_t i = 0; i < FRAME_WORDS; i++)
		words[i] = 1000 + i;
	ck_assert_int_eq(step_over(EM_AARCH64, words, sizeof(words), &regs), UNWIND_STEP_CALLER);
	for (unsigned reg = 0; reg <= 31; reg++) {
		ck_assert(regs.known[reg]);
		ck_assert_uint_eq(regs.values[reg], 1000 + 39 + reg);
	}
	ck_assert_uint_eq(regs.pc, 1000 + 39 + 32);
	ck_assert_int_eq(step_over(EM_AARCH64, words, (39 + 32) * 8, &regs), UNWIND_STEP_CUT);
	ck_assert_uint_eq(regs.pc, VDSO);
}
END_TEST

/* The words of sigcontext: GS FS ES DS, DI SI BP SP, BX DX CX AX, TRAPNO ERR, IP. */
static void expect_i386(const struct unwind_regs *regs, uint64_t first)
{
	static const uint8_t order[] = {7, 6, 5, 4, 3, 2, 1, 0};

	for (size_t i = 0; i < sizeof(order); i++) {
		ck_assert(regs->known[order[i]]);
		ck_assert_uint_eq(regs->values[order[i]], first + 4 + i);
	}
	ck_assert_uint_eq(regs->pc, first + 14);
}

START_TEST(trampolines_of_i386)
{
	uint32_t words[FRAME_WORDS];
	struct unwind_regs regs;

	for (uint32_t i = 0; i < FRAME_WORDS; i++)
		words[i] = 1000 + i;
	ck_assert_int_eq(step_over(EM_386, words, sizeof(words), &regs), UNWIND_STEP_CALLER);
	expect_i386(&regs, 1001);
	/* The handler has siginfo, 128 bytes, and a ucontext behind it. */
	words[1] = STACK + 12;
	ck_assert_int_eq(step_over(EM_386, words, sizeof(words), &regs), UNWIND_STEP_CALLER);
	expect_i386(&regs, 1000 + (12 + 128 + 20) / 4);
	ck_assert_int_eq(step_over(EM_386, words, (12 + 128 + 20) / 4 * 4 + 14 * 4, &regs),
			 UNWIND_STEP_CUT);
}
END_TEST

/* A function may be interrupted before it has a frame; it cannot call anything then. */
START_TEST(interrupted_without_frame)
{
	static const uint64_t words[1];
	static const struct cfi_rule rule = {
		.kind = CFI_RULE_STEP, .cfa = CFI_BY_SP, .ra = CFI_IN_PLACE};
	const struct unwind_stack stack = {
		.bytes = (const uint8_t *)words, .size = sizeof(words), .base = STACK, .word = 8};
	const struct unwind_frame called = {
		.pc = CODE, .sp = STACK, .link = CODE + 8, .has_link = true};
	struct unwind_frame frame = called;

	ck_assert_int_eq(unwind_step_rule(&frame, &rule, &stack), UNWIND_STEP_BAD);
	frame = called;
	frame.exact = true;
	ck_assert_int_eq(unwind_step_rule(&frame, &rule, &stack), UNWIND_STEP_CALLER);
	ck_assert_uint_eq(frame.pc, CODE + 8);
}
END_TEST

/* Those of x86-64 are in the C library. */
START_TEST(trampoline_of_another)
{
	const uint64_t words[FRAME_WORDS] = {0};
	struct unwind_regs regs;

	ck_assert_int_eq(step_over(EM_X86_64, words, sizeof(words), &regs), UNWIND_STEP_BAD);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("userchain");
	TCase *tc = tcase_create("userchain");

	tcase_add_unchecked_fixture(tc, build_code, remove_code);
	tcase_add_test(tc, whole_chain);
	tcase_add_test(tc, machine_not_recorded);
	tcase_add_test(tc, return_to_data);
	tcase_add_test(tc, return_to_a_start);
	tcase_add_test(tc, landing_pad);
	tcase_add_test(tc, entry_without_cfi);
	tcase_add_test(tc, frame_pointer_to_a_function);
	tcase_add_test(tc, return_address_in_register);
	tcase_add_test(tc, chain_of_calls);
	tcase_add_test(tc, frame_pointer_of_zero);
	tcase_add_test(tc, trampoline_of_arm64);
	tcase_add_test(tc, trampolines_of_i386);
	tcase_add_test(tc, interrupted_without_frame);
	tcase_add_test(tc, trampoline_of_another);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
