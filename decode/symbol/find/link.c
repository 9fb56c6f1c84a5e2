#include "decode/symbol/find/link.h"

#include "decode/symbol/elf/elfsection.h"
#include "util/leb.h"

#include <string.h>

const char *link_debug(const struct elffile *file, uint32_t *crc)
{
	struct span link = elfsection_bytes(file, elffile_section_named(file, ".gnu_debuglink"));
	size_t len;
	const char *name = span_cstr(&link, &len);

	if (!name || len == 0 || strchr(name, '/'))
		return NULL;
	span_skip(&link, 3 - len % 4); /* the NUL and the padding end at a multiple of 4 */
	*crc = span_u32(&link);
	return link.failed ? NULL : name;
}

/* The contents of .debug_sup: DWARF 5, section 7.3.6. */
struct supplement {
	bool is_supplementary; /* this file is the supplementary one */
	const char *name;
	struct span id;
};

static bool read_supplement(const struct elffile *file, struct supplement *supplement)
{
	struct span s = elfsection_bytes(file, elffile_section_named(file, ".debug_sup"));
	uint16_t version = span_u16(&s);

	supplement->is_supplementary = span_u8(&s);
	supplement->name = span_cstr(&s, NULL);
	supplement->id = span_take(&s, span_uleb(&s));
	return !s.failed && version == 5;
}

const char *link_alternate(const struct elffile *file, const uint8_t **id, size_t *len)
{
	struct span link = elfsection_bytes(file, elffile_section_named(file, ".gnu_debugaltlink"));
	const char *name = span_cstr(&link, NULL);
	struct supplement supplement;

	if (!name && read_supplement(file, &supplement) && !supplement.is_supplementary) {
		name = supplement.name;
		link = supplement.id;
	}
	if (!name || !name[0] || span_left(&link) < 2)
		return NULL;
	*id = link.pos;
	*len = span_left(&link) < DSO_BUILD_ID_MAX ? span_left(&link) : DSO_BUILD_ID_MAX;
	return name;
}

bool link_is_alternate(const struct elffile *file, const uint8_t *id, size_t len)
{
	struct supplement supplement;

	if (elffile_has_build_id(file, id, len))
		return true;
	return read_supplement(file, &supplement) && supplement.is_supplementary &&
	       span_left(&supplement.id) >= len && memcmp(supplement.id.pos, id, len) == 0;
}
