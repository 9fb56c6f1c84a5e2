#include "decode/symbol/kernelcode.h"

#include "decode/symbol/codefile.h"
#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/find/candidate.h"
#include "decode/symbol/find/loadcontext.h"
#include "decode/symbol/kernel/kernel.h"
#include "decode/symbol/kernel/kernelfile.h"
#include "decode/symbol/kernel/vmlinux.h"
#include "util/array.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	PARTS_MAX = 4096, /* the kernel and its modules */
	HEADERS_MAX = 1 << 16,
	COPY_AT_ONCE = 1 << 13,
};

/* The text of the running kernel that is copied; it has some tens of MB. */
#define COPY_MAX ((uint64_t)128 << 20)

/* ---- parts ----------------------------------------------------------------------------------- */

static bool add_part(struct kernelcode *code, const struct kernelcode_part *part)
{
	/* The addresses of processes are not the kernel's. */
	if (!(part->address >> 63) || part->size == 0 || part->size >= -part->address ||
	    code->nr == PARTS_MAX)
		return true;
	if (!array_grow(code->parts, code->room, code->nr + 1))
		return false;
	code->parts[code->nr++] = *part;
	return true;
}

/* Adds the code in @elf, of which an address plus @shift is its own. Returns false if memory is
 * out. */
static bool add_segments(struct kernelcode *code, const struct elffile *elf, uint64_t shift)
{
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct elffile_segment *segment = &elf->segments[i];
		const struct kernelcode_part part = {segment->addr - shift, segment->offset,
						     segment->size};

		if (segment->executable && !add_part(code, &part))
			return false;
	}
	return true;
}

/* ---- the recording's copy -------------------------------------------------------------------- */

/* Returns false if memory is out. */
static bool take_copy(struct kernelcode *code, const char *dir)
{
	struct elffile *elf = NULL;
	char path[PATH_MAX];
	bool nomem = false, ok;
	int fd;

	if (!dir || (size_t)snprintf(path, sizeof(path), "%s/kcore", dir) >= sizeof(path) ||
	    file_open_in(NULL, path, &fd) != FILE_OPEN)
		return true;
	code->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	elf = elffile_open(fd, &nomem);
	ok = !nomem && (!elf || add_segments(code, elf, 0));
	elffile_close(elf);
	return ok;
}

/* ---- the running kernel's memory ------------------------------------------------------------- */

/* The headers of the file @fd. NULL if it has none, or with *@nomem: memory is out. */
static struct elffile *read_headers(int fd, bool *nomem)
{
	uint8_t *bytes = malloc(HEADERS_MAX);
	ssize_t got;

	*nomem = !bytes;
	if (!bytes)
		return NULL;
	got = pread(fd, bytes, HEADERS_MAX, 0);
	if (got > 0)
		return elffile_adopt(bytes, (size_t)got, nomem);
	free(bytes);
	return NULL;
}

/* Copies [@offset, @offset + @size) of @from to @to, as far as it can be read. Returns how many
 * bytes. */
static uint64_t copy_bytes(int to, int from, uint64_t offset, uint64_t size)
{
	uint8_t bytes[COPY_AT_ONCE];
	uint64_t done = 0;

	while (done < size) {
		const size_t want =
			size - done < sizeof(bytes) ? (size_t)(size - done) : sizeof(bytes);
		const ssize_t got = pread(from, bytes, want, (off_t)(offset + done));

		if (got <= 0 || write(to, bytes, (size_t)got) != got)
			break;
		done += (uint64_t)got;
	}
	return done;
}

/*
 * Copies the segment with @address out of @fd. The kernel was @shift before where it is now.
 * Returns false if memory is out.
 */
static bool copy_text(struct kernelcode *code, int fd, uint64_t address, uint64_t shift)
{
	bool nomem, ok = true;
	struct elffile *elf = read_headers(fd, &nomem);

	for (size_t i = 0; elf && i < elf->nr_segments; i++) {
		const struct elffile_segment *segment = &elf->segments[i];
		struct kernelcode_part part = {.address = segment->addr - shift};

		if (address < segment->addr || address - segment->addr >= segment->size)
			continue;
		code->fd = memfd_create("kernel", MFD_CLOEXEC);
		part.size = segment->size < COPY_MAX ? segment->size : COPY_MAX;
		part.size = code->fd < 0 ? 0 : copy_bytes(code->fd, fd, segment->offset, part.size);
		ok = add_part(code, &part);
		break;
	}
	elffile_close(elf);
	return ok && !nomem;
}

static bool take_running(struct kernelcode *code, const struct load_context *context,
			 const char *kcore)
{
	const struct symbol_settings *settings = &context->settings;
	const struct dso *dso = context->kernel->recorded.dso;
	uint64_t shift;
	bool ok;
	int fd;

	if (settings->symfs || settings->vmlinux || settings->kallsyms || !dso->reference_address)
		return true;
	if (kernel_load(context->kernel, settings) < 0)
		return false;
	fd = context->kernel->is_running ? open(kcore, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return true;
	/* It is at another place since it was booted again. */
	shift = context->kernel->shift;
	ok = copy_text(code, fd, dso->reference_address + shift, shift);
	close(fd);
	return ok;
}

/* ---- vmlinux --------------------------------------------------------------------------------- */

static bool take_vmlinux(struct kernelcode *code, struct load_context *context)
{
	const struct dso *dso = context->kernel->recorded.dso;
	const struct kernelfile_query query = {
		.settings = &context->settings,
		.release = context->kernel->recorded.release,
		.symbol = dso->reference_symbol,
		.for_code = true,
		.build_id = dso->build_id,
		.build_id_len = dso->build_id_len,
	};
	struct intern strings = {0};
	struct candidates tried = {.strings = &strings, .archive = context->settings.archive};
	struct symbol_origin origin = {0};
	bool nomem = false, ok = true;
	struct elffile *elf;

	if (!dso->build_id_len || !dso->reference_address || !dso->reference_symbol)
		return true;
	elf = kernelfile_vmlinux(&query, &tried, &origin, &nomem);
	if (elf) {
		code->fd = codefile_open_elf(elf);
		ok = add_segments(code, elf, vmlinux_shift(elf, dso));
	}
	elffile_close(elf);
	candidates_free(&tried);
	intern_free(&strings);
	return ok && !nomem;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Whether there is code; else nothing is open. */
static bool has_code(struct kernelcode *code)
{
	if (code->fd >= 0 && code->nr > 0)
		return true;
	if (code->fd >= 0)
		close(code->fd);
	code->fd = -1;
	code->nr = 0;
	return false;
}

static bool find(struct kernelcode *code, struct load_context *context, const char *kcore)
{
	if (!take_copy(code, context->kernel->recorded.kcore_dir))
		return false;
	if (has_code(code) || !context->kernel->recorded.dso)
		return true;
	if (!take_running(code, context, kcore))
		return false;
	if (has_code(code))
		return true;
	if (!take_vmlinux(code, context))
		return false;
	(void)has_code(code);
	return true;
}

struct kernelcode *kernelcode_create(struct load_context *context, const char *kcore)
{
	struct kernelcode *code = calloc(1, sizeof(*code));

	if (!code)
		return NULL;
	code->fd = -1;
	if (find(code, context, kcore))
		return code;
	kernelcode_destroy(code);
	return NULL;
}

void kernelcode_destroy(struct kernelcode *code)
{
	if (!code)
		return;
	if (code->fd >= 0)
		close(code->fd);
	free(code->parts);
	free(code);
}
