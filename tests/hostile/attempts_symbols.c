/* Attempts with what names addresses: binaries, kallsyms, perf maps, jitdumps; and with
 * comparisons. */
#include "tests/hostile/attempts.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TABLES "--quiet --tables=all perf.data"

enum { PAGE = 0x1000 };

static const uint64_t kernel_start = UINT64_C(0xffffffff81000000);

static void close_file(FILE *file)
{
	if (ferror(file) || fclose(file) != 0) {
		perror("attempts");
		exit(1);
	}
}

/* ---- binaries that are not there ---- */

static void write_binaries(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	char name[32];

	for (uint64_t i = 0; i < size; i++) {
		snprintf(name, sizeof(name), "/none/%u", (unsigned)i);
		attempt_map(m, 1, PAGE, PAGE, name, 2 * i + 1);
		attempt_sample(m, 1, PAGE, 2 * i + 2);
	}
	attempt_save(m);
}

/* One file under names that are all different, and large next to what it takes to name it. */
/* A map of @program and a sample in it by each of @size names. */
static void sample_aliases(uint32_t size, const char *program)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	char name[4200];

	for (uint32_t i = 0; i < size; i++) {
		size_t at = 0;

		/* the number in binary: a slash is a 0, a slash and a dot a 1 */
		for (unsigned bit = 0; bit < 24; bit++)
			at += (size_t)snprintf(name + at, 4, i >> bit & 1 ? "/." : "/");
		snprintf(name + at, sizeof(name) - at, "%s", program);
		attempt_map(m, 1, PAGE, PAGE, name, 2 * i + 1);
		attempt_sample(m, 1, PAGE, 2 * i + 2);
	}
	attempt_save(m);
}

static void write_aliases(uint32_t size)
{
	char program[256];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[len > 0 ? len : 0] = '\0';
	sample_aliases(size, program);
}

/* ---- an ELF file ---- */

/* Writes "elf": a program of code for @size symbols, symbol @i being at @start(i) of @len(i). */
static void write_elf(uint32_t size, uint64_t (*start)(uint32_t i), uint64_t (*len)(uint32_t i))
{
	enum { NAME_BYTES = 9, NR_SECTIONS = 4 };
	static const char names[] = "\0.text\0.symtab\0.strtab";
	const uint64_t strings = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
	const uint64_t strings_size = sizeof(names) + (uint64_t)NAME_BYTES * size;
	const uint64_t symbols = (strings + strings_size + 7) / 8 * 8;
	const uint64_t symbols_size = sizeof(Elf64_Sym) * (1 + (uint64_t)size);
	const Elf64_Ehdr header = {
		.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_shoff = symbols + symbols_size,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NR_SECTIONS,
		.e_shstrndx = 3,
	};
	const Elf64_Phdr segment = {.p_type = PT_LOAD,
				    .p_flags = PF_R | PF_X,
				    .p_filesz = symbols,
				    .p_memsz = symbols,
				    .p_align = PAGE};
	const Elf64_Shdr sections[NR_SECTIONS] = {
		{0},
		{.sh_name = 1,
		 .sh_type = SHT_PROGBITS,
		 .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		 .sh_size = symbols},
		{.sh_name = 7,
		 .sh_type = SHT_SYMTAB,
		 .sh_offset = symbols,
		 .sh_size = symbols_size,
		 .sh_link = 3,
		 .sh_info = 1,
		 .sh_addralign = 8,
		 .sh_entsize = sizeof(Elf64_Sym)},
		{.sh_name = 15,
		 .sh_type = SHT_STRTAB,
		 .sh_offset = strings,
		 .sh_size = strings_size,
		 .sh_addralign = 1},
	};
	const Elf64_Sym none = {0};
	FILE *file = attempt_open("elf");

	fwrite(&header, sizeof(header), 1, file);
	fwrite(&segment, sizeof(segment), 1, file);
	fwrite(names, sizeof(names), 1, file);
	for (uint32_t i = 0; i < size; i++)
		fprintf(file, "f%07x%c", i, 0);
	fseek(file, (long)symbols, SEEK_SET);
	fwrite(&none, sizeof(none), 1, file);
	for (uint32_t i = 0; i < size; i++) {
		const Elf64_Sym symbol = {
			.st_name = (Elf64_Word)(sizeof(names) + (uint64_t)NAME_BYTES * i),
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = 1,
			.st_value = start(i),
			.st_size = len(i)};

		fwrite(&symbol, sizeof(symbol), 1, file);
	}
	fwrite(sections, sizeof(sections), 1, file);
	close_file(file);
}

