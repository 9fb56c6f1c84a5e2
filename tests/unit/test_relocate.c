/* DWARF of files that were never linked: sections get places, and the DWARF counts from them. */
#include "decode/symbol/kernel/relocate.h"

#include "decode/symbol/dwarf/debuginfo.h"
#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/kernel/modlayout.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As a kernel has them, below 2 GB for machines whose addresses have 32 bits. */
static const uint64_t module_at = 0xffffffffc0450000, module32_at = 0x70450000;

static const char *const source = /* of two units */
	"static inline __attribute__((always_inline)) int twice(volatile int *n) {\n"
	"	*n += 2;\n" /* 2 */
	"	return *n * 2;\n}\n"
	"__attribute__((noinline)) int READ(volatile int *n) {\n" /* 5 */
	"	*n += 1;\n"
	"	return twice(n);\n}\n"
	"__attribute__((noinline, section(\".text.unlikely\"))) int FAIL(int n) {\n" /* 9 */
	"	return n * 5;\n}\n"
	"__attribute__((section(\".init.text\"))) int INIT(volatile int *n) {\n" /* 12 */
	"	return READ(n) + 1;\n}\n"
	"__attribute__((noinline)) int WRITE(volatile int *n) {\n" /* 15 */
	"	*n += 9;\n"
	"	return READ(n);\n}\n";

static struct scratch_path dir;

static void setup(void)
{
	dir = scratch_make();
}

static void teardown(void)
{
	scratch_remove(dir.text);
}

/* ---- what is found --------------------------------------------------------------------------- */

struct opened {
	struct elffile *file;
	struct debuginfo *info; /* NULL if it must not be read */
	struct intern strings;
	struct elfsym *symbols;
	size_t nr_symbols;
};

static void open_module(struct opened *opened, const char *name, uint64_t at)
{
	const int fd = open(scratch_join(dir.text, name).text, O_RDONLY);
	bool nomem = false;

	*opened = (struct opened){.file = elffile_open(fd, &nomem)};
	ck_assert_ptr_nonnull(opened->file);
	ck_assert(opened->file->is_relocatable);
	modlayout_compute(opened->file, at);
	for (size_t i = 1; i < opened->file->nr_sections; i++) {
		if (opened->file->sections[i].type == SHT_SYMTAB)
			ck_assert_int_eq(
				elfsym_list(opened->file, i, &opened->symbols, &opened->nr_symbols),
				0);
	}
	if (relocate_dwarf(opened->file, &nomem))
		opened->info = debuginfo_open(&(struct debug_files){.main = opened->file},
					      &opened->strings, true, &nomem);
	ck_assert(!nomem);
}

static void close_module(struct opened *opened)
{
	debuginfo_close(opened->info);
	elffile_close(opened->file);
	intern_free(&opened->strings);
	free(opened->symbols);
}

/* The address of function @name, its size in *@size. */
static uint64_t address_of(const struct opened *opened, const char *name, uint64_t *size)
{
	for (size_t i = 0; i < opened->nr_symbols; i++) {
		const struct elfsym *symbol = &opened->symbols[i];

		if (strcmp(symbol->name, name) != 0)
			continue;
		*size = symbol->size;
		ck_assert(!opened->file->sections[symbol->section].unplaced);
		return opened->file->sections[symbol->section].addr + symbol->value;
	}
	ck_abort_msg("no symbol %s", name);
}

static uint32_t line_at(struct opened *opened, uint64_t address, const char *filename)
{
	struct source_line line;
	bool found;

	ck_assert_int_eq(debuginfo_find_line(opened->info, address, &line, &found), 0);
	ck_assert_msg(found, "no line at 0x%llx", (unsigned long long)address);
	ck_assert_str_eq(line.filename, filename);
	return line.line;
}

