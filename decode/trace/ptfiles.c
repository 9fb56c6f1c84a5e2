#include "decode/trace/ptfiles.h"

#include "util/array.h"

#include <stdlib.h>
#include <unistd.h>

bool ptfiles_add(struct ptfiles *files, const struct ptfile *file)
{
	if (!array_grow(files->list, files->room, files->nr + 1))
		return false;
	files->list[files->nr++] = *file;
	files->is_sorted = false;
	return true;
}

static int compare_files(const void *a, const void *b)
{
	const struct ptfile *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* The last file that begins at @ip or before; NULL if there is none. */
static const struct ptfile *last_up_to(struct ptfiles *files, uint64_t ip)
{
	size_t low = 0, high = files->nr;

	if (!files->is_sorted && files->nr)
		qsort(files->list, files->nr, sizeof(*files->list), compare_files);
	files->is_sorted = true;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (files->list[middle].start <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &files->list[low - 1] : NULL;
}

size_t ptfiles_read(struct ptfiles *files, uint64_t ip, uint8_t *to, size_t len)
{
	const struct ptfile *file = last_up_to(files, ip);
	const uint64_t at = file ? ip - file->start : 0;
	ssize_t got;

	if (!file || at >= file->size)
		return 0;
	if (len > file->size - at)
		len = (size_t)(file->size - at);
	got = pread(file->fd, to, len, (off_t)(file->offset + at));
	return got > 0 ? (size_t)got : 0;
}

void ptfiles_free(struct ptfiles *files)
{
	free(files->list);
	*files = (struct ptfiles){0};
}
