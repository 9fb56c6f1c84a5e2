#include "decode/trace/csbranch.h"

#include <stddef.h>

struct pattern {
	uint32_t mask, bits;
	uint8_t kind;	   /* enum csbranch_kind */
	uint8_t at, width; /* of the distance, in words */
};

/* The first one that fits. */
static const struct pattern patterns[] = {
	{0xffff0000, 0x00000000, CSBRANCH_INVALID, 0, 0},
	{0xfc000000, 0x14000000, CSBRANCH_DIRECT, 0, 26},
	{0xfc000000, 0x94000000, CSBRANCH_CALL, 0, 26},
	{0xff000000, 0x54000000, CSBRANCH_CONDITIONAL, 5, 19}, /* b.cond, bc.cond */
	{0x7e000000, 0x34000000, CSBRANCH_CONDITIONAL, 5, 19}, /* cbz, cbnz */
	{0x7e000000, 0x36000000, CSBRANCH_CONDITIONAL, 5, 14}, /* tbz, tbnz */
	/* With and without authentication of pointers. */
	{0xfffffc1f, 0xd61f0000, CSBRANCH_INDIRECT, 0, 0},
	{0xfffff81f, 0xd61f081f, CSBRANCH_INDIRECT, 0, 0},
	{0xfffff800, 0xd71f0800, CSBRANCH_INDIRECT, 0, 0},
	{0xfffffc1f, 0xd63f0000, CSBRANCH_INDIRECT_CALL, 0, 0},
	{0xfffff81f, 0xd63f081f, CSBRANCH_INDIRECT_CALL, 0, 0},
	{0xfffff800, 0xd73f0800, CSBRANCH_INDIRECT_CALL, 0, 0},
	{0xfffffc1f, 0xd65f0000, CSBRANCH_RETURN, 0, 0},
	{0xfffffbe0, 0xd65f0be0, CSBRANCH_RETURN, 0, 0}, /* retaa, retab, and by register */
	{0xffc0001f, 0x5500001f, CSBRANCH_RETURN, 0, 0}, /* retaasppc, retabsppc */
	{0xffffffff, 0xd69f03e0, CSBRANCH_EXCEPTION_RETURN, 0, 0},
	{0xfffffbff, 0xd69f0bff, CSBRANCH_EXCEPTION_RETURN, 0, 0}, /* eretaa, eretab */
	{0xfffff0ff, 0xd50330df, CSBRANCH_BARRIER, 0, 0},	   /* isb */
	{0xffffffe0, 0xd5233060, CSBRANCH_BARRIER, 0, 0},	   /* tstart */
	{0xffffffdf, 0xd503205f, CSBRANCH_WAIT, 0, 0},		   /* wfe, wfi */
	{0xffffffc0, 0xd5031000, CSBRANCH_WAIT, 0, 0},		   /* wfet, wfit */
};

static uint64_t target_of(const struct pattern *pattern, uint32_t word, uint64_t address)
{
	const uint64_t sign = UINT64_C(1) << (pattern->width - 1);
	const uint64_t words = word >> pattern->at & ((sign << 1) - 1);

	return address + 4 * ((words ^ sign) - sign);
}

struct csbranch csbranch_read(uint32_t word, uint64_t address)
{
	/* Branches and system instructions have these bits, retaasppc has them too; so has what is
	 * never executed. */
	if ((word & 0x1c000000) != 0x14000000 && word >> 16)
		return (struct csbranch){CSBRANCH_NONE, 0};
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		const struct pattern *pattern = &patterns[i];

		if ((word & pattern->mask) != pattern->bits)
			continue;
		return (struct csbranch){(enum csbranch_kind)pattern->kind,
					 pattern->width ? target_of(pattern, word, address) : 0};
	}
	return (struct csbranch){CSBRANCH_NONE, 0};
}
