#include "decode/trace/csinfo.h"

#include <stdlib.h>

enum {
	HEADER_WORDS = 3,
	CPUS_MAX = 1 << 16,
	BLOCK_WORDS_MAX = 64,
	/* Words of a block behind its first two or, from version 1 on, three. */
	WORD_CONFIGR = 0,
	WORD_TRACEIDR,
	WORD_IDR0,
	WORD_IDR1,
	WORD_IDR2,
	WORD_IDR8,
	WORD_ETM4_TIME = 7,
	WORD_DEVARCH = 7,
	WORD_ETE_TIME = 8,
	ETM3_WORDS = 4,
	ETM4_WORDS = 7, /* of version 0 */
	ID_MAX = 0x6f,
	KERNEL_TIME = 1,
};

#define MAGIC_ETM3 UINT64_C(0x3030303030303030)
#define MAGIC_ETM4 UINT64_C(0x4040404040404040)
#define MAGIC_ETE  UINT64_C(0x5050505050505050)

static uint8_t valid_id(uint64_t id)
{
	id &= 0x7f;
	return id <= ID_MAX ? (uint8_t)id : 0;
}

/* The word at @number; 0 where an older recorder stopped. */
static uint64_t word(const struct span *words, size_t number)
{
	return span_left(words) / 8 > number ? span_peek_u64(words, 8 * number) : 0;
}

static struct csinfo_cpu read_block(uint64_t magic, uint64_t cpu, const struct span *words)
{
	const bool is_ete = magic == MAGIC_ETE;
	const uint64_t time = word(words, is_ete ? WORD_ETE_TIME : WORD_ETM4_TIME);

	if (magic == MAGIC_ETM3)
		return (struct csinfo_cpu){
			.cpu = (uint32_t)cpu,
			.protocol = CSINFO_ETM3,
			.id = valid_id(word(words, 1)),
		};
	return (struct csinfo_cpu){
		.cpu = (uint32_t)cpu,
		.protocol = is_ete ? CSINFO_ETE : CSINFO_ETM4,
		.id = valid_id(word(words, WORD_TRACEIDR)),
		.configr = (uint32_t)word(words, WORD_CONFIGR),
		.idr0 = (uint32_t)word(words, WORD_IDR0),
		.idr1 = (uint32_t)word(words, WORD_IDR1),
		.idr2 = (uint32_t)word(words, WORD_IDR2),
		.idr8 = (uint32_t)word(words, WORD_IDR8),
		.devarch = is_ete ? (uint32_t)word(words, WORD_DEVARCH) : 0,
		.has_kernel_time = time == KERNEL_TIME,
	};
}

/* Reads the block of a CPU. Returns false if it makes no sense. */
static bool read_cpu(struct csinfo *info, struct span *words, bool has_length)
{
	uint64_t magic, cpu, nr;
	struct span block;

	if (!span_holds(words, has_length ? 3 : 2, 8))
		return false;
	magic = span_u64(words);
	cpu = span_u64(words);
	nr = has_length ? span_u64(words) : magic == MAGIC_ETM3 ? ETM3_WORDS : ETM4_WORDS;
	if ((magic != MAGIC_ETM3 && magic != MAGIC_ETM4 && magic != MAGIC_ETE) ||
	    nr > BLOCK_WORDS_MAX || !span_holds(words, nr, 8))
		return false;
	block = span_take(words, 8 * nr);
	info->cpus[info->nr_cpus++] = read_block(magic, cpu, &block);
	return true;
}

int csinfo_read(struct csinfo *info, const struct record_auxtrace_info *record)
{
	struct span words = record->priv;
	uint64_t version, pmu, nr;

	*info = (struct csinfo){0};
	if (!span_holds(&words, HEADER_WORDS, 8))
		return 0;
	version = span_u64(&words);
	pmu = span_u64(&words);
	info->pmu = (uint32_t)(pmu >> 32);
	info->snapshot = span_u64(&words);
	nr = (uint32_t)pmu;
	if (nr == 0 || nr > CPUS_MAX || !span_holds(&words, nr, 2 * sizeof(uint64_t)))
		return 0;
	info->cpus = calloc((size_t)nr, sizeof(*info->cpus));
	if (!info->cpus)
		return -1;
	while (info->nr_cpus < nr)
		if (!read_cpu(info, &words, version > 0))
			return 0;
	return 1;
}

static struct csinfo_cpu *find_cpu(const struct csinfo *info, uint32_t cpu)
{
	for (size_t i = 0; i < info->nr_cpus; i++)
		if (info->cpus[i].cpu == cpu)
			return &info->cpus[i];
	return NULL;
}

/* Bits 7-0: the id, 39-8 from minor version 1 on: the sink, 59-56: the minor version. */
void csinfo_note_id(struct csinfo *info, uint32_t cpu, uint64_t hw_id)
{
	struct csinfo_cpu *of = find_cpu(info, cpu);

	if (!of || !valid_id(hw_id) || hw_id >> 60)
		return;
	of->id = valid_id(hw_id);
	of->has_sink = hw_id >> 56 & 0xf;
	of->sink = of->has_sink ? (uint32_t)(hw_id >> 8) : 0;
}

bool csinfo_is_decoded(const struct csinfo_cpu *cpu)
{
	return cpu && (cpu->protocol == CSINFO_ETM4 || cpu->protocol == CSINFO_ETE) &&
	       !(cpu->configr & CSINFO_DATA);
}

const struct csinfo_cpu *csinfo_of_cpu(const struct csinfo *info, uint32_t cpu)
{
	return find_cpu(info, cpu);
}

const struct csinfo_cpu *csinfo_of_id(const struct csinfo *info, uint8_t id, uint32_t cpu)
{
	const struct csinfo_cpu *buffer = find_cpu(info, cpu), *found = NULL;

	for (size_t i = info->nr_cpus; i-- > 0;) {
		const struct csinfo_cpu *of = &info->cpus[i];

		if (of->id != id || !id)
			continue;
		if (buffer && buffer->has_sink && of->has_sink && of->sink == buffer->sink)
			return of;
		found = of;
	}
	return found;
}

void csinfo_free(struct csinfo *info)
{
	free(info->cpus);
	*info = (struct csinfo){0};
}
