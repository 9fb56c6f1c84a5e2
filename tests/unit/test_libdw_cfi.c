/*
 * Our reader of call frame information and libdw say the same of real programs: which row holds for
 * which addresses, where the CFA, the return address and each register are.
 *
 * With arguments the test compares programs that are there already: test_libdw_cfi FILE...
 */
#include "decode/symbol/cfi/cfi.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"
#include "util/leb.h"

#include <check.h>
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SHOWN = 20, MAX_OPS = 64, TEXT_MAX = 1024 };

/* One program, read both ways. */
struct cfi_comparison {
	const struct elffile *file;
	struct cfi *ours;
	Dwarf_CFI *eh_frame, *debug_frame;
	unsigned nr_rows, nr_places, nr_different;
};

/* As an assertion; with arguments no test of Check's runs. */
static void must(bool is_fine, const char *what)
{
	if (is_fine)
		return;
	fprintf(stderr, "test_libdw_cfi: there is no %s\n", what);
	abort();
}

static void differ(struct cfi_comparison *c, uint64_t address, const char *what, const char *ours,
		   const char *theirs)
{
	if (c->nr_different++ < MAX_SHOWN)
		printf("0x%llx: %s: %s, libdw: %s\n", (unsigned long long)address, what, ours,
		       theirs);
}

/* ---- values as text -------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void append(char *text, const char *fmt, ...)
{
	const size_t len = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + len, TEXT_MAX - len, fmt, args);
	va_end(args);
}

/* The first operand of @op, as libdw gives it; 0 if it has none. */
static int64_t operand(uint8_t op, struct span *s, bool is_64bit)
{
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		return span_sleb(s);
	switch (op) {
	case DW_OP_addr:
		return is_64bit ? (int64_t)span_u64(s) : span_u32(s);
	case DW_OP_const1u:
	case DW_OP_pick:
	case DW_OP_deref_size:
		return span_u8(s);
	case DW_OP_const1s:
		return (int8_t)span_u8(s);
	case DW_OP_const2u:
		return span_u16(s);
	case DW_OP_const2s:
		return (int16_t)span_u16(s);
	case DW_OP_const4u:
		return span_u32(s);
	case DW_OP_const4s:
		return (int32_t)span_u32(s);
	case DW_OP_const8u:
	case DW_OP_const8s:
		return (int64_t)span_u64(s);
	case DW_OP_skip:
	case DW_OP_bra:
		return (int16_t)span_u16(s);
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_regx:
		return (int64_t)span_uleb(s);
	case DW_OP_consts:
		return span_sleb(s);
	default:
		return 0;
	}
}

static void append_expression(char *text, const struct cfi_value *value, const struct cfi_row *row)
{
	struct span s = span_make(value->expr, value->expr_len, row->swap);

	while (span_left(&s)) {
		const uint8_t op = span_u8(&s);

		append(text, " %02x:%lld", op, (long long)operand(op, &s, row->is_64bit));
	}
}

static void append_ops(char *text, const Dwarf_Op *ops, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		int64_t number = (int64_t)ops[i].number;

		if (ops[i].atom == DW_OP_bra || ops[i].atom == DW_OP_skip)
			number = (int16_t)number;
		append(text, " %02x:%lld", ops[i].atom, (long long)number);
	}
}

/* What an ABI says of a register that the CFI does not mention. */
static bool is_kept(uint16_t machine, unsigned reg)
{
	static const uint8_t x86_64[] = {3, 6, 12, 13, 14, 15}, i386[] = {3, 5, 6, 7};

	if (machine == EM_X86_64)
		return memchr(x86_64, (int)reg, sizeof(x86_64)) != NULL;
	return machine == EM_386 && memchr(i386, (int)reg, sizeof(i386)) != NULL;
}

/* libdw takes 0 for the number of RBX, which is 3. */
static bool is_mistaken(uint16_t machine, const struct cfi_row *row, unsigned reg)
{
	return machine == EM_X86_64 && (reg == 0 || reg == 3) && row->regs[reg].how == CFI_UNSET;
}

static unsigned sp_of(uint16_t machine)
{
	return machine == EM_386 ? 4 : 7;
}

static void print_register(char *text, const struct cfi_row *row, unsigned reg, uint16_t machine)
{
	const struct cfi_value *value = &row->regs[reg];

	*text = '\0';
	switch (value->how) {
	case CFI_UNSET:
		append(text, is_kept(machine, reg)   ? "same"
			     : reg == sp_of(machine) ? "cfa+0"
						     : "none");
		break;
	case CFI_UNDEFINED:
		append(text, "none");
		break;
	case CFI_SAME:
		append(text, "same");
		break;
	case CFI_AT_CFA:
		append(text, "*cfa%+lld", (long long)value->offset);
		break;
	case CFI_IS_CFA:
		append(text, "cfa%+lld", (long long)value->offset);
		break;
	case CFI_REGISTER:
		append(text, "r%u", value->reg);
		break;
	default:
		append(text, value->how == CFI_AT_EXPR ? "*expr" : "expr");
		append_expression(text, value, row);
	}
}

