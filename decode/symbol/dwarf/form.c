#include "decode/symbol/dwarf/form.h"

#include "util/leb.h"

#include <dwarf.h>

/*
 * Codes in place of a number of bytes: the size of an address, of an offset into a section, and of
 * a DW_FORM_ref_addr (an address up to version 2, then an offset).
 */
enum { SIZE_ADDRESS = 0x80, SIZE_OFFSET, SIZE_REF_ADDR };

/* Sizes of the values by form; forms not listed are FORM_UNKNOWN. */
static const struct form_row {
	uint8_t fixed;
	enum form_kind kind;
} forms[] = {
	[DW_FORM_flag_present] = {0, FORM_FIXED},
	[DW_FORM_implicit_const] = {0, FORM_FIXED},
	[DW_FORM_data1] = {1, FORM_FIXED},
	[DW_FORM_flag] = {1, FORM_FIXED},
	[DW_FORM_ref1] = {1, FORM_FIXED},
	[DW_FORM_strx1] = {1, FORM_FIXED},
	[DW_FORM_addrx1] = {1, FORM_FIXED},
	[DW_FORM_data2] = {2, FORM_FIXED},
	[DW_FORM_ref2] = {2, FORM_FIXED},
	[DW_FORM_strx2] = {2, FORM_FIXED},
	[DW_FORM_addrx2] = {2, FORM_FIXED},
	[DW_FORM_strx3] = {3, FORM_FIXED},
	[DW_FORM_addrx3] = {3, FORM_FIXED},
	[DW_FORM_data4] = {4, FORM_FIXED},
	[DW_FORM_ref4] = {4, FORM_FIXED},
	[DW_FORM_ref_sup4] = {4, FORM_FIXED},
	[DW_FORM_strx4] = {4, FORM_FIXED},
	[DW_FORM_addrx4] = {4, FORM_FIXED},
	[DW_FORM_data8] = {8, FORM_FIXED},
	[DW_FORM_ref8] = {8, FORM_FIXED},
	[DW_FORM_ref_sup8] = {8, FORM_FIXED},
	[DW_FORM_ref_sig8] = {8, FORM_FIXED},
	[DW_FORM_data16] = {16, FORM_FIXED},
	[DW_FORM_addr] = {SIZE_ADDRESS, FORM_FIXED},
	[DW_FORM_ref_addr] = {SIZE_REF_ADDR, FORM_FIXED},
	[DW_FORM_strp] = {SIZE_OFFSET, FORM_FIXED},
	[DW_FORM_line_strp] = {SIZE_OFFSET, FORM_FIXED},
	[DW_FORM_strp_sup] = {SIZE_OFFSET, FORM_FIXED},
	[DW_FORM_sec_offset] = {SIZE_OFFSET, FORM_FIXED},
	[DW_FORM_sdata] = {0, FORM_LEB},
	[DW_FORM_udata] = {0, FORM_LEB},
	[DW_FORM_ref_udata] = {0, FORM_LEB},
	[DW_FORM_strx] = {0, FORM_LEB},
	[DW_FORM_addrx] = {0, FORM_LEB},
	[DW_FORM_loclistx] = {0, FORM_LEB},
	[DW_FORM_rnglistx] = {0, FORM_LEB},
	[DW_FORM_string] = {0, FORM_STRING},
	[DW_FORM_block1] = {0, FORM_BLOCK1},
	[DW_FORM_block2] = {0, FORM_BLOCK2},
	[DW_FORM_block4] = {0, FORM_BLOCK4},
	[DW_FORM_block] = {0, FORM_BLOCK},
	[DW_FORM_exprloc] = {0, FORM_BLOCK},
};

static struct form_row find_row(uint64_t form)
{
	if (form < sizeof(forms) / sizeof(forms[0]))
		return forms[form];
	switch (form) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return (struct form_row){SIZE_OFFSET, FORM_FIXED};
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return (struct form_row){0, FORM_LEB};
	default:
		return (struct form_row){0, FORM_UNKNOWN};
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

struct form_part form_size(uint64_t form, const struct form_context *context)
{
	struct form_row row = find_row(form);

	return (struct form_part){fixed_bytes(row.fixed, context), row.kind};
}

void form_skip(struct span *values, struct form_part part)
{
	span_skip(values, part.fixed);
	switch (part.kind) {
	case FORM_FIXED:
		break;
	case FORM_LEB:
		span_skip_leb(values);
		break;
	case FORM_STRING:
		span_cstr(values, NULL);
		break;
	case FORM_BLOCK1:
		span_skip(values, span_u8(values));
		break;
	case FORM_BLOCK2:
		span_skip(values, span_u16(values));
		break;
	case FORM_BLOCK4:
		span_skip(values, span_u32(values));
		break;
	case FORM_BLOCK:
		span_skip(values, span_uleb(values));
		break;
	case FORM_UNKNOWN:
		span_fail(values);
		break;
	}
}

/* Takes a number of three bytes in the byte order of the file. */
static uint64_t take_3(struct span *values)
{
	const bool is_big = values->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	const uint64_t a = span_u8(values), b = span_u8(values), c = span_u8(values);

	return is_big ? a << 16 | b << 8 | c : c << 16 | b << 8 | a;
}

uint64_t form_take(struct span *values, unsigned size)
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

struct form_value form_read(struct span *values, uint64_t form, int64_t constant,
			    const struct form_context *context)
{
	const struct form_part part = form_size(form, context);
	struct form_value value = {.form = form <= UINT32_MAX ? (unsigned)form : UINT32_MAX};

	if (form == DW_FORM_implicit_const)
		value.number = (uint64_t)constant;
	else if (form == DW_FORM_sdata)
		value.number = (uint64_t)span_sleb(values);
	else if (form == DW_FORM_string)
		value.text = span_cstr(values, NULL);
	else if (part.kind == FORM_LEB)
		value.number = span_uleb(values);
	else if (part.kind == FORM_FIXED)
		value.number = form_take(values, part.fixed);
	else
		form_skip(values, part);
	return value;
}
