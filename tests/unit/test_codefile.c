/* The code of dsos and of the kernel, as a trace's decoder reads it. */
#include "decode/symbol/find/loadcontext.h"
#include "decode/symbol/kernel/kernel.h"
#include "decode/symbol/symbol.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/writer/mkjit.h"

#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

static const struct symbol_settings nothing = {.build_id_cache = "/nonexistent",
					       .debug_dir = "/nonexistent"};

/* All bytes of a dump can be read, and stay as they were. */
START_TEST(jitdump)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "jit-12.dump");
	struct symbolizer *symbolizer = symbolizer_create(&nothing);
	const struct codefile *file;
	struct dso_table dsos = {0};
	struct mkjit dump = {0};

	mkjit_header(&dump, 12, 0);
	mkjit_code(&dump, &(struct mkjit_code){.start = 0x1000, .size = 16, .name = "f"});
	mkjit_save(&dump, path.text);
	file = codefiles_get(symbolizer_codefiles(symbolizer),
			     dso_table_get(&dsos, DSO_JITDUMP, path.text, NULL, 0));
	ck_assert_int_eq(truncate(path.text, 0), 0);
	ck_assert_int_eq(file->reason, REASON_NONE);
	ck_assert_uint_eq(file->size, dump.len);
	ck_assert_mem_eq(file->bytes, dump.bytes, dump.len);
	file = codefiles_get(symbolizer_codefiles(symbolizer),
			     dso_table_get(&dsos, DSO_JITDUMP, "/nonexistent", NULL, 0));
	ck_assert_int_eq(file->fd, -1);
	ck_assert_ptr_null(file->bytes);
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
	scratch_remove(dir.text);
}
END_TEST

/* ---- the vdso ---- */

/* The kernel and the system that run. */
static struct symbol_kernel this_kernel(struct utsname *system, const struct dso *dso)
{
	ck_assert_int_eq(uname(system), 0);
	return (struct symbol_kernel){.dso = dso,
				      .release = system->release,
				      .hostname = system->nodename,
				      .machine = system->machine};
}

/* The code of [vdso] is that of this process, if the kernel that runs is the recorded one. */
START_TEST(vdso)
{
	const void *own = (const void *)getauxval(AT_SYSINFO_EHDR);
	struct symbolizer *symbolizer = symbolizer_create(&nothing);
	struct dso_table dsos = {0};
	struct symbol_kernel kernel;
	const struct codefile *file;
	struct utsname system;
	uint8_t bytes[1024];

	if (!own || sizeof(void *) != 8)
		return;
	kernel = this_kernel(&system, dso_table_get(&dsos, DSO_KERNEL, "[kernel]", NULL, 0));
	if (_i == 1)
		kernel.release = "other";
	symbolizer_set_kernel(symbolizer, &kernel);
	file = codefiles_get(symbolizer_codefiles(symbolizer),
			     dso_table_get(&dsos, DSO_VDSO, "[vdso]", NULL, 0));
	if (_i == 0) {
		ck_assert_int_eq(pread(file->fd, bytes, sizeof(bytes), 0), sizeof(bytes));
		ck_assert_mem_eq(bytes, own, sizeof(bytes));
	} else {
		ck_assert_int_eq(file->fd, -1);
	}
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
}
END_TEST

/* ---- the kernel ---- */

#define TEXT 0xffffffff83000000u
enum { TEXT_AT = 0x1000, TEXT_BYTES = 0x2345 };

/* Writes what looks like the memory of a kernel: first all memory, then the text. Its first @len
 * bytes. */
static void write_kcore(const char *path, size_t len)
{
	static uint8_t bytes[TEXT_AT + TEXT_BYTES];
	const Elf64_Ehdr header = {
		.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_CORE,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(header),
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
	};
	const Elf64_Phdr segments[] = {
		{PT_LOAD, PF_R | PF_W | PF_X, 1 << 30, 0xffff888000000000, 0, 1 << 30, 1 << 30, 1},
		{PT_LOAD, PF_R | PF_W | PF_X, TEXT_AT, TEXT, 0, TEXT_BYTES, TEXT_BYTES, 1},
	};
	FILE *file = fopen(path, "w");

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), segments, sizeof(segments));
	for (size_t i = 0; i < TEXT_BYTES; i++)
		bytes[TEXT_AT + i] = (uint8_t)(i * 7 / 3);
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

static const struct {
	uint64_t reference; /* address of the recorded kernel */
	uint64_t shift;	    /* from there to where it is now */
	size_t file;	    /* bytes of the file */
	size_t text;	    /* bytes that are found */
	bool is_other, is_below;
} kernels[] = {
	{TEXT + 0x1000, 0, TEXT_AT + TEXT_BYTES, TEXT_BYTES, false, false},
	{TEXT - 0x2000000, 0x2000000, TEXT_AT + TEXT_BYTES, TEXT_BYTES, false, false},
	{TEXT, 0, TEXT_AT + 5, 5, false, false},
	{TEXT, 0, TEXT_AT, 0, false, false},
	{TEXT, 0, 100, 0, false, false},
	{TEXT, 0, 0, 0, false, false},
	{TEXT + TEXT_BYTES, 0, TEXT_AT + TEXT_BYTES, 0, false, false},
	{0, 0, TEXT_AT + TEXT_BYTES, 0, false, false},
	{TEXT, 0, TEXT_AT + TEXT_BYTES, 0, true, false},
	{TEXT, 0, TEXT_AT + TEXT_BYTES, 0, false, true},
};

/* The text of the running kernel alone is copied, if that is the recorded one. */
START_TEST(running_kernel)
{
	const struct dso dso = {.kind = DSO_KERNEL, .reference_address = kernels[_i].reference};
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "kcore");
	struct load_context context = {.settings = nothing};
	struct kernel kernel;
	struct kernelcode *code;
	uint8_t got[2];

	kernel_init(&kernel);
	kernel.recorded = (struct symbol_kernel){.dso = &dso};
	kernel.is_loaded = true;
	kernel.is_running = !kernels[_i].is_other;
	kernel.shift = kernels[_i].shift;
	if (kernels[_i].is_below)
		context.settings.symfs = "/nonexistent";
	context.kernel = &kernel;
	write_kcore(path.text, kernels[_i].file);
	code = kernelcode_create(&context, path.text);
	ck_assert_ptr_nonnull(code);
	ck_assert_uint_eq(code->nr, kernels[_i].text ? 1 : 0);
	ck_assert_int_eq(code->fd >= 0, kernels[_i].text > 0);
	if (code->nr) {
		ck_assert_uint_eq(code->parts[0].address, TEXT - kernels[_i].shift);
		ck_assert_uint_eq(code->parts[0].offset, 0);
		ck_assert_uint_eq(code->parts[0].size, kernels[_i].text);
		ck_assert_int_eq(pread(code->fd, got, 2, 3), 2);
		ck_assert_uint_eq(got[0], 7);
		ck_assert_uint_eq(got[1], 9);
	}
	kernelcode_destroy(code);
	kernel_deinit(&kernel);
	scratch_remove(dir.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("codefile");
	TCase *tcase = tcase_create("codefile");

	tcase_add_test(tcase, jitdump);
	tcase_add_loop_test(tcase, vdso, 0, 2);
	tcase_add_loop_test(tcase, running_kernel, 0, sizeof(kernels) / sizeof(kernels[0]));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
