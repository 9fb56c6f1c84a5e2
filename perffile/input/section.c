#include "perffile/input/section.h"

#include <stdlib.h>

void *section_load(const struct section *section, struct source *source, bool swap,
		   struct span *span, struct error *err)
{
	uint64_t left = section->offset < source->size ? source->size - section->offset : 0;
	uint64_t size = section->size < left ? section->size : left;
	void *bytes;
	ssize_t got;

	if (size > SECTION_LOAD_MAX)
		size = SECTION_LOAD_MAX;
	bytes = malloc(size ? size : 1);
	if (!bytes) {
		error_nomem(err, "reading a section of the recording");
		return NULL;
	}
	got = source_read(source, section->offset, bytes, size, err);
	if (got < 0) {
		free(bytes);
		return NULL;
	}
	*span = span_make(bytes, (size_t)got, swap);
	return bytes;
}
