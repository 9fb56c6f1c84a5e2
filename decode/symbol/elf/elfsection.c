#include "decode/symbol/elf/elfsection.h"

#include "decode/symbol/elf/elfpacked.h"
#include "util/helpers.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

static Elf_Scn *scn_of(const struct elffile *file, size_t number)
{
	return number ? elf_getscn(file->elf, number) : NULL;
}

/* Returns the bytes of @scn, or NULL, packed if they have not been unpacked yet. */
static struct span raw_bytes(const struct elffile *file, Elf_Scn *scn)
{
	Elf_Data *data = elf_rawdata(scn, NULL);

	if (!data || !data->d_buf)
		return span_make("", 0, file->swap);
	return span_make(data->d_buf, data->d_size, file->swap);
}

struct span elfsection_raw(const struct elffile *file, size_t number)
{
	return raw_bytes(file, scn_of(file, number));
}

/* True if @scn, or NULL, is compressed and was not unpacked whole; its header is in *@header. */
static bool is_packed(Elf_Scn *scn, GElf_Shdr *header)
{
	return scn && gelf_getshdr(scn, header) && header->sh_flags & SHF_COMPRESSED;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Returns the unpacked size of compressed section @scn, from its Elf_Chdr; 0 if unreadable. */
static uint64_t unpacked_size(Elf_Scn *scn)
{
	GElf_Chdr header;

	return gelf_getchdr(scn, &header) ? header.ch_size : 0;
}

/*
 * As unpacked_size() for a .zdebug section: it begins with "ZLIB" and the size, 8 bytes, the most
 * significant byte first.
 */
static uint64_t unpacked_size_gnu(const struct elffile *file, Elf_Scn *scn)
{
	struct span packed = raw_bytes(file, scn);
	uint64_t size = 0;

	if (span_left(&packed) < 12 || memcmp(packed.pos, "ZLIB", 4) != 0)
		return 0;
	for (size_t i = 4; i < 12; i++)
		size = size << 8 | packed.pos[i];
	return size;
}

uint64_t elfsection_size(const struct elffile *file, size_t number)
{
	Elf_Scn *scn = scn_of(file, number);
	GElf_Shdr header;

	if (!scn || file->sections[number].type == SHT_NOBITS || !gelf_getshdr(scn, &header))
		return 0;
	if (!(header.sh_flags & SHF_COMPRESSED) && !file->sections[number].is_zdebug)
		return header.sh_size;
	if (file->is_bloated)
		return 0;
	return file->sections[number].is_zdebug ? unpacked_size_gnu(file, scn) : unpacked_size(scn);
}

size_t elfsection_unpacked(const struct elffile *file)
{
	size_t bytes = 0;

	for (size_t i = 0; i < file->nr_sections; i++) {
		const struct elffile_section *section = &file->sections[i];

		if (section->unpacked)
			bytes += elfsection_size(file, i);
		for (size_t k = 0; k < section->nr_starts; k++)
			bytes += section->starts[k].size;
	}
	return bytes;
}

/* ---- whole sections -------------------------------------------------------------------------- */

static void replace_data(Elf_Data *data, void *bytes, uint64_t size)
{
	if (!data)
		return;
	data->d_buf = bytes;
	data->d_size = size;
	data->d_type = ELF_T_BYTE;
}

/*
 * Gives @scn, whose header is @header, its @size unpacked @bytes, which it takes and which may be
 * NULL, and clears its SHF_COMPRESSED. Returns false if it stays packed.
 */
static bool set_unpacked(const struct elffile *file, Elf_Scn *scn, GElf_Shdr *header, void *bytes,
			 uint64_t size)
{
	header->sh_size = size;
	header->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	if (!bytes || !gelf_update_shdr(scn, header)) {
		free(bytes);
		return false;
	}
	file->sections[elf_ndxscn(scn)].unpacked = bytes;
	replace_data(elf_rawdata(scn, NULL), bytes, size);
	return true;
}

/* Unpacks @scn without libelf. Returns false if it can't. */
static bool unpack_section(const struct elffile *file, Elf_Scn *scn, GElf_Shdr *header)
{
	uint64_t size;
	void *bytes = elfpacked_open(raw_bytes(file, scn), file->is_64bit, &size);

	return set_unpacked(file, scn, header, bytes, size);
}

/* Unpacks @scn if it is compressed. Returns false if it stays compressed. */
static bool ensure_unpacked(const struct elffile *file, Elf_Scn *scn)
{
	struct elffile_section *section = &file->sections[elf_ndxscn(scn)];
	GElf_Shdr header;

	if (!gelf_getshdr(scn, &header))
		return false;
	if (!(header.sh_flags & SHF_COMPRESSED) && !section->is_zdebug)
		return true;
	if (file->is_bloated)
		return false;
	if (section->is_zdebug) {
		section->is_zdebug = elf_compress_gnu(scn, 0, 0) < 0;
		return !section->is_zdebug;
	}
	return unpack_section(file, scn, &header) || elf_compress(scn, 0, 0) >= 0;
}

struct span elfsection_bytes(const struct elffile *file, size_t number)
{
	Elf_Scn *scn = scn_of(file, number);

	if (!scn || file->sections[number].type == SHT_NOBITS || !ensure_unpacked(file, scn))
		return span_make("", 0, file->swap);
	return raw_bytes(file, scn);
}

bool elfsection_replace(const struct elffile *file, size_t number, void *bytes)
{
	Elf_Scn *scn = scn_of(file, number);
	Elf_Data *raw = scn && ensure_unpacked(file, scn) ? elf_rawdata(scn, NULL) : NULL;

	if (!raw) {
		free(bytes);
		return false;
	}
	free(file->sections[number].unpacked);
	file->sections[number].unpacked = bytes;
	replace_data(raw, bytes, raw->d_size);
	return true;
}

void elfsection_free(struct elffile_section *section)
{
	free(section->unpacked);
	for (size_t i = 0; i < section->nr_starts; i++)
		free(section->starts[i].bytes);
}

/* ---- several at once ------------------------------------------------------------------------- */

/* A packed section, and what it becomes. */
struct packed_section {
	Elf_Scn *scn;
	GElf_Shdr header;
	struct span packed;
	bool is_64bit;
	void *bytes;
	uint64_t size;
};

/* Unpacks section @i of @arg. libelf is for one thread, so it is not used. */
static void unpack_one(void *arg, size_t i)
{
	struct packed_section *section = (struct packed_section *)arg + i;

	section->bytes = elfpacked_open(section->packed, section->is_64bit, &section->size);
}

void elfsection_unpack(const struct elffile *file, const size_t *numbers, size_t nr)
{
	struct packed_section sections[ELFSECTION_TOGETHER];
	size_t nr_packed = 0;

	for (size_t i = 0; i < nr && !file->is_bloated; i++) {
		struct packed_section *section = &sections[nr_packed];

		section->scn = scn_of(file, numbers[i]);
		if (!is_packed(section->scn, &section->header))
			continue;
		section->packed = raw_bytes(file, section->scn);
		section->is_64bit = file->is_64bit;
		nr_packed++;
	}
	helpers_share(file->helpers, unpack_one, sections, nr_packed);
	/* What stays packed may still be unpacked by libelf when it is asked for. */
	for (size_t i = 0; i < nr_packed; i++)
		(void)set_unpacked(file, sections[i].scn, &sections[i].header, sections[i].bytes,
				   sections[i].size);
}

/* ---- starts of sections ---------------------------------------------------------------------- */

/* The longest start that is unpacked alone: one of nearly all saves little, and takes twice as long
 * if the rest is needed. */
static uint64_t longest_start(uint64_t whole)
{
	return whole - whole / 4;
}

/* Returns the first @size bytes of @section if so many are unpacked; else NULL. */
static const void *unpacked_start(const struct elffile_section *section, uint64_t size)
{
	const struct elffile_start *last;

	if (section->nr_starts == 0)
		return NULL;
	last = &section->starts[section->nr_starts - 1];
	return last->size >= size ? last->bytes : NULL;
}

bool elfsection_start_is_whole(const struct elffile *file, size_t number, uint64_t size)
{
	Elf_Scn *scn = scn_of(file, number);
	GElf_Shdr header;

	return is_packed(scn, &header) && !unpacked_start(&file->sections[number], size) &&
	       size >= longest_start(unpacked_size(scn));
}

/* Unpacks the first @size bytes of @section, whose packed bytes are in @scn. NULL if it can't. */
static const void *unpack_start(const struct elffile *file, Elf_Scn *scn,
				struct elffile_section *section, uint64_t size)
{
	struct elffile_start *next = &section->starts[section->nr_starts];

	if (file->is_bloated ||
	    section->nr_starts == sizeof(section->starts) / sizeof(section->starts[0]))
		return NULL;
	next->bytes = elfpacked_start(raw_bytes(file, scn), file->is_64bit, size);
	next->size = size;
	section->nr_starts += next->bytes != NULL;
	return next->bytes;
}

/* Returns how much to unpack where @size of @whole bytes are asked for, if that is worth it. */
static uint64_t add_more(const struct elffile *file, uint64_t size, uint64_t whole)
{
	enum { MORE_SHARE = 16 };
	const uint64_t most = longest_start(whole);

	if (!file->expects_more)
		return size;
	return size + whole / MORE_SHARE < most ? size + whole / MORE_SHARE : most;
}

struct span elfsection_start(const struct elffile *file, size_t number, uint64_t size)
{
	Elf_Scn *scn = scn_of(file, number);
	struct span bytes;
	GElf_Shdr header;

	if (size == 0)
		return span_make("", 0, file->swap);
	if (is_packed(scn, &header)) {
		const uint64_t whole = unpacked_size(scn);
		const void *start = unpacked_start(&file->sections[number], size);

		if (!start && size < longest_start(whole))
			start = unpack_start(file, scn, &file->sections[number],
					     add_more(file, size, whole));
		if (start)
			return span_make(start, (size_t)size, file->swap);
	}
	bytes = elfsection_bytes(file, number);
	return size < span_left(&bytes) ? span_take(&bytes, (size_t)size) : bytes;
}