/* How many bytes from @address on were inlined from twice(). */
static unsigned count_inlined(struct opened *opened, uint64_t address, uint64_t size,
			      const struct debug_function *function)
{
	const struct debug_function *chain[DEBUGINFO_MAX_INLINED];
	unsigned inlined = 0;
	size_t nr;

	for (uint64_t i = 0; i < size; i++) {
		ck_assert_int_eq(
			debuginfo_find_inlined(opened->info, address + i, function, chain, &nr), 0);
		ck_assert_uint_le(nr, 1);
		if (nr) {
			ck_assert_str_eq(chain[0]->name, "twice");
			ck_assert_uint_eq(chain[0]->line, 1);
		}
		inlined += nr > 0;
	}
	return inlined;
}

/* A function, the lines from first to last that it is written in, and whether it calls twice(). */
struct function {
	const char *name;
	unsigned first, last;
	bool has_inlined;
};

static void check_function(struct opened *opened, const struct function *expected,
			   const char *filename)
{
	const struct debug_function *function;
	uint64_t size, address = address_of(opened, expected->name, &size);
	/* The lines of the body; where a line has no code of its own is the compiler's business. */
	unsigned inlined, seen = 0, body = 1U << (expected->first + 1);

	if (expected->has_inlined)
		body |= 1U << 2 | 1U << 3;
	ck_assert_uint_gt(size, 3);
	for (uint64_t i = 0; i < size; i++) {
		uint32_t line = line_at(opened, address + i, filename);

		ck_assert_int_eq(debuginfo_find(opened->info, address + i, &function), 0);
		ck_assert_ptr_nonnull(function);
		ck_assert_str_eq(function->name, expected->name);
		ck_assert_str_eq(function->filename, filename);
		ck_assert_uint_eq(function->line, expected->first);
		ck_assert_uint_eq(function->start, address);
		seen |= 1U << line;
		ck_assert((line >= expected->first && line <= expected->last) ||
			  (expected->has_inlined && line >= 1 && line <= 4));
	}
	ck_assert_uint_eq(seen & body, body);
	inlined = count_inlined(opened, address, size, function);
	ck_assert_int_eq(inlined > 0, expected->has_inlined);
	ck_assert_uint_lt(inlined, size);
}

/* Nothing is known of code that has no place: neither below the module nor at its start's. */
static void check_unplaced(struct opened *opened)
{
	const struct debug_function *function;
	struct source_line line;
	bool found;

	for (uint64_t address = 0; address < 256; address++) {
		ck_assert_int_eq(debuginfo_find(opened->info, address, &function), 0);
		ck_assert_ptr_null(function);
		ck_assert_int_eq(debuginfo_find_line(opened->info, address, &line, &found), 0);
		ck_assert(!found);
	}
}

static void check_unit(struct opened *opened, const char *const names[3], const char *filename)
{
	check_function(opened, &(struct function){names[0], 5, 8, true}, filename);
	check_function(opened, &(struct function){names[1], 9, 11, false}, filename);
	check_function(opened, &(struct function){names[2], 15, 18, false}, filename);
}

static const char *const names_a[] = {"a_read", "a_fail", "a_write"};
static const char *const names_b[] = {"b_read", "b_fail", "b_write"};

/* ---- what compilers write -------------------------------------------------------------------- */

#define RENAME(p) "-DREAD=" p "_read -DFAIL=" p "_fail -DINIT=" p "_init -DWRITE=" p "_write"
#define COMPILE_A " -fdebug-prefix-map=\"$PWD\"=/src " RENAME("a") " -c -o a.o a.c"
#define COMPILE_B " -fdebug-prefix-map=\"$PWD\"=/src " RENAME("b") " -c -o b.o b.c"

static const char *const of_gcc[] = {
	"-O1 -g -gdwarf-5",
	"-O1 -g -gdwarf-4",
	"-O1 -g -gdwarf-3",
	"-O1 -g -gdwarf-2",
	"-O1 -g3 -gdwarf-5 -gz=zlib",
	"-O2 -g -gdwarf-5 -ffunction-sections",
	"-O2 -g -gdwarf-4 -ffunction-sections",
	"-O1 -g -gdwarf-5 -gdwarf64",
};

