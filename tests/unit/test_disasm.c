/* Instructions as text: exact texts, sizes and targets for each kind of processor. */
#include "decode/symbol/disasm.h"

#include "tests/support/machine.h"
#include "tests/support/suite.h"

#include <check.h>
#include <elf.h>
#include <string.h>

struct expected_code {
	const char *text;
	size_t size;
	uint64_t target;
};

static const struct sample_code {
	struct disasm_machine machine;
	bool thumb;
	size_t len;
	const char *bytes;
	struct expected_code codes[8];
} samples[] = {
	{{EM_X86_64, true, false},
	 false,
	 17,
	 "\x75\x10\xe8\x00\x01\x00\x00\xff\xe0\xf0\x48\x0f\xb1\x0f\xc3\x06\x90",
	 {{"jne 0x1012", 2, 0x1012},
	  {"callq 0x1107", 5, 0x1107},
	  {"jmpq *%rax", 2, DISASM_NOWHERE},
	  {"lock cmpxchgq %rcx, (%rdi)", 5, DISASM_NOWHERE},
	  {"retq", 1, DISASM_NOWHERE},
	  {".byte 0x06", 1, DISASM_NOWHERE},
	  {"nop", 1, DISASM_NOWHERE}}},
	{{EM_386, false, false},
	 false,
	 2,
	 "\x06\x90",
	 {{"pushl %es", 1, DISASM_NOWHERE}, {"nop", 1, DISASM_NOWHERE}}},
	{{EM_AARCH64, true, false},
	 false,
	 28,
	 "\x41\x00\x00\x54\x80\x00\x00\xb4\x40\x00\x00\x94\x60\x00\x18\x36\xc0\x03\x5f\xd6"
	 "\xff\xff\xff\xff\x00\x00\x40\x92",
	 {{"b.ne #0x1008", 4, 0x1008},
	  {"cbz x0, #0x1014", 4, 0x1014},
	  {"bl #0x1108", 4, 0x1108},
	  {"tbz w0, #3, #0x1018", 4, 0x1018},
	  {"ret", 4, DISASM_NOWHERE},
	  {".byte 0xff, 0xff, 0xff, 0xff", 4, DISASM_NOWHERE},
	  {"and x0, x0, #1", 4, DISASM_NOWHERE}}},
	{{EM_ARM, false, false},
	 false,
	 16,
	 "\x02\x00\x00\x0a\x00\x01\x00\xeb\x10\x00\xc0\xe3\x1e\xff\x2f\xe1",
	 {{"beq #0x1010", 4, 0x1010},
	  {"bl #0x140c", 4, 0x140c},
	  {"bic r0, r0, #0x10", 4, DISASM_NOWHERE},
	  {"bx lr", 4, DISASM_NOWHERE}}},
	{{EM_ARM, false, false},
	 true,
	 10,
	 "\x02\xd0\x00\xf0\x80\xf8\x70\x47\x10\xb1",
	 {{"beq #0x1008", 2, 0x1008},
	  {"bl #0x1106", 4, 0x1106},
	  {"bx lr", 2, DISASM_NOWHERE},
	  {"cbz r0, #0x1010", 2, 0x1010}}},
	{{EM_PPC64, true, false},
	 false,
	 8,
	 "\x10\x00\x82\x41\x01\x01\x00\x48",
	 {{"beq 0x1010", 4, 0x1010}, {"bl 0x1104", 4, 0x1104}}},
	{{EM_PPC64, true, true},
	 false,
	 8,
	 "\x41\x82\x00\x10\x4e\x80\x00\x20",
	 {{"beq 0x1010", 4, 0x1010}, {"blr", 4, DISASM_NOWHERE}}},
	{{EM_S390, true, true},
	 false,
	 18,
	 "\xa7\x84\x00\x08\xc0\xe5\x00\x00\x01\x00\x07\xfe\xec\x26\x00\x08\x80\x64",
	 {{"je 0x1010", 4, 0x1010},
	  {"brasl %r14, 0x1204", 6, 0x1204},
	  {"br %r14", 2, DISASM_NOWHERE},
	  {"cgrje %r2, %r6, 0x101c", 6, 0x101c}}},
};

static bool is_built_in(void)
{
	char name[32];

	if (disasm_library(name) && strncmp(name, "capstone 4", 10) == 0)
		return true;
	machine_lacks("readperf was built without capstone 4, whose texts these are");
	return false;
}

START_TEST(texts_sizes_and_targets)
{
	const struct sample_code *sample = &samples[_i];
	struct span bytes = span_make(sample->bytes, sample->len, false);
	const struct expected_code *expected = sample->codes;
	uint64_t address = 0x1000;
	struct disasm_code code;
	struct disasm *disasm;
	bool nomem;

	if (!is_built_in())
		return;
	disasm = disasm_open(&sample->machine, &nomem);
	ck_assert_ptr_nonnull(disasm);
	disasm_set_thumb(disasm, sample->thumb);
	for (; expected->text; expected++) {
		ck_assert(disasm_next(disasm, &bytes, address, &code));
		ck_assert_str_eq(code.text, expected->text);
		ck_assert_uint_eq(code.size, expected->size);
		ck_assert_uint_eq(code.target, expected->target);
		address += code.size;
	}
	ck_assert(!disasm_next(disasm, &bytes, address, &code));
	disasm_close(disasm);
}
END_TEST

/* A call whose last bytes are missing is shown as bytes, and never read beyond the end. */
START_TEST(code_that_is_cut)
{
	static const struct disasm_machine machine = {EM_X86_64, true, false};
	struct span bytes = span_make("\xe8\x00\x01", 3, false);
	struct disasm_code code;
	struct disasm *disasm;
	bool nomem;

	if (!is_built_in())
		return;
	disasm = disasm_open(&machine, &nomem);
	ck_assert(disasm_next(disasm, &bytes, 0x1000, &code));
	ck_assert_str_eq(code.text, ".byte 0xe8");
	ck_assert(disasm_next(disasm, &bytes, 0x1001, &code));
	ck_assert_str_eq(code.text, "addb %al, (%rcx)");
	ck_assert(!disasm_next(disasm, &bytes, 0x1003, &code));
	disasm_close(disasm);
}
END_TEST

START_TEST(machines_that_are_not_known)
{
	static const struct disasm_machine machines[] = {
		{EM_NONE, true, false}, {0xffff, true, false}, {EM_X86_64, true, true}};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		bool nomem = true;

		ck_assert_ptr_null(disasm_open(&machines[i], &nomem));
		ck_assert(!nomem);
	}
	disasm_close(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("disasm");
	TCase *tcase = tcase_create("instructions");

	tcase_add_loop_test(tcase, texts_sizes_and_targets, 0,
			    sizeof(samples) / sizeof(samples[0]));
	tcase_add_test(tcase, code_that_is_cut);
	tcase_add_test(tcase, machines_that_are_not_known);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
