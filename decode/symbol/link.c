#include "decode/symbol/link.h"

#include <string.h>

const char *link_debug(const struct elf_file *file, uint32_t *crc)
{
	struct span link = elf_section_bytes(file, elf_section_named(file, ".gnu_debuglink"));
	size_t len;
	const char *name = span_cstr(&link, &len);

	if (!name || len == 0 || strchr(name, '/'))
		return NULL;
	span_skip(&link, 3 - len % 4); /* the NUL and padding end at a multiple of 4 */
	*crc = span_u32(&link);
	return link.failed ? NULL : name;
}

const char *link_alternate(const struct elf_file *file, const uint8_t **build_id, size_t *len)
{
	struct span link = elf_section_bytes(file, elf_section_named(file, ".gnu_debugaltlink"));
	const char *name = span_cstr(&link, NULL);

	if (!name || !name[0] || span_left(&link) < 2)
		return NULL;
	*build_id = (const uint8_t *)link.pos;
	*len = span_left(&link) < DSO_BUILD_ID_MAX ? span_left(&link) : DSO_BUILD_ID_MAX;
	return name;
}
