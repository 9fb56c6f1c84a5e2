/*
 * The bytes as the file of a binary, of a kernel module and of a vmlinux: from the search for files
 * to the functions, source files, lines and inlined functions of places all over it.
 *
 * The file stands for its separate debug files, too, as far as it names them.
 */
#include "decode/symbol/symbol.h"

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/kernel/kernel.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { NR_PLACES = 400 };

static void check_symbol(const struct symbol *symbol)
{
	fuzz_check(symbol && symbol->function && symbol->filename);
	fuzz_check(symbol->reason != REASON_NONE || strcmp(symbol->function, "[unknown]") != 0 ||
		   symbol->function[0]);
}

/* Places near the file's start, denser, and all over it. */
static size_t choose_places(struct place *places, uint64_t start, size_t size)
{
	uint64_t step = size / (NR_PLACES / 2) + 1;

	for (size_t i = 0; i < NR_PLACES / 2; i++)
		places[i] = (struct place){.address = start + i};
	for (size_t i = NR_PLACES / 2; i < NR_PLACES; i++)
		places[i].address = start + (i + 1) * step + NR_PLACES / 2;
	return NR_PLACES;
}

static void resolve(struct symbolizer *symbolizer, const struct dso *dso, uint64_t start,
		    size_t size)
{
	struct place places[NR_PLACES] = {{0}};
	struct place_detail details[NR_PLACES] = {{0}};
	struct place_list list = {.dso = dso,
				  .places = places,
				  .details = details,
				  .wishes = WISH_INSTRUCTIONS | WISH_CODE,
				  .nr_events = 1};
	struct error err = {0};

	list.nr_places = choose_places(places, start, size);
	for (size_t i = 0; i < NR_PLACES; i++)
		details[i] = (struct place_detail){.wanted = true, .share = 0.1};
	fuzz_check(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err) == 0);
	for (size_t i = 0; i < NR_PLACES; i++) {
		check_symbol(places[i].symbol);
		fuzz_check(details[i].filename);
	}
	check_symbol(symbolizer_find(symbolizer, dso, start + size / 2, &err));
	fuzz_check(symbolizer_origin(symbolizer, dso).refused);
}

/* Whether this is the kernel that runs: libFuzzer, which sees what is compared, finds its id. */
static bool is_running(const struct elffile *file)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	bool nomem = false;
	size_t len = kernel_note_build_id("/sys/kernel/notes", id, &nomem);

	return len == file->build_id_len && memcmp(id, file->build_id, len) == 0;
}

/* The build id of the image, so that it is the kernel's, or one that no kernel has. */
static void choose_build_id(struct dso *kernel, const uint8_t *data, size_t size)
{
	bool nomem = false;
	struct elffile *file = elffile_adopt(fuzz_text(data, size), size, &nomem);

	memset(kernel->build_id, 0xff, DSO_BUILD_ID_MAX);
	kernel->build_id_len = DSO_BUILD_ID_MAX;
	if (file && file->build_id_len && !is_running(file)) {
		memcpy(kernel->build_id, file->build_id, file->build_id_len);
		kernel->build_id_len = (uint8_t)file->build_id_len;
	}
	elffile_close(file);
}

static void resolve_all(struct symbolizer *symbolizer, struct dso_table *dsos, const uint8_t *data,
			size_t size)
{
	struct dso *user = dso_table_get(dsos, DSO_USER, "/image", NULL, 0);
	struct dso *module = dso_table_get(dsos, DSO_MODULE, "/image.ko", NULL, 0);
	struct dso *kernel = dso_table_get(dsos, DSO_KERNEL, "[kernel.kallsyms]", NULL, 0);

	fuzz_check(user && module && kernel);
	module->start = 0x1000;
	module->end = 0x1000 + size;
	choose_build_id(kernel, data, size);
	symbolizer_set_kernel(symbolizer, &(struct symbol_kernel){.dso = kernel});
	resolve(symbolizer, user, 0, size);
	resolve(symbolizer, module, 0x1000, size);
	resolve(symbolizer, kernel, 0xffffffff81000000, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char vmlinux[PATH_MAX];
	struct symbol_settings settings = {
		.demangle = size & 1 ? DEMANGLE_SHORT : DEMANGLE_FULL,
		.vmlinux = vmlinux,
		.debug_dir = "/nonexistent",
		.build_id_cache = "/nonexistent",
		.symfs = fuzz_dir(),
		.threads = 1,
		.inlined = true,
	};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	struct dso_table dsos = {0};

	fuzz_check(symbolizer);
	snprintf(vmlinux, sizeof(vmlinux), "%s/image", fuzz_dir());
	fuzz_dir_put("image", data, size);
	fuzz_dir_put("image.ko", data, size);
	fuzz_dir_put("image.debug", data, size);
	fuzz_dir_put("image.dwp", data, size);
	fuzz_dir_make("src");
	fuzz_dir_put("src/image.dwo", data, size);
	resolve_all(symbolizer, &dsos, data, size);
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
	return 0;
}