/* libdw's: a location description, or one with DW_OP_stack_value behind it. */
static void print_their_register(char *text, Dwarf_Frame *frame, unsigned reg)
{
	bool is_value = false;
	Dwarf_Op mem[3], *ops;
	size_t nr;

	*text = '\0';
	if (dwarf_frame_register(frame, (int)reg, mem, &ops, &nr) != 0) {
		append(text, "error: %s", dwarf_errmsg(-1));
		return;
	}
	if (nr == 0) {
		append(text, ops ? "none" : "same");
		return;
	}
	if (ops[nr - 1].atom == DW_OP_stack_value) {
		is_value = true;
		nr--;
	}
	if (nr == 1 && ops[0].atom == DW_OP_regx)
		append(text, "r%llu", (unsigned long long)ops[0].number);
	else if (ops[0].atom == DW_OP_call_frame_cfa &&
		 (nr == 1 || (ops == mem && ops[1].atom == DW_OP_plus_uconst)))
		append(text, "%scfa%+lld", is_value ? "" : "*",
		       nr == 1 ? 0ll : (long long)ops[1].number);
	else {
		append(text, is_value ? "expr" : "*expr");
		append_ops(text, ops + 1, nr - 1);
	}
}

static void print_cfa(char *text, const struct cfi_row *row)
{
	*text = '\0';
	if (row->cfa.how == CFI_REGISTER)
		append(text, "r%u%+lld", row->cfa.reg, (long long)row->cfa.offset);
	else
		append_expression(text, &row->cfa, row);
}

