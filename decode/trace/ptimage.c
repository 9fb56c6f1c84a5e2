#include "decode/trace/ptimage.h"

#ifdef HAVE_LIBIPT

#include "decode/trace/ptshared.h"
#include "util/array.h"

#include <stdio.h>
#include <stdlib.h>

/* Bytes of sections that stay mapped while no decoder uses them. */
#define SECTIONS_BYTES ((uint64_t)1 << 30)

struct ptsections {
	struct pt_image_section_cache *cache;
	uint32_t nr_images; /* that were made so far */
};

struct ptsections *ptimage_sections_create(void)
{
	struct ptsections *sections = calloc(1, sizeof(*sections));

	if (!sections)
		return NULL;
	sections->cache = pt_iscache_alloc(NULL);
	if (!sections->cache) {
		free(sections);
		return NULL;
	}
	(void)pt_iscache_set_limit(sections->cache, SECTIONS_BYTES);
	return sections;
}

void ptimage_sections_destroy(struct ptsections *sections)
{
	if (sections)
		pt_iscache_free(sections->cache);
	free(sections);
}

/* Reads what is in no section. */
static int read_code(uint8_t *to, size_t len, const struct pt_asid *asid, uint64_t ip, void *arg)
{
	struct ptimage *image = arg;
	size_t got = ptfiles_read(&image->files, ip, to, len);

	(void)asid;
	if (!got && image->reader)
		got = image->reader->read(image->reader->arg, ip, to, len);
	return got ? (int)got : -pte_nomap;
}

struct ptimage *ptimage_create(struct ptsections *sections)
{
	struct ptimage *image = calloc(1, sizeof(*image));

	if (!image)
		return NULL;
	image->image = pt_image_alloc(NULL);
	if (!image->image) {
		free(image);
		return NULL;
	}
	(void)pt_image_set_callback(image->image, read_code, image);
	image->sections = sections;
	image->number = ++sections->nr_images;
	return image;
}

/* Takes note of a section. */
static bool note(struct ptimage *image, int number, uint64_t start, uint64_t size)
{
	if (!array_grow(image->list, image->room, image->nr + 1))
		return false;
	image->list[image->nr++] = (struct ptsection){start, size, (uint32_t)number};
	image->is_sorted = false;
	return true;
}

/*
 * The library opens files by their names, when it first reads of them: this name is the descriptor.
 * There may be no /proc, and too many files may be open. What was read once stays mapped.
 * Returns the number of the section, or at most 0.
 */
static int add_section(struct ptimage *image, int fd, uint64_t offset, uint64_t size,
		       uint64_t start)
{
	struct pt_image_section_cache *cache = image->sections->cache;
	int number, status;
	uint8_t byte;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	number = pt_iscache_add_file(cache, path, offset, size, start);
	if (number <= 0)
		return number;
	status = pt_iscache_read(cache, &byte, sizeof(byte), number, start);
	if (status >= 0)
		status = pt_image_add_cached(image->image, cache, number, NULL);
	return status < 0 ? status : number;
}

bool ptimage_add(struct ptimage *image, int fd, uint64_t offset, uint64_t size, uint64_t start)
{
	const struct ptfile file = {start, size, offset, fd};
	const int number = add_section(image, fd, offset, size, start);

	if (number == -pte_nomem)
		return false;
	return number > 0 ? note(image, number, start, size) : ptfiles_add(&image->files, &file);
}

void ptimage_read_by(struct ptimage *image, const struct ptimage_reader *reader)
{
	image->reader = reader;
}

static int compare_sections(const void *a, const void *b)
{
	const struct ptsection *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void sort(struct ptimage *image)
{
	if (image->nr)
		qsort(image->list, image->nr, sizeof(*image->list), compare_sections);
	for (size_t i = 1; i < image->nr; i++)
		if (image->list[i].start - image->list[i - 1].start < image->list[i - 1].size)
			image->overlaps = true;
	image->is_sorted = true;
}

/* The number of sections that begin at @ip or before. */
static size_t nr_up_to(struct ptimage *image, uint64_t ip)
{
	size_t low = 0, high = image->nr;

	if (!image->is_sorted)
		sort(image);
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (image->list[middle].start <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct ptsection *ptimage_find(struct ptimage *image, uint64_t ip)
{
	const size_t nr = nr_up_to(image, ip);
	const struct ptsection *before = nr ? &image->list[nr - 1] : NULL;
	struct ptsection *here = &image->here;

	if (before && ip - before->start < before->size)
		return before;
	here->start = before ? before->start + before->size : 0;
	here->size = (nr < image->nr ? image->list[nr].start : UINT64_MAX) - here->start;
	here->number = PTSECTION_NONE | image->number;
	return here;
}

void ptimage_destroy(struct ptimage *image)
{
	if (!image)
		return;
	pt_image_free(image->image);
	free(image->list);
	ptfiles_free(&image->files);
	free(image);
}

#endif
