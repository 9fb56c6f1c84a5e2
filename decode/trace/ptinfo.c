#include "decode/trace/ptinfo.h"

/* Takes the next word; 0 where an older perf stopped. */
static uint64_t next(struct span *words)
{
	return span_left(words) >= 8 ? span_u64(words) : 0;
}

bool ptinfo_read(struct ptinfo *info, const struct record_auxtrace_info *record)
{
	enum { WORDS_MIN = 10 };
	struct span words = record->priv;

	if (!span_holds(&words, WORDS_MIN, 8))
		return false;
	*info = (struct ptinfo){.pmu = (uint32_t)next(&words)};
	info->shift = next(&words);
	info->mult = next(&words);
	info->zero = next(&words);
	info->has_clock =
		next(&words) && info->mult && info->mult <= UINT32_MAX && info->shift < 32;
	info->tsc_bits = next(&words);
	(void)next(&words); /* no return compression: the decoder sees that itself */
	info->switches = (unsigned)next(&words);
	info->snapshot = next(&words);
	info->per_cpu = next(&words);
	info->mtc_bits = next(&words);
	info->mtc_period = next(&words);
	info->ctc_numerator = (uint32_t)next(&words);
	info->ctc_denominator = (uint32_t)next(&words);
	info->cyc_bits = next(&words);
	info->max_ratio = (uint8_t)next(&words);
	return true;
}

uint64_t ptinfo_ns(const struct ptinfo *info, uint64_t tsc)
{
	const uint64_t whole = tsc >> info->shift, rest = tsc & (((uint64_t)1 << info->shift) - 1);

	return info->zero + whole * info->mult + ((rest * info->mult) >> info->shift);
}

enum ptinfo_clock ptinfo_finest(const struct ptinfo *info, uint64_t config)
{
	if (!info->has_clock || !(config & info->tsc_bits))
		return PTINFO_NO_CLOCK;
	if (config & info->cyc_bits)
		return PTINFO_CYC;
	return config & info->mtc_bits ? PTINFO_MTC : PTINFO_TSC;
}

uint8_t ptinfo_mtc_period(const struct ptinfo *info, uint64_t config)
{
	if (!info->mtc_period)
		return 0;
	return (uint8_t)((config & info->mtc_period) >> __builtin_ctzll(info->mtc_period));
}
