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

int source_load_vdso(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	void *image =
		(void *)getauxval(AT_SYSINFO_EHDR); /* the kernel's word: no pointer of ours */
	struct elf_file *file;
	bool nomem = false;

	(void)context;
	if (!image || !dso->build_id_len) {
		binary_set_reason(binary, REASON_FILE_MISSING);
		return 0;
	}
	file = elf_file_from_memory(image, image_size(image), &nomem);
	if (nomem)
		return -1;
	if (file && elf_has_build_id(file, dso->build_id, dso->build_id_len)) {
		binary->runtime = file;
		return binary_read_elf(binary);
	}
	binary_set_reason(binary, file ? REASON_BUILD_ID_MISMATCH : REASON_FILE_MISSING);
	elf_file_close(file);
	return 0;
}
