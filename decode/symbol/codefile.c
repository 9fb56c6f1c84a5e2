#include "decode/symbol/codefile.h"

#include "decode/symbol/file/file.h"
#include "decode/symbol/find/loadcontext.h"
#include "decode/symbol/find/locate.h"
#include "decode/symbol/kernel/vdso.h"
#include "util/array.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Files that stay open; of more dsos the code is not read. */
enum { FILES_MAX = 512 };

struct known_file {
	bool is_known;
	struct codefile file;
};

struct codefiles {
	struct load_context *context;
	struct known_file *list; /* by the dso's number */
	size_t nr, room, nr_open;
	struct intern strings; /* paths of the files that were tried */
};

struct codefiles *codefiles_create(struct load_context *context)
{
	struct codefiles *files = calloc(1, sizeof(*files));

	if (files)
		files->context = context;
	return files;
}

/* Writes @image to a file in memory. Returns its descriptor, -1 if that failed. */
static int copy_to_memory(struct span image)
{
	const int fd = memfd_create("code", MFD_CLOEXEC);

	while (fd >= 0 && span_left(&image) > 0) {
		const ssize_t put = write(fd, image.pos, span_left(&image));

		if (put <= 0) {
			close(fd);
			return -1;
		}
		span_skip(&image, (uint64_t)put);
	}
	return fd;
}

int codefile_open_elf(const struct elffile *elf)
{
	struct file_stamp stamp;
	int fd;

	if (!elf->path || elf->packed || elf->image)
		return copy_to_memory(elffile_image(elf));
	if (file_open_in(elf->root, elf->path, &fd) != FILE_OPEN)
		return -1;
	stamp = file_stamp_of(fd);
	if (file_stamp_same(&stamp, &elf->stamp))
		return fd;
	close(fd);
	return -1;
}

static void take_elf(struct codefile *file, const struct elffile *elf)
{
	file->fd = elffile_lacks_code(elf) ? -1 : codefile_open_elf(elf);
	file->reason = file->fd < 0 ? REASON_FILE_MISSING : REASON_NONE;
}

/* Returns -1 if memory is out. */
static int open_elf(struct codefiles *files, const struct dso *dso, struct codefile *file)
{
	const struct load_context *context = files->context;
	struct located found = {0};
	bool nomem = false;

	if (dso->kind == DSO_VDSO)
		found.runtime = vdso_open(dso, files->context, &nomem);
	if (!found.runtime && !nomem && (dso->kind == DSO_USER || dso->build_id_len))
		file->reason = locate_files(dso, &context->settings, context->servers, NULL,
					    &files->strings, &found, &nomem);
	if (found.runtime)
		take_elf(file, found.runtime);
	elffile_close(found.runtime);
	elffile_close(found.debug);
	elffile_close(found.alternate);
	elffile_close(found.package);
	return nomem ? -1 : 0;
}

/* Anybody may write where jitdumps are, so the file's owner is checked. */
static void open_dump(const struct dso *dso, struct codefile *file)
{
	struct file_bytes dump = {0};

	file->reason = REASON_FILE_MISSING;
	if (file_map_own(dso->root, dso->path, &dump) != FILE_OPEN)
		return;
	if (dump.bytes)
		file->fd = copy_to_memory(span_make(dump.bytes, dump.size, false));
	if (file->fd >= 0)
		file->bytes = mmap(NULL, dump.size, PROT_READ, MAP_SHARED, file->fd, 0);
	if (file->bytes == MAP_FAILED)
		file->bytes = NULL;
	file_unmap(&dump);
}

static void close_file(struct codefile *file)
{
	if (file->bytes)
		munmap((void *)(uintptr_t)file->bytes, file->size);
	if (file->fd >= 0)
		close(file->fd);
}

static int open_file(struct codefiles *files, const struct dso *dso, struct codefile *file)
{
	int rc = 0;

	*file = (struct codefile){.fd = -1, .reason = REASON_NO_FILE};
	if (files->nr_open == FILES_MAX)
		return 0;
	if (dso->kind == DSO_USER && dso->replaced)
		file->reason = REASON_FILE_REPLACED;
	else if (dso->kind == DSO_USER || dso->kind == DSO_VDSO)
		rc = open_elf(files, dso, file);
	else if (dso->kind == DSO_JITDUMP)
		open_dump(dso, file);
	if (file->fd < 0)
		return rc;
	files->nr_open++;
	file->reason = REASON_NONE;
	file->size = file_stamp_of(file->fd).size;
	return rc;
}

const struct codefile *codefiles_get(struct codefiles *files, const struct dso *dso)
{
	struct known_file *known;

	if (!array_grow(files->list, files->room, (size_t)dso->number + 1))
		return NULL;
	while (files->nr <= dso->number)
		files->list[files->nr++] = (struct known_file){0};
	known = &files->list[dso->number];
	if (!known->is_known && open_file(files, dso, &known->file) < 0)
		return NULL;
	known->is_known = true;
	return &known->file;
}

void codefiles_destroy(struct codefiles *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->nr; i++)
		if (files->list[i].is_known)
			close_file(&files->list[i].file);
	free(files->list);
	intern_free(&files->strings);
	free(files);
}
