#include "decode/symbol/cfi/cfisection.h"

#include "util/leb.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

static uint64_t offset_of(const struct cfi_section *section, const struct span *s)
{
	return (uint64_t)(s->pos - section->bytes.pos);
}

/* ---- pointers -------------------------------------------------------------------------------- */

static uint64_t read_value(struct span *s, uint8_t encoding, unsigned address_size)
{
	switch (encoding & 0xf) {
	case DW_EH_PE_absptr:
		return address_size == 8 ? span_u64(s) : span_u32(s);
	case DW_EH_PE_uleb128:
		return span_uleb(s);
	case DW_EH_PE_udata2:
		return span_u16(s);
	case DW_EH_PE_udata4:
		return span_u32(s);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return span_u64(s);
	case DW_EH_PE_signed:
		return address_size == 8 ? span_u64(s) : (uint64_t)(int32_t)span_u32(s);
	case DW_EH_PE_sleb128:
		return (uint64_t)span_sleb(s);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int16_t)span_u16(s);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int32_t)span_u32(s);
	default:
		span_fail(s);
		return 0;
	}
}

uint64_t cfi_pointer(const struct cfi_section *section, struct span *s, uint8_t encoding,
		     unsigned address_size)
{
	const uint64_t here = section->addr + offset_of(section, s);
	uint64_t value;

	if (encoding == DW_EH_PE_omit)
		return 0;
	value = read_value(s, encoding, address_size);
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
		break;
	case DW_EH_PE_pcrel:
		value += here;
		break;
	case DW_EH_PE_textrel:
		value += section->text;
		break;
	case DW_EH_PE_datarel:
		value += section->data;
		break;
	default: /* from the function's start, aligned, or indirect: for no address of code */
		span_fail(s);
	}
	return address_size == 4 ? (uint32_t)value : value;
}

/* Steps over a pointer whose value does not matter. */
static void skip_pointer(struct span *s, uint8_t encoding, unsigned address_size)
{
	if (encoding != DW_EH_PE_omit)
		(void)read_value(s, encoding, address_size);
}

/* ---- entries --------------------------------------------------------------------------------- */

/* An entry without its length. */
struct entry {
	struct span body;   /* from the id on */
	uint64_t id_offset; /* bytes from the section's start */
	uint64_t id;
	bool is_cie;
};

/* Reads the length of an entry in bytes; *@is_dwarf64 says in which of its two forms it is. */
static uint64_t read_length(struct span *s, bool *is_dwarf64)
{
	const uint64_t length = span_u32(s);

	*is_dwarf64 = length == UINT32_MAX;
	return *is_dwarf64 ? span_u64(s) : length;
}

/* False where no entry is: at the end, or at .eh_frame's terminator. */
static bool read_entry(const struct cfi_section *section, uint64_t offset, struct entry *entry)
{
	struct span s = section->bytes;
	bool is_dwarf64;
	uint64_t length;

	span_skip(&s, offset);
	length = read_length(&s, &is_dwarf64);
	if (s.failed || length == 0)
		return false;
	entry->body = span_take(&s, length);
	if (entry->body.failed)
		return false;
	entry->id_offset = offset_of(section, &entry->body);
	/* In .eh_frame the id has 4 bytes even behind a length of 64 bits. */
	entry->id = is_dwarf64 && !section->is_eh ? span_u64(&entry->body) : span_u32(&entry->body);
	if (section->is_eh)
		entry->is_cie = entry->id == 0;
	else
		entry->is_cie = entry->id == (is_dwarf64 ? UINT64_MAX : UINT32_MAX);
	return !entry->body.failed;
}

bool cfi_skip_entry(const struct cfi_section *section, uint64_t *offset)
{
	struct span s = section->bytes;
	bool is_dwarf64;

	span_skip(&s, *offset);
	/* A length of 0, a terminator, may stand between the entries of two objects. */
	span_skip(&s, read_length(&s, &is_dwarf64));
	*offset = offset_of(section, &s);
	return !s.failed && span_left(&s) > 0;
}

/* The letters behind 'z' of an augmentation, with their data in @data. */
static bool read_augmentation(const char *letters, struct span data, struct cfi_cie *cie)
{
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->encoding = span_u8(&data);
			break;
		case 'P':
			skip_pointer(&data, span_u8(&data), cie->address_size);
			break;
		case 'L':
			(void)span_u8(&data);
			break;
		case 'S':
			cie->is_signal = true;
			break;
		case 'B': /* arm64: the other key signs return addresses */
		case 'G': /* arm64: the stack is tagged */
			break;
		default: /* whatever it is, the length of all leads over it */
			return !data.failed;
		}
	}
	return !data.failed;
}

/* The letters of an augmentation; NULL if they are more than any producer writes: each FDE reads
 * those of its CIE anew. */
static const char *read_letters(struct span *s)
{
	enum { MAX_LETTERS = 16 };
	struct span head = span_make(s->pos, span_left(s), s->swap);
	const char *letters;

	if (span_left(&head) > MAX_LETTERS)
		head.end = head.pos + MAX_LETTERS;
	letters = span_cstr(&head, NULL);
	s->pos = head.pos;
	return letters;
}

static bool read_cie(const struct cfi_section *section, uint64_t offset, struct cfi_cie *cie)
{
	struct entry entry;
	struct span *s = &entry.body;
	const char *augmentation;
	uint8_t version;

	if (!read_entry(section, offset, &entry) || !entry.is_cie)
		return false;
	*cie = (struct cfi_cie){.encoding = DW_EH_PE_absptr,
				.address_size = section->is_64bit ? 8 : 4};
	version = span_u8(s);
	augmentation = read_letters(s);
	if (!augmentation || (version != 1 && version != 3 && version != 4))
		return false;
	if (strncmp(augmentation, "eh", 2) == 0) { /* of gcc before 3.0: a pointer follows */
		span_skip(s, cie->address_size);
		augmentation += 2;
	}
	if (version == 4) {
		cie->address_size = span_u8(s);
		if (span_u8(s) != 0 || (cie->address_size != 4 && cie->address_size != 8))
			return false;
	}
	cie->code_align = span_uleb(s);
	cie->data_align = span_sleb(s);
	cie->ra_column = version == 1 ? span_u8(s) : span_uleb(s);
	if (*augmentation == 'z') {
		struct span data = span_take(s, span_uleb(s));

		cie->is_augmented = true;
		if (!read_augmentation(augmentation + 1, data, cie))
			return false;
	} else if (strcmp(augmentation, "S") == 0) {
		cie->is_signal = true;
	} else if (*augmentation) {
		return false; /* nothing tells where the instructions begin */
	}
	cie->instructions = *s;
	return !s->failed;
}

bool cfi_read_fde(const struct cfi_section *section, uint64_t offset, struct cfi_fde *fde)
{
	struct entry entry;
	struct span *s = &entry.body;
	uint64_t length;

	if (!read_entry(section, offset, &entry) || entry.is_cie)
		return false;
	if (section->is_eh && entry.id > entry.id_offset)
		return false;
	if (!read_cie(section, section->is_eh ? entry.id_offset - entry.id : entry.id, &fde->cie))
		return false;
	fde->start = cfi_pointer(section, s, fde->cie.encoding, fde->cie.address_size);
	length = read_value(s, fde->cie.encoding & 0xf, fde->cie.address_size);
	if (fde->cie.is_augmented)
		span_skip(s, span_uleb(s));
	fde->instructions = *s;
	/* The linker leaves functions that it has thrown away at 0, or without a length. */
	return !s->failed && fde->start != 0 && length != 0 &&
	       !__builtin_add_overflow(fde->start, length, &fde->end);
}
