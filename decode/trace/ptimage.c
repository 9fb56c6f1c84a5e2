#include "decode/trace/ptimage.h"

#ifdef HAVE_LIBIPT

#include "decode/trace/ptlibrary.h"
#include "util/array.h"

#include <stdio.h>
#include <stdlib.h>

/* Bytes of sections that stay mapped while no decoder uses them. */
#define SECTIONS_BYTES ((uint64_t)1 << 30)

struct ptsections *ptsections_create(void)
{
	struct ptsections *sections = calloc(1, sizeof(*sections));

	if (!sections)
		return NULL;
	sections->cache = pt_iscache_alloc(NULL);
	if (!sections->cache || !ptcodes_init(&sections->codes)) {
		ptsections_destroy(sections);
		return NULL;
	}
	(void)pt_iscache_set_limit(sections->cache, SECTIONS_BYTES);
	return sections;
}

void ptsections_destroy(struct ptsections *sections)
{
	if (!sections)
		return;
	ptcodes_free(&sections->codes);
	pt_iscache_free(sections->cache);
	free(sections);
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

bool ptimage_add(struct ptimage *image, int fd, uint64_t offset, uint64_t size,
			uint64_t start)
{
	struct pt_image_section_cache *cache = image->sections->cache;
	int number, status;
	char path[32];

	/* The library opens files by their names: this name is the descriptor. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	number = pt_iscache_add_file(cache, path, offset, size, start);
	if (number <= 0)
		return number != -pte_nomem;
	status = pt_image_add_cached(image->image, cache, number, NULL);
	if (status < 0)
		return status != -pte_nomem;
	return note(image, number, start, size);
}

static int read_code(uint8_t *to, size_t len, const struct pt_asid *asid, uint64_t ip, void *arg)
{
	const struct ptimage_reader *reader = arg;
	const size_t got = reader->read(reader->arg, ip, to, len);

	(void)asid;
	return got ? (int)got : -pte_nomap;
}

void ptimage_read_by(struct ptimage *image, const struct ptimage_reader *reader)
{
	(void)pt_image_set_callback(image->image, read_code, (void *)(uintptr_t)reader);
}

void ptimage_destroy(struct ptimage *image)
{
	if (!image)
		return;
	ptcodes_forget(&image->sections->codes, image);
	pt_image_free(image->image);
	free(image->list);
	free(image);
}

#endif
