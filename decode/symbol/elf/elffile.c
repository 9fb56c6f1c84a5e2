#include "decode/symbol/elf/elffile.h"

#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/elf/note.h"
#include "decode/symbol/elf/strtab.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MAX_SEGMENTS = 4096, /* each lookup of an address visits all of them */
	/*
	 * Limit of the unpacked size of all compressed sections: this many bytes, or this ratio
	 * times the file's size if that is more.
	 */
	MAX_UNPACKED = 256 * 1024 * 1024,
	MAX_UNPACKED_RATIO = 32,
};

static void read_section(Elf_Scn *scn, const struct span *names, struct elffile_section *out)
{
	const char *name;
	GElf_Shdr header;

	if (!gelf_getshdr(scn, &header)) {
		*out = (struct elffile_section){.name = "", .type = SHT_NULL};
		return;
	}
	name = strtab_at(names, header.sh_name);
	*out = (struct elffile_section){
		.name = name ? name : "",
		.type = header.sh_type,
		.flags = header.sh_flags,
		.addr = header.sh_addr,
		.offset = header.sh_offset,
		.size = header.sh_size,
		.align = header.sh_addralign,
		.entsize = header.sh_entsize,
		.link = header.sh_link,
		.info = header.sh_info,
		.is_zdebug = name && strncmp(name, ".zdebug_", 8) == 0,
	};
}

/* libelf has checked that the headers are inside the file; this bounds their number. */
static int read_sections(struct elffile *file, bool *nomem)
{
	size_t nr, name_table = 0;
	struct span names = {0};
	Elf_Scn *scn = NULL;

	if (elf_getshdrnum(file->elf, &nr) < 0 || nr == 0)
		return 0; /* segments only: no symbols, but perhaps a build id */
	if (elf_getshdrstrndx(file->elf, &name_table) == 0 && name_table < nr) {
		names = elfsection_raw(file, name_table);
		/* Without a final NUL libelf would search the whole table for each section. */
		file->is_bloated = span_left(&names) && names.end[-1] != '\0';
		names = strtab_make(names);
	}
	file->sections = calloc(nr, sizeof(*file->sections));
	if (!file->sections) {
		*nomem = true;
		return -1;
	}
	file->nr_sections = nr;
	for (size_t i = 0; i < nr; i++)
		file->sections[i].name = "";
	while ((scn = elf_nextscn(file->elf, scn)) != NULL) {
		size_t number = elf_ndxscn(scn);

		if (number < nr)
			read_section(scn, &names, &file->sections[number]);
	}
	return 0;
}

