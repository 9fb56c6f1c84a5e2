#include "decode/symbol/elf/minidebug.h"

#include "decode/symbol/elf/elfsection.h"
#include "util/codec/unpack.h"

enum { MAX_BYTES = 256 * 1024 * 1024 }; /* unpacked; a browser has 20 MB */

struct elffile *minidebug_open(const struct elffile *file, bool *nomem)
{
	struct span packed = elfsection_bytes(file, elffile_section_named(file, ".gnu_debugdata"));
	struct elffile *unpacked;
	size_t size;
	void *bytes;

	if (!span_left(&packed))
		return NULL;
	bytes = unpack(packed, MAX_BYTES, &size, nomem);
	if (!bytes)
		return NULL;
	unpacked = elffile_adopt(bytes, size, nomem);
	if (unpacked && (unpacked->is_truncated || unpacked->machine != file->machine)) {
		elffile_close(unpacked);
		return NULL;
	}
	return unpacked;
}