static void print_their_cfa(char *text, Dwarf_Frame *frame)
{
	Dwarf_Op *ops;
	size_t nr;

	*text = '\0';
	if (dwarf_frame_cfa(frame, &ops, &nr) != 0)
		append(text, "error: %s", dwarf_errmsg(-1));
	else if (nr == 1 && ops[0].atom == DW_OP_bregx)
		append(text, "r%llu%+lld", (unsigned long long)ops[0].number,
		       (long long)ops[0].number2);
	else
		append_ops(text, ops, nr);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void compare_text(struct cfi_comparison *c, uint64_t address, const char *what,
			 const char *ours, const char *theirs)
{
	if (strcmp(ours, theirs) != 0)
		differ(c, address, what, ours, theirs);
}

static void compare_registers(struct cfi_comparison *c, uint64_t address, const struct cfi_row *row,
			      Dwarf_Frame *frame)
{
	const uint16_t machine = c->file->machine;
	const unsigned last = machine == EM_386 ? 8 : 16;
	char ours[TEXT_MAX], theirs[TEXT_MAX], what[16];

	print_cfa(ours, row);
	print_their_cfa(theirs, frame);
	compare_text(c, address, "CFA", ours, theirs);
	for (unsigned reg = 0; reg <= last; reg++) {
		if (is_mistaken(machine, row, reg))
			continue;
		print_register(ours, row, reg, machine);
		print_their_register(theirs, frame, reg);
		snprintf(what, sizeof(what), "r%u", reg);
		compare_text(c, address, what, ours, theirs);
	}
}

/* The row of libdw; NULL if there is none. */
static Dwarf_Frame *their_row(const struct cfi_comparison *c, uint64_t address)
{
	Dwarf_Frame *frame = NULL;

	if (c->eh_frame && dwarf_cfi_addrframe(c->eh_frame, address, &frame) == 0)
		return frame;
	if (c->debug_frame && dwarf_cfi_addrframe(c->debug_frame, address, &frame) == 0)
		return frame;
	return NULL;
}

/*
 * Compares what there is at @address, in a row that begins at @from; returns the end of the row, or
 * the next address. (After DW_CFA_restore_state libdw takes a row for one from where the remembered
 * one began.)
 */
static uint64_t compare_place(struct cfi_comparison *c, uint64_t from, uint64_t address)
{
	Dwarf_Frame *frame = their_row(c, address);
	enum cfi_source source;
	char ours[64], theirs[64];
	Dwarf_Addr start, end;
	struct cfi_row row;
	bool is_signal;
	int ra;

	c->nr_places++;
	must(cfi_find(c->ours, address, &row, &source), "memory");
	if (!frame || source == CFI_NONE) {
		if (frame || source != CFI_NONE)
			differ(c, address, "row", source ? "one" : "none", frame ? "one" : "none");
		free(frame);
		return address + 1;
	}
	ra = dwarf_frame_info(frame, &start, &end, &is_signal);
	snprintf(ours, sizeof(ours), "%llx-%llx r%u %d", (unsigned long long)row.start,
		 (unsigned long long)row.end, row.ra_column, row.is_signal);
	snprintf(theirs, sizeof(theirs), "%llx-%llx r%d %d", (unsigned long long)from,
		 (unsigned long long)end, ra, is_signal);
	compare_text(c, address, "range, return address, signal", ours, theirs);
	compare_registers(c, address, &row, frame);
	c->nr_rows += address == from;
	free(frame);
	return end;
}

/* The first and last address of each row, and each address without one. */
static void compare_code(struct cfi_comparison *c, uint64_t start, uint64_t end)
{
	for (uint64_t address = start; address < end;) {
		const uint64_t next = compare_place(c, address, address);

		must(next > address, "end of the row");
		if (next > address + 1)
			compare_place(c, address, next - 1);
		address = next;
	}
}

static struct cfi_comparison compare(const char *path)
{
	bool nomem;
	const int fd = open(path, O_RDONLY);
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	struct elffile *file = elffile_open(open(path, O_RDONLY), &nomem);
	struct cfi_comparison c = {.file = file};

	must(file && elf, "ELF file");
	c.ours = cfi_open(file, NULL);
	must(c.ours != NULL, "memory");
	c.eh_frame = dwarf_getcfi_elf(elf);
	c.debug_frame = dwarf ? dwarf_getcfi(dwarf) : NULL;
	for (size_t i = 0; i < file->nr_segments; i++) {
		const struct elffile_segment *segment = &file->segments[i];

		if (segment->executable)
			compare_code(&c, segment->addr, segment->addr + segment->size);
	}
	cfi_close(c.ours);
	dwarf_cfi_end(c.eh_frame);
	dwarf_end(dwarf);
	elf_end(elf);
	elffile_close(file);
	close(fd);
	return c;
}

/* ---- programs -------------------------------------------------------------------------------- */

static void check_same(const char *path, unsigned nr_rows)
{
	const struct cfi_comparison c = compare(path);

	ck_assert_uint_ge(c.nr_rows, nr_rows);
	ck_assert_uint_eq(c.nr_different, 0);
}

static const char *const c_source =
	"#include <alloca.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <unistd.h>\n"
	"__attribute__((noinline)) static int use(void *p) { return *(char *)p + getpid(); }\n"
	"__attribute__((noinline)) int realigned(int n)\n"
	"{ _Alignas(64) int x[16] = {n}; use(x); return use(alloca(n)) + x[3]; }\n"
	"__attribute__((noinline)) int early(int a, int b)\n"
	"{ if (!a) return 1; int v[3] = {a, b, rand()}; if (b) return use(v); use(v + 1); "
	"return v[2]; }\n"
	"__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g)\n"
	"{ printf(\"%d\", a + b); use(&g); return rand() + a * b + c * d + e * f + g; }\n"
	"__attribute__((noinline)) int tail(int n) { return n > 3 ? rand() : many(n, n, 1, 2, 3, "
	"4, "
	"5); }\n"
	"int main(int argc, char **argv)\n"
	"{ atexit((void (*)(void))tail); return realigned(argc) + early(argc, 3) + tail(argc); }\n";

static const char *const cpp_source =
	"#include <string>\n#include <vector>\n#include <stdexcept>\n#include <map>\n"
	"struct guard { std::string s; ~guard() { s += \"x\"; } };\n"
	"int thrower(int n) { guard g; if (n > 3) throw std::runtime_error(\"n\"); return n; }\n"
	"int catcher(int n)\n"
	"{ try { guard g; return thrower(n); } catch (const std::exception &e) { return "
	"e.what()[0]; }\n"
	"  catch (int k) { return k; } }\n"
	"int main(int argc, char **argv)\n"
	"{ std::map<std::string, std::vector<int>> m; for (int i = 0; i < argc * 10; i++)\n"
	"  m[std::to_string(i % 3)].push_back(catcher(i)); return (int)m.size(); }\n";

/* Commands, to which the source and the output are added. */
static const char *const compilers[] = {
	"gcc -O2",
	"gcc -O0",
	"gcc -O2 -Wl,-z,lazy -fcf-protection=none",
	"gcc -O2 -Wl,-z,lazy -fcf-protection=full",
	"gcc -O2 -static",
	"gcc -O2 -g -fno-asynchronous-unwind-tables",
	"gcc -O2 -g -gz -fno-asynchronous-unwind-tables",
	"gcc -O2 -g -gz=zlib-gnu -fno-asynchronous-unwind-tables",
	"gcc -O2 -Wl,--no-eh-frame-hdr",
	"gcc -O2 -mavx2 -mstackrealign",
	"clang -O2",
	"clang -O0",
	"clang -O2 -g -fno-asynchronous-unwind-tables",
	"g++ -O2",
	"g++ -O0",
	"clang++ -O2",
	"clang++ -O0",
};

START_TEST(programs)
{
	const char *compiler = compilers[_i];
	const bool is_cpp = strstr(compiler, "++") != NULL;
	const char *file = is_cpp ? "x.cc" : "x.c";
	struct scratch_path dir, x;
	char program[16];

	sscanf(compiler, "%15s", program);
	if (!machine_has(program))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, file, is_cpp ? cpp_source : c_source, "%s -o x %s 2>err",
			compiler, file);
	x = scratch_join(dir.text, "x");
	check_same(x.text, 20);
	scratch_remove(dir.text);
}
END_TEST

