#include "decode/trace/cscode.h"

#include "decode/process/maptree.h"

#include <unistd.h>

/* The code at @address: that of a JIT compiler lies over the rest. NULL: there is none. */
static const struct map *find_map(const struct map_set *maps, uint64_t address)
{
	struct map *const trees[] = {maps->code, maps->root};

	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		const struct map *map = maptree_from(trees[i], address);

		if (map && map->start <= address && map->is_code)
			return map;
	}
	return NULL;
}

size_t cscode_read(struct symbolizer *symbolizer, const struct map_set *maps, uint64_t address,
		   uint8_t *to, size_t len)
{
	const struct map *map = find_map(maps, address);
	struct codefiles *files = symbolizer_codefiles(symbolizer);
	const struct codefile *file;
	uint64_t place;
	ssize_t got;

	if (!map || !files)
		return 0;
	file = codefiles_get(files, map->dso);
	place = map_place(map, address);
	if (!file || file->fd < 0 || place >= file->size)
		return 0;
	if (len > map->end - address)
		len = (size_t)(map->end - address);
	got = pread(file->fd, to, len, (off_t)place);
	return got < 0 ? 0 : (size_t)got;
}
