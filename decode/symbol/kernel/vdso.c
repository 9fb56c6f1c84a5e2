#include "decode/symbol/kernel/vdso.h"

#include "decode/symbol/find/user.h"
#include "decode/symbol/kernel/kernel.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

/* Returns the size of the ELF image at @image; the section headers are at its end. */
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

/* Opens the vdso of this process; other processes have the same one. */
static struct elffile *open_own(bool *nomem)
{
	void *image =
		(void *)getauxval(AT_SYSINFO_EHDR); /* the kernel gives the address as an integer */

	return image ? elffile_from_memory(image, image_size(image), nomem) : NULL;
}

/* Sets *@is to whether @own is the vdso recorded as @dso. -1 if memory is out. */
static int is_recorded(const struct elffile *own, const struct dso *dso,
		       struct load_context *context, bool *is)
{
	*is = false;
	if (!own)
		return 0;
	if (dso->build_id_len) {
		*is = elffile_has_build_id(own, dso->build_id, dso->build_id_len);
		return 0;
	}
	if (own->is_64bit == (dso->instance == DSO_VDSO_32))
		return 0;
	return kernel_runs(context->kernel, &context->settings, is);
}

struct elffile *vdso_open(const struct dso *dso, struct load_context *context, bool *nomem)
{
	struct elffile *own = open_own(nomem);
	bool is_own = false;

	if (!*nomem && is_recorded(own, dso, context, &is_own) < 0)
		*nomem = true;
	if (is_own && !*nomem)
		return own;
	elffile_close(own);
	return NULL;
}

static int use_own(struct binary *binary, struct elffile *own)
{
	binary->runtime = own;
	binary->origin = (struct symbol_origin){.file = "[vdso]", .found_by = "running-kernel"};
	return binary_read_elf(binary);
}

/* Looks for another vdso in the places of ordinary files; perf's build-id cache has vdsos, too. */
static int use_other(struct binary *binary, const struct elffile *own, const struct dso *dso,
		     struct load_context *context)
{
	if (!dso->build_id_len) {
		binary_set_reason(binary, REASON_VDSO_OTHER);
		return 0;
	}
	if (user_load(binary, dso, context) < 0)
		return -1;
	if (own && binary->reason == REASON_FILE_MISSING)
		binary_set_reason(binary, REASON_BUILD_ID_MISMATCH);
	return 0;
}

int vdso_load(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	bool nomem = false, is_own;
	struct elffile *own = open_own(&nomem);
	int rc;

	if (nomem)
		return -1;
	rc = is_recorded(own, dso, context, &is_own);
	if (rc == 0 && is_own)
		return use_own(binary, own);
	if (rc == 0)
		rc = use_other(binary, own, dso, context);
	elffile_close(own);
	return rc;
}
