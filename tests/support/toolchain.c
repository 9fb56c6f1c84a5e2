#include "tests/support/toolchain.h"

#include "tests/support/suite.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((format(printf, 2, 0))) static void run(const char *dir, const char *fmt,
						      va_list args)
{
	char command[2048];
	int len = snprintf(command, sizeof(command), "cd '%s' && ", dir);

	vsnprintf(command + len, sizeof(command) - (size_t)len, fmt, args);
	ck_assert_msg(system(command) == 0, "failed: %s", command);
}

void toolchain_run(const char *dir, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	run(dir, fmt, args);
	va_end(args);
}

void toolchain_build(const char *dir, const char *file, const char *text, const char *fmt, ...)
{
	va_list args;

	scratch_write(dir, file, text);
	va_start(args, fmt);
	run(dir, fmt, args);
	va_end(args);
}

static void take_symbols(Elf *elf, const GElf_Shdr *shdr, Elf_Data *data,
			 void (*take)(void *arg, const char *symbol, uint64_t address), void *arg)
{
	GElf_Sym sym;

	for (int i = 0; gelf_getsym(data, i, &sym); i++)
		if (sym.st_shndx != SHN_UNDEF && GELF_ST_TYPE(sym.st_info) != STT_SECTION &&
		    GELF_ST_TYPE(sym.st_info) != STT_FILE)
			take(arg, elf_strptr(elf, shdr->sh_link, sym.st_name), sym.st_value);
}

void toolchain_symbols(const char *dir, const char *file,
		       void (*take)(void *arg, const char *symbol, uint64_t address), void *arg)
{
	int fd = open(scratch_join(dir, file).text, O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	GElf_Shdr shdr;
	Elf *elf;

	ck_assert_int_ge(fd, 0);
	ck_assert_uint_ne(elf_version(EV_CURRENT), EV_NONE);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	ck_assert_ptr_nonnull(elf);
	while ((section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &shdr) && shdr.sh_type == SHT_SYMTAB)
			take_symbols(elf, &shdr, elf_getdata(section, NULL), take, arg);
	elf_end(elf);
	close(fd);
}

struct wanted {
	const char *symbol;
	uint64_t address; /* 0: not found */
};

static void take_wanted(void *arg, const char *symbol, uint64_t address)
{
	struct wanted *wanted = arg;

	if (strcmp(symbol, wanted->symbol) == 0)
		wanted->address = address;
}

uint64_t toolchain_address(const char *dir, const char *file, const char *symbol)
{
	struct wanted wanted = {.symbol = symbol};

	toolchain_symbols(dir, file, take_wanted, &wanted);
	ck_assert_msg(wanted.address != 0, "%s: no symbol %s", file, symbol);
	return wanted.address;
}
