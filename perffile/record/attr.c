#include "perffile/record/attr.h"

#include "perffile/format.h"

/*
 * The flags are a C bit-field, which a big-endian compiler fills from the top bit of each byte: bit
 * i of a byte in the file is bit 7 - i here, and the bytes have the same order. A field of two bits
 * (precise_ip) has its upper bit first in the file.
 */
static uint64_t flags_from_big_endian(const uint8_t *bytes)
{
	const uint64_t low = UINT64_C(1) << ATTR_PRECISE_SHIFT, high = low << 1;
	uint64_t flags = 0;

	for (unsigned bit = 0; bit < 64; bit++) {
		if (bytes[bit / 8] & (0x80u >> (bit % 8)))
			flags |= UINT64_C(1) << bit;
	}
	return (flags & ~(low | high)) | (flags & low) << 1 | (flags & high) >> 1;
}

static uint64_t read_flags(struct span *s)
{
	struct span bytes = span_take(s, sizeof(uint64_t));
	const bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	if (bytes.failed)
		return 0;
	if (bytes.swap == host_is_big) { /* a little-endian recording */
		bytes.swap = host_is_big;
		return span_u64(&bytes);
	}
	return flags_from_big_endian(bytes.pos);
}

bool attr_decode(struct attr *attr, struct span s)
{
	const size_t given = span_left(&s);

	*attr = (struct attr){0};
	attr->type = span_u32(&s);
	attr->size = span_u32(&s);
	if (attr->size == 0)
		attr->size = ATTR_BYTES_V0; /* the first ABI left it unset */
	if (attr->size < ATTR_BYTES_V0 || given < ATTR_BYTES_V0)
		return false;
	if (given > attr->size)
		s.end -= given - attr->size;
	attr->config = span_u64(&s);
	attr->sample_period = span_u64(&s);
	attr->sample_type = span_u64(&s);
	attr->read_format = span_u64(&s);
	attr->flags = read_flags(&s);
	span_skip(&s, 4); /* wakeup_events */
	attr->bp_type = span_u32(&s);
	/* From here on a short attr reads as zero, which is what the missing fields mean. */
	attr->config1 = span_u64(&s);
	attr->config2 = span_u64(&s);
	attr->branch_sample_type = span_u64(&s);
	attr->sample_regs_user = span_u64(&s);
	attr->sample_stack_user = span_u32(&s);
	attr->clockid = (int32_t)span_u32(&s);
	attr->sample_regs_intr = span_u64(&s);
	span_skip(&s, 4); /* aux_watermark */
	attr->sample_max_stack = span_u16(&s);
	span_skip(&s, 18); /* aux_sample_size, aux_action, sig_data */
	attr->config3 = span_u64(&s);
	attr->config4 = span_u64(&s);
	return true;
}
