#include "decode/trace/traceimage.h"

#include "decode/process/maptree.h"

#include <string.h>
#include <unistd.h>

/* Sections of an image. */
enum {
	SECTIONS_MAX = 1 << 16,	       /* a process has some hundreds of mappings */
	KERNEL_SECTIONS_MAX = 1 << 13, /* the kernel has some tens of segments */
};

bool traceimages_init(struct traceimages *images, struct symbolizer *symbolizer,
		      pthread_mutex_t *lock, const struct tracepokes *pokes)
{
	*images = (struct traceimages){.symbolizer = symbolizer, .lock = lock, .pokes = pokes};
	images->sections = ptimage_sections_create();
	images->codes = ptcode_open();
	return images->sections && images->codes;
}

/* Adds what @map maps, as far as its file has it. Returns false if memory is out. */
static bool add_map(struct traceimages *images, struct ptimage *image, const struct map *map)
{
	struct codefiles *files = symbolizer_codefiles(images->symbolizer);
	const struct codefile *file;
	uint64_t size = map->end - map->start;

	if (!map->is_code)
		return true;
	file = files ? codefiles_get(files, map->dso) : NULL;
	if (!file)
		return false;
	if (file->fd < 0 || map->pgoff >= file->size)
		return true;
	if (size > file->size - map->pgoff)
		size = file->size - map->pgoff;
	return ptimage_add(image, file->fd, map->pgoff, size, map->start);
}

/* Adds [@start, @end) of a part of the kernel's code, if there are not too many of the *@nr
 * sections. Returns false if memory is out. */
static bool add_part(struct trace_image *image, const struct kernelcode_part *part, uint64_t start,
		     uint64_t end, size_t *nr)
{
	struct traceimages *images = image->images;

	if (start >= end || *nr == KERNEL_SECTIONS_MAX)
		return true;
	++*nr;
	return ptimage_add(image->image, images->kernel->fd, part->offset + (start - part->address),
			   end - start, start);
}

/* As add_part() for a whole part, without what changes. */
static bool add_unchanged(struct trace_image *image, const struct kernelcode_part *part, size_t *nr)
{
	const struct tracepokes *pokes = image->images->pokes;
	const uint64_t end = part->address + part->size;
	uint64_t at = part->address;

	for (size_t i = 0; i < pokes->nr_ranges; i++) {
		const struct trace_range *range = &pokes->ranges[i];

		if (range->end <= at || range->start >= end)
			continue;
		if (!add_part(image, part, at, range->start, nr))
			return false;
		at = range->end;
	}
	return add_part(image, part, at, end, nr);
}

/* Adds the kernel's code, which is the same for all processes. Returns false if memory is out. */
static bool add_kernel(struct traceimages *images, struct trace_image *image)
{
	size_t nr = 0;

	if (!images->pokes)
		return true;
	images->kernel = symbolizer_kernelcode(images->symbolizer);
	for (size_t i = 0; images->kernel && i < images->kernel->nr; i++)
		if (!add_unchanged(image, &images->kernel->parts[i], &nr))
			return false;
	return images->kernel;
}

/* Adds all maps of a tree. */
static bool add_tree(struct traceimages *images, struct ptimage *image, struct map *root)
{
	const struct map *map = maptree_from(root, 0);

	for (size_t nr = 0; map && nr < SECTIONS_MAX; nr++) {
		if (!add_map(images, image, map))
			return false;
		map = map->end == UINT64_MAX ? NULL : maptree_from(root, map->end);
	}
	return true;
}

/*
 * Finds the code at @ip that was made at run time, and the bytes of its dump. There may be tens of
 * thousands of such pieces, which is too many for sections.
 */
static bool find_code(struct trace_image *image, uint64_t ip)
{
	const struct map *map = maptree_from(image->maps->code, ip);
	const struct codefile *file;
	struct codefiles *files;

	image->code = NULL;
	if (!map || map->start > ip)
		return false;
	pthread_mutex_lock(image->images->lock);
	files = symbolizer_codefiles(image->images->symbolizer);
	file = files ? codefiles_get(files, map->dso) : NULL;
	image->bytes = file ? file->bytes : NULL;
	image->size = image->bytes ? file->size : 0;
	pthread_mutex_unlock(image->images->lock);
	image->code = map;
	return true;
}