/* Where the compiler lacks the libraries for it, what needs none. */
START_TEST(of_32_bits)
{
	struct scratch_path dir, x;

	if (!machine_has("gcc"))
		return;
	dir = scratch_make();
	toolchain_build(
		dir.text, "x.c",
		"extern int far(int *);\nint leaf(int a) { return a * 3; }\n"
		"int calls(int a) { int x[10]; x[0] = a; return far(x) + x[3]; }\n"
		"int realigned(int a)\n"
		"{ _Alignas(64) int x[16]; x[0] = a; far(x); return x[2]; }\n",
		"gcc -m32 -O2 -nostdlib -fPIC -shared -Wl,-z,lazy -o x x.c 2>err || : >lacks");
	x = scratch_join(dir.text, "x");
	if (access(x.text, R_OK) == 0)
		check_same(x.text, 10);
	else
		machine_lacks("gcc makes no programs of 32 bits here");
	scratch_remove(dir.text);
}
END_TEST

/* Without section headers .eh_frame is found by the program headers. */
START_TEST(no_section_headers)
{
	struct scratch_path dir, x;

	if (!machine_has("gcc"))
		return;
	dir = scratch_make();
	toolchain_build(dir.text, "x.c", c_source, "gcc -O2 -o x x.c 2>err");
	/* e_shoff, then e_shnum and e_shstrndx */
	toolchain_run(dir.text, "head -c 8 /dev/zero | dd of=x bs=1 seek=40 conv=notrunc 2>err && "
				"head -c 4 /dev/zero | dd of=x bs=1 seek=60 conv=notrunc 2>err");
	x = scratch_join(dir.text, "x");
	check_same(x.text, 20);
	scratch_remove(dir.text);
}
END_TEST

/* The C library and the dynamic linker that this very test runs with. */
START_TEST(libraries_of_the_machine)
{
	char line[1024], path[1024], seen[2][1024] = {"", ""};
	FILE *maps;

	if (!machine_has_proc())
		return;
	maps = fopen("/proc/self/maps", "r");
	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof(line), maps)) {
		const bool is_libc = strstr(line, "/libc.so.6") || strstr(line, "/libc-");
		char *last = seen[is_libc];

		if (sscanf(line, "%*s %*s %*s %*s %*s %1023[^\n]", path) != 1 ||
		    (!is_libc && !strstr(path, "/ld-")) || strcmp(path, last) == 0)
			continue;
		strcpy(last, path);
		check_same(path, 100);
	}
	fclose(maps);
}
END_TEST

/* Prints what a program of the command line has, and whether that is the same. */
static bool compare_argument(const char *path)
{
	const struct cfi_comparison c = compare(path);

	printf("%s: %u rows, %u addresses compared, %u differences\n", path, c.nr_rows, c.nr_places,
	       c.nr_different);
	return c.nr_different == 0;
}

static Suite *make_suite(void)
{
	Suite *suite = suite_create("libdw_cfi");
	TCase *tcase = tcase_create("libdw_cfi");

	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, programs, 0, sizeof(compilers) / sizeof(compilers[0]));
	tcase_add_test(tcase, of_32_bits);
	tcase_add_test(tcase, no_section_headers);
	tcase_add_test(tcase, libraries_of_the_machine);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(int argc, char **argv)
{
	bool are_same = true;

	if (argc == 1)
		return suite_run(make_suite());
	for (int i = 1; i < argc; i++)
		are_same &= compare_argument(argv[i]);
	return !are_same;
}
