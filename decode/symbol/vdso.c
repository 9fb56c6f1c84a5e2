/* The symbols of the code that the kernel maps into every process: ours, if it is the same build.
 */
#include "decode/symbol/source.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

/* Bytes of the ELF image at @image: section headers come last in it. */
static size_t image_size(const void *image)
{
	Elf64_Ehdr header;

	memcpy(&header, image, sizeof(header));
	if (header.e_ident[EI_CLASS] == ELFCLASS32) {
		Elf32_Ehdr small;

		memcpy(&small, image, sizeof(small));
		return (size_t)small.e_shoff + (size_t)small.e_shnum * small.e_shentsize;
	}
	return (size_t)header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
}

/* The image of this process, which every other one has too. */
static struct elf_file *open_own(bool *nomem)
{
	void *image =
		(void *)getauxval(AT_SYSINFO_EHDR); /* the kernel's word: no pointer of ours */

	return image ? elf_file_from_memory(image, image_size(image), nomem) : NULL;
}

int source_load_vdso(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	struct elf_file *own;
	bool nomem = false;

	if (!dso->build_id_len) {
		binary_set_reason(binary, REASON_FILE_MISSING);
		return 0;
	}
	own = open_own(&nomem);
	if (nomem)
		return -1;
	if (own && elf_has_build_id(own, dso->build_id, dso->build_id_len)) {
		binary->runtime = own;
		binary->origin =
			(struct symbol_origin){.file = "[vdso]", .found_by = "running-kernel"};
		return binary_read_elf(binary);
	}
	if (source_load_user(binary, dso, context) < 0) /* perf's cache keeps it, too */
		nomem = true;
	else if (own && binary->reason == REASON_FILE_MISSING)
		binary_set_reason(binary, REASON_BUILD_ID_MISMATCH);
	elf_file_close(own);
	return nomem ? -1 : 0;
}