/* Reads the page with @ip of the kernel's code, as far as its file has it. */
static void read_page(struct traceimages *images, uint64_t ip)
{
	const struct kernelcode *code = images->kernel;
	struct trace_page *page = &images->page;

	page->address = ip & ~(uint64_t)(TRACEIMAGE_PAGE - 1);
	page->nr = 0;
	for (size_t i = 0; i < code->nr; i++) {
		const struct kernelcode_part *part = &code->parts[i];
		const uint64_t before = ip - part->address;
		uint64_t len = sizeof(page->bytes);
		ssize_t got;

		if (ip < part->address || before >= part->size)
			continue;
		if (page->address < part->address)
			page->address = part->address;
		if (len > part->size - (page->address - part->address))
			len = part->size - (page->address - part->address);
		got = pread(code->fd, page->bytes, (size_t)len,
			    (off_t)(part->offset + (page->address - part->address)));
		page->nr = got > 0 ? (size_t)got : 0;
		return;
	}
	page->address = 0;
}

/* Reads code of the kernel, as changes have it at the time. */
static size_t read_kernel(struct traceimages *images, uint64_t ip, uint8_t *to, size_t len)
{
	struct trace_page *page = &images->page;
	size_t got = 0;

	if (!page->address || ip < page->address || ip - page->address >= TRACEIMAGE_PAGE)
		read_page(images, ip);
	if (ip - page->address < page->nr)
		got = page->nr - (size_t)(ip - page->address);
	if (got > len)
		got = len;
	if (got)
		memcpy(to, page->bytes + (ip - page->address), got);
	return tracepokes_apply(images->pokes, images->time, ip, to, got, len);
}

static size_t read_code(void *arg, uint64_t ip, uint8_t *to, size_t len)
{
	struct trace_image *image = arg;
	uint64_t place;

	if (ip >> 63)
		return image->images->pokes ? read_kernel(image->images, ip, to, len) : 0;
	if ((!image->code || ip < image->code->start || ip >= image->code->end) &&
	    !find_code(image, ip))
		return 0;
	place = map_place(image->code, ip);
	if (place >= image->size)
		return 0;
	if (len > image->code->end - ip)
		len = (size_t)(image->code->end - ip);
	if (len > image->size - place)
		len = (size_t)(image->size - place);
	memcpy(to, image->bytes + place, len);
	return len;
}

static void drop(struct trace_image *image)
{
	ptimage_destroy(image->image);
	map_set_release(image->maps);
	*image = (struct trace_image){0};
}

static bool fill(struct traceimages *images, struct trace_image *image, struct map_set *maps)
{
	image->images = images;
	image->maps = map_set_share(maps);
	image->image = ptimage_create(images->sections);
	if (!image->image || !add_kernel(images, image) ||
	    !add_tree(images, image->image, maps->root))
		return false;
	image->reader = (struct ptimage_reader){read_code, image};
	ptimage_read_by(image->image, &image->reader);
	return true;
}

/* Puts the code in @maps in the place of @image. Returns false if memory is out. */
static bool replace(struct traceimages *images, struct trace_image *image, struct map_set *maps)
{
	bool ok;

	pthread_mutex_lock(images->lock);
	images->replaced += image->image != NULL;
	drop(image);
	ok = fill(images, image, maps);
	if (!ok)
		drop(image);
	pthread_mutex_unlock(images->lock);
	return ok;
}

struct ptimage *traceimages_get(struct traceimages *images, struct map_set *maps)
{
	struct trace_image *image = &images->list[0];

	for (size_t i = 0; i < TRACEIMAGES_MAX && image->maps != maps; i++)
		if (images->list[i].maps == maps || images->list[i].used < image->used)
			image = &images->list[i];
	if (image->maps != maps && !replace(images, image, maps))
		return NULL;
	image->used = ++images->uses;
	return image->image;
}

void traceimages_free(struct traceimages *images)
{
	for (size_t i = 0; i < TRACEIMAGES_MAX; i++)
		drop(&images->list[i]);
	ptcode_close(images->codes);
	ptimage_sections_destroy(images->sections);
	*images = (struct traceimages){0};
}
