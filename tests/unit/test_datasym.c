/* Variables of ELF files by their addresses. */
#include "decode/symbol/elf/datasym.h"

#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>

enum { TEXT_MAX = 100 };

static const char *const source =
	"int numbers[10] = {1}, later;\n"
	"static const char words[] = \"four words of text\";\n"
	"static volatile long hidden = 3;\n"
	"__thread int of_thread = 5;\n"
	"extern int other[10] __attribute__((alias(\"numbers\")));\n"
	"const char *word(int i) { return words + i + hidden + of_thread; }\n";

/* A program's variables. */
struct fixture {
	struct scratch_path dir;
	struct elffile *file;
	struct symtab table;
};

static bool setup(struct fixture *f, const char *command)
{
	bool nomem;

	if (!machine_has("gcc"))
		return false;
	*f = (struct fixture){.dir = scratch_make()};
	toolchain_build(f->dir.text, "x.c", source, "%s", command);
	f->file = elffile_open(open(scratch_join(f->dir.text, "x").text, O_RDONLY), &nomem);
	ck_assert_ptr_nonnull(f->file);
	ck_assert_int_eq(datasym_read(f->file, &f->table), 0);
	return true;
}

static void teardown(struct fixture *f)
{
	symtab_free(&f->table);
	elffile_close(f->file);
	scratch_remove(f->dir.text);
}

static void check_at(struct fixture *f, uint64_t address, const char *expected)
{
	struct data_symbol found;
	char text[TEXT_MAX] = "";

	if (datasym_find(&f->table, address, &found))
		snprintf(text, sizeof(text), "%s+%lu of %lu", found.name, found.offset, found.size);
	ck_assert_str_eq(text, expected);
}

START_TEST(variables_by_address)
{
	struct fixture f;
	uint64_t numbers, word;

	if (!setup(&f, "gcc -O1 -shared -fPIC -nostdlib -o x x.c"))
		return;
	numbers = toolchain_address(f.dir.text, "x", "numbers");
	word = toolchain_address(f.dir.text, "x", "word");
	check_at(&f, numbers, "numbers+0 of 40");
	check_at(&f, numbers + 39, "numbers+39 of 40");
	check_at(&f, toolchain_address(f.dir.text, "x", "later") + 2, "later+2 of 4");
	check_at(&f, toolchain_address(f.dir.text, "x", "words") + 18, "words+18 of 19");
	check_at(&f, toolchain_address(f.dir.text, "x", "hidden"), "hidden+0 of 8");
	check_at(&f, word, ""); /* code */
	check_at(&f, 0, "");	/* what of_thread would be */
	check_at(&f, UINT64_MAX, "");
	teardown(&f);
}
END_TEST

START_TEST(a_stripped_library_has_those_it_exports)
{
	struct fixture f;
	uint64_t numbers;

	if (!setup(&f, "gcc -O1 -shared -fPIC -nostdlib -o full x.c && strip -o x full"))
		return;
	numbers = toolchain_address(f.dir.text, "full", "numbers");
	check_at(&f, numbers + 8, "numbers+8 of 40");
	check_at(&f, toolchain_address(f.dir.text, "full", "hidden"), "");
	teardown(&f);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("datasym");
	TCase *tc = tcase_create("datasym");

	tcase_add_test(tc, variables_by_address);
	tcase_add_test(tc, a_stripped_library_has_those_it_exports);
	suite_add_tcase(s, tc);
	return suite_run(s);
}
