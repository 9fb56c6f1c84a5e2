#include "decode/symbol/elf/note.h"

#include <elf.h>
#include <string.h>

/* Takes the next @len bytes and skips the padding after them, which the last note may lack. */
static struct span take_padded(struct span *notes, uint64_t len, uint64_t align)
{
	struct span part = span_take(notes, len);
	uint64_t padding = (align - len % align) % align;

	span_skip(notes, padding < span_left(notes) ? padding : span_left(notes));
	return part;
}

size_t note_build_id(struct span notes, uint64_t align, uint8_t id[DSO_BUILD_ID_MAX])
{
	align = align == 8 ? 8 : 4;
	while (span_left(&notes) && !notes.failed) {
		uint32_t name_len = span_u32(&notes);
		uint32_t desc_len = span_u32(&notes);
		uint32_t type = span_u32(&notes);
		struct span name = take_padded(&notes, name_len, align);
		struct span desc = take_padded(&notes, desc_len, align);
		size_t len = span_left(&desc);

		if (desc.failed || type != NT_GNU_BUILD_ID || span_left(&name) != 4 ||
		    memcmp(name.pos, "GNU", 4) != 0 || len == 0)
			continue;
		len = len < DSO_BUILD_ID_MAX ? len : DSO_BUILD_ID_MAX;
		memcpy(id, desc.pos, len);
		return len;
	}
	return 0;
}
