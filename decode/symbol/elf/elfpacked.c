#include "decode/symbol/elf/elfpacked.h"

#include "util/codec/unzlib.h"
#include "util/codec/unpack.h"
#include "util/largemem.h"

#include <stdlib.h>

enum { BY_ZLIB = 1, BY_ZSTD = 2 }; /* ch_type; ELFCOMPRESS_ZSTD is in glibc's elf.h since 2.37 */

static void *by_zlib(struct span packed, size_t size)
{
	void *bytes = largemem_get_all(size, size);

	if (bytes && unzlib(packed.pos, span_left(&packed), bytes, size))
		return bytes;
	free(bytes);
	return NULL;
}

static void *by_zstd(struct span packed, size_t size)
{
	bool nomem = false;
	size_t unpacked;
	void *bytes = unpack(packed, size, &unpacked, &nomem);

	if (!bytes || unpacked == size)
		return bytes;
	free(bytes);
	return NULL;
}

/* Takes the header off @section. Returns how it is packed; 0 if its *@size cannot be right. */
static uint32_t take_header(struct span *section, bool is_64bit, uint64_t *size)
{
	enum { MAX_RATIO = 1032 }; /* libelf's bound for zlib */
	const uint32_t type = span_u32(section);

	if (is_64bit)
		span_u32(section); /* reserved */
	*size = is_64bit ? span_u64(section) : span_u32(section);
	span_skip(section, is_64bit ? 8 : 4); /* alignment */
	if (section->failed || *size == 0 || *size / MAX_RATIO > span_left(section) ||
	    *size >= SIZE_MAX)
		return 0;
	return type;
}

void *elfpacked_open(struct span section, bool is_64bit, uint64_t *size)
{
	const uint32_t type = take_header(&section, is_64bit, size);

	if (type == BY_ZLIB)
		return by_zlib(section, (size_t)*size);
	return type == BY_ZSTD ? by_zstd(section, (size_t)*size) : NULL;
}

void *elfpacked_start(struct span section, bool is_64bit, uint64_t size)
{
	uint64_t whole;
	void *bytes;

	if (take_header(&section, is_64bit, &whole) != BY_ZLIB || whole < size ||
	    size > SIZE_MAX - UNZLIB_SPARE)
		return NULL;
	bytes = largemem_get_all((size_t)size + UNZLIB_SPARE, (size_t)size);
	if (bytes && unzlib_start(section.pos, span_left(&section), bytes, (size_t)size))
		return bytes;
	free(bytes);
	return NULL;
}
