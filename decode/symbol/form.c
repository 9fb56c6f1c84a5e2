#include "decode/symbol/form.h"

#include "decode/symbol/leb.h"

/* Instead of a number of bytes: that of an address, of an offset into a section, of a
 * FORM_REF_ADDR (an address until version 2). */
enum { SIZE_ADDRESS = 0x80, SIZE_OFFSET, SIZE_REF_ADDR };

/* How large the values of a form are; unlisted ones are DIE_UNKNOWN. */
static const struct row {
	uint8_t fixed;
	enum die_part_kind kind;
} forms[] = {
	[FORM_FLAG_PRESENT] = {0, DIE_FIXED},
	[FORM_IMPLICIT_CONST] = {0, DIE_FIXED},
	[FORM_DATA1] = {1, DIE_FIXED},
	[FORM_FLAG] = {1, DIE_FIXED},
	[FORM_REF1] = {1, DIE_FIXED},
	[FORM_STRX1] = {1, DIE_FIXED},
	[FORM_ADDRX1] = {1, DIE_FIXED},
	[FORM_DATA2] = {2, DIE_FIXED},
	[FORM_REF2] = {2, DIE_FIXED},
	[FORM_STRX2] = {2, DIE_FIXED},
	[FORM_ADDRX2] = {2, DIE_FIXED},
	[FORM_STRX3] = {3, DIE_FIXED},
	[FORM_ADDRX3] = {3, DIE_FIXED},
	[FORM_DATA4] = {4, DIE_FIXED},
	[FORM_REF4] = {4, DIE_FIXED},
	[FORM_REF_SUP4] = {4, DIE_FIXED},
	[FORM_STRX4] = {4, DIE_FIXED},
	[FORM_ADDRX4] = {4, DIE_FIXED},
	[FORM_DATA8] = {8, DIE_FIXED},
	[FORM_REF8] = {8, DIE_FIXED},
	[FORM_REF_SUP8] = {8, DIE_FIXED},
	[FORM_REF_SIG8] = {8, DIE_FIXED},
	[FORM_DATA16] = {16, DIE_FIXED},
	[FORM_ADDR] = {SIZE_ADDRESS, DIE_FIXED},
	[FORM_REF_ADDR] = {SIZE_REF_ADDR, DIE_FIXED},
	[FORM_STRP] = {SIZE_OFFSET, DIE_FIXED},
	[FORM_LINE_STRP] = {SIZE_OFFSET, DIE_FIXED},
	[FORM_STRP_SUP] = {SIZE_OFFSET, DIE_FIXED},
	[FORM_SEC_OFFSET] = {SIZE_OFFSET, DIE_FIXED},
	[FORM_SDATA] = {0, DIE_LEB},
	[FORM_UDATA] = {0, DIE_LEB},
	[FORM_REF_UDATA] = {0, DIE_LEB},
	[FORM_STRX] = {0, DIE_LEB},
	[FORM_ADDRX] = {0, DIE_LEB},
	[FORM_LOCLISTX] = {0, DIE_LEB},
	[FORM_RNGLISTX] = {0, DIE_LEB},
	[FORM_STRING] = {0, DIE_STRING},
	[FORM_BLOCK1] = {0, DIE_BLOCK1},
	[FORM_BLOCK2] = {0, DIE_BLOCK2},
	[FORM_BLOCK4] = {0, DIE_BLOCK4},
	[FORM_BLOCK] = {0, DIE_BLOCK},
	[FORM_EXPRLOC] = {0, DIE_BLOCK},
};

static struct row find_row(unsigned form)
{
	if (form < sizeof(forms) / sizeof(forms[0]))
		return forms[form];
	switch (form) {
	case FORM_GNU_REF_ALT:
	case FORM_GNU_STRP_ALT:
		return (struct row){SIZE_OFFSET, DIE_FIXED};
	case FORM_GNU_ADDR_INDEX:
	case FORM_GNU_STR_INDEX:
		return (struct row){0, DIE_LEB};
	default:
		return (struct row){0, DIE_UNKNOWN};
	}
}

static uint32_t fixed_bytes(uint8_t fixed, const struct form_context *context)
{
	switch (fixed) {
	case SIZE_ADDRESS:
		return context->address;
	case SIZE_OFFSET:
		return context->offset;
	case SIZE_REF_ADDR:
		return context->version > 2 ? context->offset : context->address;
	default:
		return fixed;
	}
}

struct die_part form_size(unsigned form, const struct form_context *context)
{
	struct row row = find_row(form);

	return (struct die_part){fixed_bytes(row.fixed, context), row.kind};
}

/* Three bytes, which no integer of ours has, in the order of the file. */
static uint64_t take_3(struct span *values)
{
	const bool is_big = values->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	const uint64_t a = span_u8(values), b = span_u8(values), c = span_u8(values);

	return is_big ? a << 16 | b << 8 | c : c << 16 | b << 8 | a;
}

static uint64_t take_bytes(struct span *values, unsigned size)
{
	switch (size) {
	case 1:
		return span_u8(values);
	case 2:
		return span_u16(values);
	case 3:
		return take_3(values);
	case 4:
		return span_u32(values);
	case 8:
		return span_u64(values);
	default:
		span_skip(values, size);
		return 0;
	}
}

uint64_t form_number(struct span *values, unsigned form, const struct form_context *context)
{
	struct die_part part = form_size(form, context);

	if (form == FORM_SDATA)
		return (uint64_t)span_sleb(values);
	if (part.kind == DIE_LEB)
		return span_uleb(values);
	if (part.kind == DIE_FIXED)
		return take_bytes(values, part.fixed);
	die_skip(values, part);
	return 0;
}