static int read_segments(struct elffile *file, bool *nomem)
{
	size_t nr;

	if (elf_getphdrnum(file->elf, &nr) < 0 || nr == 0)
		return 0;
	file->segments = calloc(nr, sizeof(*file->segments));
	if (!file->segments) {
		*nomem = true;
		return -1;
	}
	for (size_t i = 0; i < nr && i <= INT32_MAX && file->nr_segments < MAX_SEGMENTS; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(file->elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		file->segments[file->nr_segments++] = (struct elffile_segment){
			.offset = header.p_offset,
			.size = header.p_filesz,
			.addr = header.p_vaddr,
			.memory = header.p_memsz,
			.executable = header.p_flags & PF_X,
			.is_whole = header.p_filesz && header.p_filesz == header.p_memsz,
		};
	}
	return 0;
}

/* Makes segments of the sections if there are none: ELF files of a JIT have sections only. */
static int make_segments_of_sections(struct elffile *file, bool *nomem)
{
	if (file->nr_segments || !file->nr_sections)
		return 0;
	free(file->segments);
	file->segments = calloc(file->nr_sections, sizeof(*file->segments));
	if (!file->segments) {
		*nomem = true;
		return -1;
	}
	for (size_t i = 1; i < file->nr_sections && file->nr_segments < MAX_SEGMENTS; i++) {
		const struct elffile_section *section = &file->sections[i];

		if (!(section->flags & SHF_ALLOC) || section->type == SHT_NOBITS)
			continue;
		file->segments[file->nr_segments++] = (struct elffile_segment){
			.offset = section->offset,
			.size = section->size,
			.addr = section->addr,
			.memory = section->size,
			.executable = section->flags & SHF_EXECINSTR,
			.is_whole = true,
		};
	}
	return 0;
}

/*
 * Reads the build id from the PT_NOTE segments, which a file without section headers (a stripped
 * image) still has. @left: the file's size in bytes; no more bytes are searched, whatever the
 * headers say.
 */
static void read_build_id_of_segments(struct elffile *file, uint64_t left)
{
	GElf_Phdr header;
	size_t nr;

	if (elf_getphdrnum(file->elf, &nr) < 0)
		return;
	for (size_t i = 0; i < nr && i <= INT32_MAX && !file->build_id_len; i++) {
		Elf_Data *data;

		if (!gelf_getphdr(file->elf, (int)i, &header) || header.p_type != PT_NOTE ||
		    header.p_offset > INT64_MAX || header.p_filesz > left)
			continue;
		left -= header.p_filesz;
		data = elf_getdata_rawchunk(file->elf, (int64_t)header.p_offset, header.p_filesz,
					    ELF_T_BYTE);
		if (data && data->d_buf)
			file->build_id_len =
				note_build_id(span_make(data->d_buf, data->d_size, file->swap),
					      header.p_align, file->build_id);
	}
}

/* @size: of the file, in bytes; no more bytes of notes are searched. */
static void read_build_id(struct elffile *file, uint64_t size)
{
	uint64_t left = size;

	for (size_t i = 1; i < file->nr_sections && !file->build_id_len; i++) {
		const struct elffile_section *section = &file->sections[i];

		if (section->type != SHT_NOTE || section->size > left)
			continue;
		left -= section->size;
		file->build_id_len =
			note_build_id(elfsection_bytes(file, i), section->align, file->build_id);
	}
	if (!file->build_id_len)
		read_build_id_of_segments(file, size);
}

/* True if the compressed sections exceed the limit for a file of @size bytes. */
static bool unpacks_to_too_much(const struct elffile *file, uint64_t size)
{
	uint64_t left = size <= MAX_UNPACKED / MAX_UNPACKED_RATIO ? MAX_UNPACKED
								  : MAX_UNPACKED_RATIO * size;

	for (size_t i = 1; i < file->nr_sections; i++) {
		const struct elffile_section *section = &file->sections[i];
		uint64_t unpacked = 0;

		if (section->flags & SHF_COMPRESSED || section->is_zdebug)
			unpacked = elfsection_size(file, i);
		if (unpacked > left)
			return true;
		left -= unpacked;
	}
	return false;
}

/*
 * True if the section headers or a section reach past the file's @size bytes, which libelf does not
 * report.
 */
static bool find_truncation(const struct elffile *file, const GElf_Ehdr *header, size_t size)
{
	const uint64_t table = header->e_shoff, entry = header->e_shentsize;

	if (table && (table >= size || header->e_shnum * entry > size - table))
		return true;
	for (size_t i = 1; i < file->nr_sections; i++) {
		const struct elffile_section *section = &file->sections[i];

		if (section->type != SHT_NOBITS && section->size &&
		    (section->offset > size || section->size > size - section->offset))
			return true;
	}
	return false;
}

/*
 * Takes over @elf, of a file or image of @size bytes. Returns NULL if it is unusable, or with
 * *@nomem set if memory is out.
 */
static struct elffile *read_headers(Elf *elf, size_t size, bool *nomem)
{
	const int native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	struct elffile *file;
	GElf_Ehdr header;

	*nomem = false;
	if (!elf)
		return NULL;
	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header)) {
		elf_end(elf);
		return NULL;
	}
	file = calloc(1, sizeof(*file));
	if (!file) {
		*nomem = true;
		elf_end(elf);
		return NULL;
	}
	file->elf = elf;
	file->is_64bit = header.e_ident[EI_CLASS] == ELFCLASS64;
	file->swap = header.e_ident[EI_DATA] != native;
	file->machine = header.e_machine;
	file->entry = header.e_entry;
	file->is_relocatable = header.e_type == ET_REL;
	if (read_sections(file, nomem) < 0 || read_segments(file, nomem) < 0 ||
	    make_segments_of_sections(file, nomem) < 0) {
		elffile_close(file);
		return NULL;
	}
	file->is_truncated = find_truncation(file, &header, size);
	file->is_bloated |= unpacks_to_too_much(file, size);
	read_build_id(file, size);
	return file;
}

struct elffile *elffile_open(int fd, bool *nomem)
{
	struct file_stamp stamp = file_stamp_of(fd);
	struct elffile *file;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	/* libelf needs no descriptor for a mapped file; it reads an unmapped one here. */
	if (elf && elf_cntl(elf, ELF_C_FDREAD) == 0)
		elf_cntl(elf, ELF_C_FDDONE);
	close(fd);
	file = read_headers(elf, (size_t)stamp.size, nomem);
	if (file)
		file->stamp = stamp;
	return file;
}

