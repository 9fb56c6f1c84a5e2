#include "decode/symbol/elf/minidebug.h"

#include "util/codec/unpack.h"

enum { MAX_BYTES = 256 * 1024 * 1024 }; /* of symbols; those of a browser have 20 MB */

struct elf_file *minidebug_open(const struct elf_file *file, bool *nomem)
{
	struct span packed = elf_section_bytes(file, elf_section_named(file, ".gnu_debugdata"));
	struct elf_file *unpacked;
	size_t size;
	void *bytes;

	if (!span_left(&packed))
		return NULL;
	bytes = unpack(packed, MAX_BYTES, &size, nomem);
	if (!bytes)
		return NULL;
	unpacked = elf_file_adopt(bytes, size, nomem);
	if (unpacked && (unpacked->is_truncated || unpacked->machine != file->machine)) {
		elf_file_close(unpacked);
		return NULL;
	}
	return unpacked;
}