START_TEST(objects_of_gcc)
{
	struct opened opened;

	toolchain_build(dir.text, "a.c", source, "gcc -fno-pic %s" COMPILE_A, of_gcc[_i]);
	open_module(&opened, "a.o", module_at);
	ck_assert_ptr_nonnull(opened.info);
	check_unit(&opened, names_a, "/src/a.c");
	check_unplaced(&opened);
	close_module(&opened);
}
END_TEST

START_TEST(units_that_were_put_together)
{
	struct opened opened;

	scratch_write(dir.text, "b.c", source);
	toolchain_build(dir.text, "a.c", source,
			"gcc -fno-pic %s" COMPILE_A " && gcc -fno-pic %s" COMPILE_B
			" && ld -r -o ab.o a.o b.o && objcopy --only-keep-debug ab.o ab.debug",
			of_gcc[_i], of_gcc[_i]);
	for (int i = 0; i < 2; i++) {
		open_module(&opened, i == 0 ? "ab.o" : "ab.debug", module_at);
		ck_assert_ptr_nonnull(opened.info);
		check_unit(&opened, names_a, "/src/a.c");
		check_unit(&opened, names_b, "/src/b.c");
		check_unplaced(&opened);
		close_module(&opened);
	}
}
END_TEST

static const struct {
	const char *flags;
	bool is_32bit;
} of_clang[] = {
	{"--target=x86_64-linux-gnu -gdwarf-5", false},
	{"--target=x86_64-linux-gnu -gdwarf-4 -ffunction-sections", false},
	{"--target=i386-linux-gnu -gdwarf-5", true},
	{"--target=i386-linux-gnu -gdwarf-4", true},
	{"--target=aarch64-linux-gnu -gdwarf-5", false},
	{"--target=aarch64-linux-gnu -gdwarf-4 -ffunction-sections", false},
	{"--target=riscv64-linux-gnu -gdwarf-5 -mno-relax", false},
	{"--target=riscv64-linux-gnu -gdwarf-4 -mrelax", false},
	{"--target=arm-linux-gnueabi -gdwarf-4", true},
	{"--target=powerpc64le-linux-gnu -gdwarf-5", false},
	{"--target=powerpc64-linux-gnu -mabi=elfv2 -gdwarf-4", false},
	{"--target=s390x-linux-gnu -gdwarf-4", false},
};

START_TEST(objects_of_clang_for_other_machines)
{
	struct opened opened;

	if (!machine_has("clang"))
		return;
	scratch_write(dir.text, "a.c", source);
	toolchain_run(dir.text, "clang %s -O1 -g -fno-pic" COMPILE_A " 2>clang.log || rm -f a.o",
		      of_clang[_i].flags);
	if (access(scratch_join(dir.text, "a.o").text, R_OK) != 0) {
		machine_lacks("clang knows no %s", of_clang[_i].flags);
		return;
	}
	open_module(&opened, "a.o", of_clang[_i].is_32bit ? module32_at : module_at);
	ck_assert_ptr_nonnull(opened.info);
	check_unit(&opened, names_a, "/src/a.c");
	check_unplaced(&opened);
	close_module(&opened);
}
END_TEST

START_TEST(split_units_of_a_module)
{
	struct opened opened;
	char *real = realpath(dir.text, NULL);

	toolchain_build(dir.text, "a.c", source,
			"gcc -fno-pic -O1 -g -gsplit-dwarf " RENAME("a") " -c -o a.o a.c");
	open_module(&opened, "a.o", module_at);
	ck_assert_ptr_nonnull(opened.info);
	check_unit(&opened, names_a, scratch_join(real, "a.c").text);
	close_module(&opened);
	free(real);
}
END_TEST

/* ---- places ---------------------------------------------------------------------------------- */

static void know(struct symtab *known, const char *name, uint64_t at)
{
	ck_assert_int_eq(
		symtab_add(known,
			   &(struct symtab_entry){.name = name, .start = at, .end = UINT64_MAX}),
		0);
}

static const struct elffile_section *section_of(const struct elffile *file, const char *name)
{
	return &file->sections[elffile_section_named(file, name)];
}