bool elffile_has_changed(const struct elffile *file)
{
	return file && file->path && file_has_changed(file->root, file->path, &file->stamp);
}

struct elffile *elffile_from_memory(void *image, size_t size, bool *nomem)
{
	elf_version(EV_CURRENT);
	return read_headers(elf_memory(image, size), size, nomem);
}

struct elffile *elffile_adopt(void *image, size_t size, bool *nomem)
{
	struct elffile *file = elffile_from_memory(image, size, nomem);

	if (file)
		file->image = image;
	else
		free(image);
	return file;
}

struct elffile *elffile_share(struct elffile *file)
{
	file->sharers++;
	return file;
}

void elffile_close(struct elffile *file)
{
	if (!file || file->sharers-- > 0)
		return;
	elf_end(file->elf);
	for (size_t i = 0; i < file->nr_sections; i++)
		elfsection_free(&file->sections[i]);
	free(file->image);
	free(file->sections);
	free(file->segments);
	free(file);
}

struct span elffile_bytes_at(const struct elffile *file, uint64_t addr)
{
	for (size_t i = 0; i < file->nr_segments; i++) {
		const struct elffile_segment *segment = &file->segments[i];
		const uint64_t skip = addr - segment->addr;
		Elf_Data *data;

		if (addr < segment->addr || skip >= segment->size || segment->offset > INT64_MAX)
			continue;
		data = elf_getdata_rawchunk(file->elf, (int64_t)segment->offset, segment->size,
					    ELF_T_BYTE);
		if (data && data->d_buf && data->d_size > skip)
			return span_make((const uint8_t *)data->d_buf + skip, data->d_size - skip,
					 file->swap);
	}
	return span_make("", 0, file->swap);
}

struct span elffile_code_at(const struct elffile *file, uint64_t addr)
{
	for (size_t i = 0; i < file->nr_segments; i++) {
		const struct elffile_segment *segment = &file->segments[i];

		if (segment->executable && addr >= segment->addr &&
		    addr - segment->addr < segment->size)
			return elffile_bytes_at(file, addr);
	}
	return span_make("", 0, file->swap);
}

struct span elffile_image(const struct elffile *file)
{
	size_t size = 0;
	const char *bytes = elf_rawfile(file->elf, &size);

	return span_make(bytes ? bytes : "", bytes ? size : 0, file->swap);
}

bool elffile_lacks_code(const struct elffile *file)
{
	for (size_t i = 1; i < file->nr_sections; i++)
		if (file->sections[i].type == SHT_NOBITS && file->sections[i].flags & SHF_EXECINSTR)
			return true;
	return false;
}

bool elffile_eh_frame_hdr(const struct elffile *file, uint64_t *addr)
{
	GElf_Phdr header;
	size_t nr;

	if (elf_getphdrnum(file->elf, &nr) < 0)
		return false;
	for (size_t i = 0; i < nr && i < MAX_SEGMENTS; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &header) || header.p_type != PT_GNU_EH_FRAME)
			continue;
		*addr = header.p_vaddr;
		return true;
	}
	return false;
}

size_t elffile_section_named(const struct elffile *file, const char *name)
{
	for (size_t i = 1; i < file->nr_sections; i++)
		if (file->sections[i].type != SHT_NOBITS &&
		    strcmp(file->sections[i].name, name) == 0)
			return i;
	return 0;
}

bool elffile_has_code(const struct elffile *file)
{
	bool has_code = false;

	for (size_t i = 0; i < file->nr_segments; i++) {
		if (file->segments[i].executable && !file->segments[i].is_whole)
			return false;
		has_code |= file->segments[i].executable;
	}
	return has_code;
}

bool elffile_offset_to_address(const struct elffile *file, uint64_t offset, uint64_t *address)
{
	const struct elffile_segment *found = NULL;

	for (size_t i = 0; i < file->nr_segments; i++) {
		const struct elffile_segment *segment = &file->segments[i];

		if (offset < segment->offset || offset - segment->offset >= segment->size)
			continue;
		if (!found || (segment->executable && !found->executable))
			found = segment;
	}
	if (!found)
		return false;
	*address = found->addr + (offset - found->offset);
	return true;
}

/* Old recordings do not store the length: they pad a shorter build id with zeros. */
bool elffile_has_build_id(const struct elffile *file, const uint8_t *build_id, size_t len)
{
	size_t common = file->build_id_len < len ? file->build_id_len : len;

	if (common == 0 || file->build_id_len > len ||
	    memcmp(file->build_id, build_id, common) != 0)
		return false;
	for (size_t i = common; i < len; i++)
		if (build_id[i])
			return false;
	return true;
}
