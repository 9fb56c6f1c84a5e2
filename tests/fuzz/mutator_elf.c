/*
 * libFuzzer's mutations of ELF files: mostly of the bytes of one section, which keep their number,
 * or of one section header, so that the rest is found as before.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate.h"

#include <elf.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* The section headers of a file of 64 bits in this machine's byte order. */
struct headers {
	size_t at, nr;
};

static bool find_headers(const uint8_t *data, size_t size, struct headers *headers)
{
	Elf64_Ehdr ehdr;

	if (size < sizeof(ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(&ehdr, data, sizeof(ehdr));
	headers->at = ehdr.e_shoff;
	headers->nr = ehdr.e_shnum;
	return ehdr.e_ident[EI_CLASS] == ELFCLASS64 && ehdr.e_shoff <= size && ehdr.e_shnum > 0 &&
	       ehdr.e_shnum <= (size - ehdr.e_shoff) / sizeof(Elf64_Shdr);
}

static void mutate_section(uint8_t *data, size_t size, const struct headers *headers,
			   uint64_t random)
{
	Elf64_Shdr section;
	size_t at = headers->at + mutate_below(&random, headers->nr) * sizeof(section), len;

	if (mutate_below(&random, 8) == 0) {
		LLVMFuzzerMutate(data + at, sizeof(section), sizeof(section));
		return;
	}
	memcpy(&section, data + at, sizeof(section));
	if (section.sh_offset >= size || section.sh_type == SHT_NOBITS || section.sh_size == 0)
		return;
	len = size - section.sh_offset;
	len = section.sh_size < len ? section.sh_size : len;
	LLVMFuzzerMutate(data + section.sh_offset, len, len);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	struct headers headers;

	if (seed % 8 == 0 || !find_headers(data, size, &headers))
		return LLVMFuzzerMutate(data, size, max_size);
	for (unsigned i = 0; i <= seed / 8 % 3; i++)
		mutate_section(data, size, &headers, seed + i);
	return size;
}