START_TEST(symbols_tell_where_sections_are)
{
	struct symtab known = {0};
	struct opened opened;
	uint64_t size, read, write, fail;

	toolchain_build(dir.text, "a.c", source, "gcc -fno-pic -O1 -g" COMPILE_A);
	open_module(&opened, "a.o", 0x1000);
	read = address_of(&opened, "a_read", &size) - 0x1000;
	write = address_of(&opened, "a_write", &size) - 0x1000;
	fail = address_of(&opened, "a_fail", &size);
	ck_assert_uint_eq(section_of(opened.file, ".text")->addr, 0x1000);
	ck_assert(section_of(opened.file, ".init.text")->unplaced);
	know(&known, "a_write", 0x7000 + write);
	know(&known, "a_read", 0x7000 + read);
	know(&known, "a_fail", 0x5000);
	know(&known, "a_init", 0x3000);
	ck_assert_int_eq(modlayout_learn(opened.file, &known), 0);
	ck_assert_uint_eq(section_of(opened.file, ".text")->addr, 0x7000);
	ck_assert_uint_eq(section_of(opened.file, ".text.unlikely")->addr, 0x5000);
	ck_assert_uint_eq(address_of(&opened, "a_fail", &size), 0x5000);
	ck_assert_uint_ne(fail, 0x5000);
	/* What starts the module is gone, whatever has its name now. */
	ck_assert(section_of(opened.file, ".init.text")->unplaced);
	/* A name that two have tells nothing, and of a section nobody knows nothing is said. */
	know(&known, "a_fail", 0x6000);
	ck_assert_int_eq(modlayout_learn(opened.file, &known), 0);
	ck_assert_uint_eq(section_of(opened.file, ".text")->addr, 0x7000);
	ck_assert(section_of(opened.file, ".text.unlikely")->unplaced);
	symtab_free(&known);
	/* Another build: its functions are elsewhere. */
	know(&known, "a_read", 0x7000 + read);
	know(&known, "a_write", 0x7001 + write);
	ck_assert_int_eq(modlayout_learn(opened.file, &known), 0);
	ck_assert(section_of(opened.file, ".text")->unplaced);
	symtab_free(&known);
	close_module(&opened);
}
END_TEST

START_TEST(a_place_behind_the_last_address_is_none)
{
	struct opened opened;

	toolchain_build(dir.text, "a.c", source, "gcc -fno-pic -O1 -g" COMPILE_A);
	open_module(&opened, "a.o", UINT64_MAX - 3);
	ck_assert(section_of(opened.file, ".text")->unplaced);
	ck_assert_ptr_nonnull(opened.info);
	check_unplaced(&opened);
	close_module(&opened);
}
END_TEST

/* ---- damage ---------------------------------------------------------------------------------- */

enum damage {
	UNKNOWN_TYPE,
	OFFSET_BEHIND,
	OFFSET_AT_END,
	SYMBOL_BEHIND,
	SECTION_BEHIND,
	TWO_SECTIONS,
	NO_SYMBOLS,
	NO_RELOCATIONS,
	OUT_OF_FILE,
	HALF_AN_ENTRY,
	NR_DAMAGES
};

static size_t number_of(const Elf64_Ehdr *file, const char *name)
{
	const Elf64_Shdr *headers = (const void *)((const char *)file + file->e_shoff);
	const char *names = (const char *)file + headers[file->e_shstrndx].sh_offset;

	for (size_t i = 0; i < file->e_shnum; i++)
		if (strcmp(names + headers[i].sh_name, name) == 0)
			return i;
	ck_abort_msg("no section %s", name);
}

