#include "tests/support/debugfile.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <fcntl.h>

struct elffile *debugfile_elf(const char *dir, const char *name)
{
	bool nomem;
	struct elffile *file = elffile_open(open(scratch_join(dir, name).text, O_RDONLY), &nomem);

	ck_assert_ptr_nonnull(file);
	return file;
}

void debugfile_open(struct debugfile *opened, const char *dir, const char *name)
{
	bool nomem;

	*opened = (struct debugfile){.file = debugfile_elf(dir, name)};
	opened->info = debuginfo_open(&(struct debug_files){.main = opened->file}, &opened->strings,
				      true, &nomem);
	ck_assert(!nomem);
}

const struct debug_function *debugfile_find(struct debugfile *opened, uint64_t address)
{
	const struct debug_function *function;

	ck_assert_int_eq(debuginfo_find(opened->info, address, &function), 0);
	return function;
}

void debugfile_close(struct debugfile *opened)
{
	debuginfo_close(opened->info);
	elffile_close(opened->file);
	intern_free(&opened->strings);
}