/* Samples all over the file: so many, @step bytes apart. */
static void sample_elf(uint32_t size, uint64_t step)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	char cwd[4000], path[4096];

	snprintf(path, sizeof(path), "%s/elf", getcwd(cwd, sizeof(cwd)) ? cwd : "");
	attempt_map(m, 1, UINT64_C(1) << 40, UINT64_C(1) << 40, path, 1);
	for (uint64_t i = 0; i < size; i++)
		attempt_sample(m, 1, (UINT64_C(1) << 40) + i * step, i + 2);
	attempt_save(m);
}

static uint64_t at_start(uint32_t i)
{
	(void)i;
	return 0;
}

static uint64_t at_own(uint32_t i)
{
	return 8 * (uint64_t)i;
}

static uint64_t up_to_own(uint32_t i)
{
	return 8 * (uint64_t)i + 8;
}

static uint64_t long_from_own(uint32_t i)
{
	return (UINT64_C(1) << 32) - 16 * (uint64_t)i;
}

static uint64_t one(uint32_t i)
{
	(void)i;
	return 1;
}

/* Each of many names leads to many symbols. */
static void write_elf_names(uint32_t size)
{
	char cwd[4000], path[4096];

	snprintf(path, sizeof(path), "%s/elf", getcwd(cwd, sizeof(cwd)) ? cwd : "");
	write_elf(size, at_own, one);
	sample_aliases(size, path);
}

static void write_elf_aliases(uint32_t size)
{
	write_elf(size, at_start, one);
	sample_elf(size, 0);
}

static void write_elf_widths(uint32_t size)
{
	write_elf(size, at_start, up_to_own);
	sample_elf(size, 8);
}

static void write_elf_nested(uint32_t size)
{
	write_elf(size, at_own, long_from_own);
	sample_elf(size, 8);
}

/* ---- the kernel ---- */

static void map_kernel(struct mkperf *m, uint64_t start, uint64_t len, const char *name,
		       uint64_t time)
{
	const struct mkperf_id at = attempt_at(time);

	mkperf_mmap(m, &at,
		    &(struct mkperf_mmap){.misc = 1,
					  .pid = UINT32_MAX,
					  .start = start,
					  .len = len,
					  .pgoff = start,
					  .filename = name});
}

static void sample_kernel(struct mkperf *m, uint64_t ip, uint64_t time)
{
	mkperf_sample(
		m, &(struct mkperf_sample){.misc = 1, .pid = 1, .tid = 1, .ip = ip, .time = time});
}

static void write_kallsyms(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	FILE *file = attempt_open("kallsyms");

	for (uint32_t i = 0; i < size; i++)
		fprintf(file, "%llx T f%x\n", (unsigned long long)kernel_start, i);
	close_file(file);
	map_kernel(m, kernel_start, UINT64_C(1) << 28, "[kernel.kallsyms]_text", 1);
	for (uint64_t i = 0; i < size; i++)
		sample_kernel(m, kernel_start + i % 64, i + 2);
	attempt_save(m);
}

/* Half as many modules as symbols, each module with two. */
static void write_modules(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	FILE *file = attempt_open("kallsyms");
	char name[32];

	map_kernel(m, kernel_start, UINT64_C(1) << 28, "[kernel.kallsyms]_text", 1);
	for (uint64_t i = 0; i < size; i++) {
		const uint64_t start = kernel_start + (UINT64_C(1) << 28) + i / 2 * PAGE;

		fprintf(file, "%llx T f%llx\t[m%llu]\n", (unsigned long long)start + i % 2 * 64,
			(unsigned long long)i, (unsigned long long)i / 2);
		if (i % 2)
			continue;
		snprintf(name, sizeof(name), "[m%llu]", (unsigned long long)i / 2);
		map_kernel(m, start, PAGE, name, 2 * i + 2);
		sample_kernel(m, start + 8, 2 * i + 3);
	}
	close_file(file);
	attempt_save(m);
}

/* ---- JIT compilers ---- */

/* No process has this number, which is above all that Linux gives. */
static uint32_t choose_pid(void)
{
	return (uint32_t)(4194304 + getpid());
}

/* Its file has to be where a compiler puts it: "leftover" names it for whoever tidies up. */
static void write_perf_map(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	const uint32_t pid = choose_pid();
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	file = attempt_open("leftover");
	fprintf(file, "%s\n", path);
	close_file(file);
	file = attempt_open(path);
	for (uint32_t i = 0; i < size; i++)
		fprintf(file, "%x %x f%x\n", PAGE + 8 * i, 16 * (size - i), i);
	close_file(file);
	attempt_map(m, pid, PAGE, UINT64_C(1) << 32, "//anon", 1);
	for (uint64_t i = 0; i < size; i++)
		attempt_sample(m, pid, PAGE + 8 * i, i + 2);
	attempt_save(m);
}