static void do_damage(Elf64_Ehdr *file, enum damage damage)
{
	Elf64_Shdr *headers = (void *)((char *)file + file->e_shoff);
	Elf64_Shdr *section = &headers[number_of(file, ".rela.debug_info")];
	Elf64_Shdr *info = &headers[number_of(file, ".debug_info")];
	Elf64_Rela *last =
		(void *)((char *)file + section->sh_offset + section->sh_size - sizeof(*last));
	Elf64_Sym *symbol = (void *)((char *)file + headers[section->sh_link].sh_offset +
				     ELF64_R_SYM(last->r_info) * sizeof(*symbol));

	switch (damage) {
	case UNKNOWN_TYPE:
		last->r_info = ELF64_R_INFO(ELF64_R_SYM(last->r_info), 200);
		break;
	case OFFSET_BEHIND:
		last->r_offset = UINT64_MAX;
		break;
	case OFFSET_AT_END:
		last->r_offset = info->sh_size - 3;
		break;
	case SYMBOL_BEHIND:
		last->r_info = ELF64_R_INFO(UINT32_MAX, ELF64_R_TYPE(last->r_info));
		break;
	case SECTION_BEHIND:
		symbol->st_shndx = file->e_shnum;
		break;
	case TWO_SECTIONS:
		headers[number_of(file, ".rela.text")].sh_info =
			(uint32_t)number_of(file, ".debug_info");
		break;
	case NO_SYMBOLS:
		section->sh_link = UINT32_MAX;
		break;
	case NO_RELOCATIONS:
		section->sh_type = SHT_PROGBITS;
		break;
	case OUT_OF_FILE:
		section->sh_size = UINT64_C(24) << 40;
		break;
	case HALF_AN_ENTRY:
		section->sh_size -= 12;
		break;
	case NR_DAMAGES:
		break;
	}
}

/* As much as there is of a file of less than @size bytes. */
static size_t read_file(const char *name, void *bytes, size_t size)
{
	FILE *in = fopen(scratch_join(dir.text, name).text, "rb");
	size_t len;

	ck_assert_ptr_nonnull(in);
	len = fread(bytes, 1, size, in);
	ck_assert_uint_lt(len, size);
	fclose(in);
	return len;
}

START_TEST(damaged_relocations_are_refused)
{
	static _Alignas(16) char image[65536];
	const bool is_fine = _i == NR_DAMAGES;
	struct elffile *file;
	bool nomem = false;
	size_t size;

	if (strcmp(TOOLCHAIN_MACHINE, "x86_64") != 0)
		return;
	toolchain_build(dir.text, "a.c", source, "gcc -fno-pic -O1 -g" COMPILE_A);
	size = read_file("a.o", image, sizeof(image));
	do_damage((void *)image, (enum damage)_i);
	file = elffile_from_memory(image, size, &nomem);
	ck_assert_ptr_nonnull(file);
	modlayout_compute(file, module_at);
	ck_assert_int_eq(relocate_dwarf(file, &nomem), is_fine);
	ck_assert(!nomem);
	elffile_close(file);
}
END_TEST

/* An address that does not fit into the four bytes that are there for it is not cut off. */
START_TEST(an_address_that_does_not_fit_is_refused)
{
	struct opened opened;

	if (!machine_has("clang"))
		return;
	toolchain_build(dir.text, "a.c", source,
			"clang --target=i386-linux-gnu -O1 -g -fno-pic" COMPILE_A);
	open_module(&opened, "a.o", module_at);
	ck_assert_ptr_null(opened.info);
	close_module(&opened);
	open_module(&opened, "a.o", 0xf8450000);
	check_unit(&opened, names_a, "/src/a.c");
	close_module(&opened);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("relocate");
	TCase *tc = tcase_create("relocate");

	tcase_set_timeout(tc, 0);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, objects_of_gcc, 0, sizeof(of_gcc) / sizeof(of_gcc[0]));
	tcase_add_loop_test(tc, units_that_were_put_together, 0,
			    sizeof(of_gcc) / sizeof(of_gcc[0]));
	tcase_add_loop_test(tc, objects_of_clang_for_other_machines, 0,
			    sizeof(of_clang) / sizeof(of_clang[0]));
	tcase_add_test(tc, split_units_of_a_module);
	tcase_add_test(tc, symbols_tell_where_sections_are);
	tcase_add_test(tc, a_place_behind_the_last_address_is_none);
	tcase_add_loop_test(tc, damaged_relocations_are_refused, 0, NR_DAMAGES + 1);
	tcase_add_test(tc, an_address_that_does_not_fit_is_refused);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
