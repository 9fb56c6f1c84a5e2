#include "decode/trace/tracecode.h"

#include "decode/process/maptree.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

/* Mappings of an image; a process has some hundreds. */
enum { SECTIONS_MAX = 1 << 16 };

bool tracecode_init(struct tracecode *code, const struct addrspaces *spaces,
		    struct symbolizer *symbolizer)
{
	*code = (struct tracecode){.spaces = spaces, .symbolizer = symbolizer};
	code->spots = calloc(TRACECODE_SPOTS, sizeof(*code->spots));
	code->sections = ptdecode_sections_create();
	return code->spots && code->sections;
}

/* ---- functions ------------------------------------------------------------------------------- */

static bool is_kernel(uint64_t ip)
{
	return ip >> 63;
}

struct location tracecode_locate(const struct tracecode *code, struct map_set *maps, uint64_t ip)
{
	const struct process process = {.maps = maps};

	return addrspaces_locate(code->spaces, &process,
				 is_kernel(ip) ? CPUMODE_KERNEL : CPUMODE_USER, ip);
}

/* The number of the function that starts at @start; UINT32_MAX if memory is out. */
static uint32_t function_of(struct tracecode *code, const struct dso *dso,
			    const struct symbol *symbol, uint64_t start)
{
	const uint64_t hash =
		hash_add(hash_u64(start), (uint64_t)dso->number << 8 | symbol->reason);
	struct index *ix = &code->by_start;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct trace_function *function = &code->functions[number];

		if (function->dso == dso && function->start == start &&
		    function->symbol->reason == symbol->reason)
			return number;
	}
	if (!array_grow(code->functions, code->functions_room, ix->nr + 1) || !index_add(ix, hash))
		return UINT32_MAX;
	code->functions[ix->nr - 1] = (struct trace_function){dso, symbol, start, false};
	return (uint32_t)(ix->nr - 1);
}

const struct trace_spot *tracecode_look_up(struct tracecode *code, struct map_set *maps,
					   uint64_t ip, struct error *err)
{
	struct trace_spot *spot = &code->spots[(ip ^ ip >> 15) % TRACECODE_SPOTS];
	const struct location at = tracecode_locate(code, maps, ip);
	struct symbol_extent extent = {0};
	const struct symbol *symbol;
	bool named;

	symbol = symbolizer_function(code->symbolizer, at.dso, at.place, &extent, err);
	if (!symbol)
		return NULL;
	named = symbol->reason == REASON_NONE;
	*spot = (struct trace_spot){
		.ip = ip,
		.maps = maps,
		.end = named && extent.end > at.place ? ip + (extent.end - at.place) : UINT64_MAX,
		.function = function_of(code, at.dso, symbol, named ? extent.start : 0),
		.is_entry = named && extent.start == at.place,
	};
	if (spot->function != UINT32_MAX)
		return spot;
	spot->maps = NULL;
	error_nomem(err, "decoding the hardware trace");
	return NULL;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Adds what @map maps, as far as its file has it. Returns false if memory is out. */
static bool add_map(struct tracecode *code, struct ptdecode_image *image, const struct map *map)
{
	struct codefiles *files = symbolizer_codefiles(code->symbolizer);
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
	return ptdecode_image_add(code->sections, image, file->fd, map->pgoff, size, map->start);
}

/* Adds all maps of a tree; later ones displace earlier ones. */
static bool add_tree(struct tracecode *code, struct ptdecode_image *image, struct map *root)
{
	const struct map *map = maptree_from(root, 0);

	for (size_t nr = 0; map && nr < SECTIONS_MAX; nr++) {
		if (!add_map(code, image, map))
			return false;
		map = map->end == UINT64_MAX ? NULL : maptree_from(root, map->end);
	}
	return true;
}

static void drop_image(struct trace_image *image)
{
	ptdecode_image_destroy(image->image);
	map_set_release(image->maps);
	*image = (struct trace_image){0};
}

static bool fill_image(struct tracecode *code, struct trace_image *image, struct map_set *maps)
{
	image->maps = map_set_share(maps);
	image->image = ptdecode_image_create();
	return image->image && add_tree(code, image->image, maps->root) &&
	       add_tree(code, image->image, maps->code);
}

struct ptdecode_image *tracecode_image(struct tracecode *code, struct map_set *maps)
{
	struct trace_image *image = &code->images[0];

	for (size_t i = 0; i < TRACECODE_IMAGES && image->maps != maps; i++)
		if (code->images[i].maps == maps || code->images[i].used < image->used)
			image = &code->images[i];
	if (image->maps != maps) {
		drop_image(image);
		if (!fill_image(code, image, maps)) {
			drop_image(image);
			return NULL;
		}
	}
	image->used = ++code->uses;
	return image->image;
}

void tracecode_free(struct tracecode *code)
{
	for (size_t i = 0; i < TRACECODE_IMAGES; i++)
		drop_image(&code->images[i]);
	ptdecode_sections_destroy(code->sections);
	free(code->functions);
	free(code->spots);
	index_free(&code->by_start);
	*code = (struct tracecode){0};
}