static void put_word(FILE *file, uint64_t value, size_t bytes)
{
	fwrite(&value, bytes, 1, file);
}

/* Code that is loaded again and again, all of it at one address. */
static void write_jitdump(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	FILE *file = attempt_open("jit-1.dump");
	char cwd[4000], path[4096];

	put_word(file, 0x14a695444, 8); /* magic, version */
	put_word(file, 40, 8);
	put_word(file, UINT64_C(1) << 32, 8); /* pid 1 */
	put_word(file, 1, 8);
	put_word(file, 0, 8);
	for (uint64_t i = 0; i < size; i++) {
		put_word(file, UINT64_C(80) << 32, 8); /* a LOAD of 80 bytes */
		put_word(file, i + 2, 8);
		put_word(file, UINT64_C(1) << 32 | 1, 8);
		put_word(file, PAGE, 8);
		put_word(file, PAGE, 8);
		put_word(file, 16, 8);
		put_word(file, i, 8);
		fprintf(file, "%07x%c", (unsigned)i, 0);
		put_word(file, 0, 8);
		put_word(file, 0, 8);
	}
	close_file(file);
	snprintf(path, sizeof(path), "%s/jit-1.dump", getcwd(cwd, sizeof(cwd)) ? cwd : "");
	for (uint64_t i = 0; i < size; i++) {
		if (i % 4 == 0) /* it is found again and again */
			attempt_map(m, 1, UINT64_C(1) << 40, PAGE, path, i + 1);
		attempt_sample(m, 1, PAGE, i + 2);
	}
	attempt_save(m);
}

/* ---- comparisons ---- */

/* Rows of results.csv; the @i-th function has the name that @print writes. */
static void write_results(const char *name, uint32_t size, void (*print)(FILE *file, uint32_t i))
{
	FILE *file = attempt_open(name);

	fputs("period,samples,filename,function,event,binary,percent,line,children_period,"
	      "children_samples,children_percent,build_id,reason\n",
	      file);
	for (uint32_t i = 0; i < size; i++) {
		fprintf(file, "%u,1,f%u.c,", 1 + i % 7, i);
		print(file, i);
		fprintf(file, ",cycles,/bin/b%u,0.0001,1,1,1,0.0001,,\n", i % 10);
	}
	close_file(file);
}

static void print_own(FILE *file, uint32_t i)
{
	fprintf(file, "function%u", i);
}

static void print_suffixed(FILE *file, uint32_t i)
{
	fprintf(file, "function.isra.%u", i);
}

/* What a pattern that backtracks takes longest for. */
static void print_long(FILE *file, uint32_t i)
{
	for (uint32_t at = 0; at < 2000; at++)
		fputc('a', file);
	fprintf(file, "%u", i);
}

static void write_diff(uint32_t size)
{
	write_results("old.csv", size, print_own);
	write_results("new.csv", size, print_own);
}

static void write_diff_suffixes(uint32_t size)
{
	write_results("old.csv", size, print_suffixed);
	write_results("new.csv", size, print_suffixed);
}

static void write_diff_renames(uint32_t size)
{
	write_results("old.csv", size / 256 + 1, print_long);
	write_results("new.csv", size / 256 + 1, print_long);
}

const struct attempt attempts_symbols[] = {
	{"binaries", "binaries that are not there", write_binaries, TABLES},
	{"aliases", "names of one binary", write_aliases, TABLES},
	{"elf-names", "names of one binary that has as many symbols", write_elf_names, TABLES},
	{"elf-aliases", "symbols at one address", write_elf_aliases, TABLES},
	{"elf-widths", "symbols at one address, each wider than the one before", write_elf_widths,
	 TABLES},
	{"elf-nested", "symbols, each inside the one before", write_elf_nested, TABLES},
	{"kallsyms", "symbols of the kernel at one address", write_kallsyms,
	 "--kallsyms=kallsyms " TABLES},
	{"modules", "modules, all listed in kallsyms", write_modules,
	 "--kallsyms=kallsyms " TABLES},
	{"perf-map", "entries of a perf map, each inside the one before", write_perf_map, TABLES},
	{"jitdump", "code of a jitdump at one address", write_jitdump, TABLES},
	{"top", "functions that are all to be printed", write_elf_nested,
	 "--tables=none --top=200000 perf.data"},
	{"diff", "functions to compare", write_diff, "diff --quiet old.csv new.csv"},
	{"diff-suffixes", "functions with one name but for what the compiler adds",
	 write_diff_suffixes, "diff --quiet old.csv new.csv"},
	{"diff-renames", "long names, and a pattern that takes its time", write_diff_renames,
	 "diff --quiet --rename=/(a*)*b/=c old.csv new.csv"},
	{0},
};
