#include "decode/trace/speinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OLD_WORDS = 2,
	HEADER_WORDS_MIN = 4,
	CPUS_MAX = 1 << 16,
	/* words of a CPU */
	WORD_CPU = 1,
	WORD_MIDR = 3,
	WORD_EVENT_FILTER = 6,
	CPU_WORDS_MIN = 4,
};

static int read_cpus(struct speinfo *info, struct span *words, uint64_t nr)
{
	const size_t left = span_left(words) / 8;
	size_t per_cpu;

	if (nr == 0 || nr > CPUS_MAX || left / nr < CPU_WORDS_MIN)
		return 0;
	per_cpu = left / (size_t)nr;
	info->cpus = calloc((size_t)nr, sizeof(*info->cpus));
	if (!info->cpus)
		return -1;
	for (; info->nr_cpus < nr; info->nr_cpus++) {
		const struct span cpu = span_take(words, 8 * per_cpu);

		info->cpus[info->nr_cpus] = (struct speinfo_cpu){
			.cpu = (uint32_t)span_peek_u64(&cpu, 8 * (size_t)WORD_CPU),
			.midr = span_peek_u64(&cpu, 8 * (size_t)WORD_MIDR),
			/* 0 where there are fewer words */
			.event_filter = span_peek_u64(&cpu, 8 * (size_t)WORD_EVENT_FILTER),
		};
	}
	return 1;
}

int speinfo_read(struct speinfo *info, const struct record_auxtrace_info *record)
{
	struct span words = record->priv;
	uint64_t header_words, nr_cpus;

	*info = (struct speinfo){.is_old = span_left(&words) == 8 * (size_t)OLD_WORDS};
	if (info->is_old) {
		info->pmu = (uint32_t)span_u64(&words);
		info->per_cpu = span_u64(&words);
		return 1;
	}
	if (!span_holds(&words, HEADER_WORDS_MIN, 8))
		return 0;
	(void)span_u64(&words); /* version: later ones append */
	header_words = span_u64(&words);
	info->pmu = (uint32_t)span_u64(&words);
	nr_cpus = span_u64(&words);
	info->per_cpu = true;
	if (header_words < HEADER_WORDS_MIN ||
	    !span_holds(&words, header_words - HEADER_WORDS_MIN, 8))
		return 0;
	(void)span_take(&words, 8 * (header_words - HEADER_WORDS_MIN));
	return read_cpus(info, &words, nr_cpus);
}

void speinfo_set_cpuid(struct speinfo *info, const char *cpuid)
{
	info->midr = cpuid ? strtoull(cpuid, NULL, 16) : 0;
}

struct speinfo_cpu speinfo_of_cpu(const struct speinfo *info, uint32_t cpu)
{
	struct speinfo_cpu found = {.cpu = cpu, .midr = info->midr};

	for (size_t i = 0; i < info->nr_cpus; i++)
		if (info->cpus[i].cpu == cpu)
			return info->cpus[i];
	if (!info->nr_cpus)
		return found;
	found = info->cpus[0];
	for (size_t i = 1; i < info->nr_cpus; i++)
		if (info->cpus[i].midr != found.midr ||
		    info->cpus[i].event_filter != found.event_filter)
			return (struct speinfo_cpu){.cpu = cpu};
	return found;
}

void speinfo_free(struct speinfo *info)
{
	free(info->cpus);
	*info = (struct speinfo){0};
}

/* ---- filters --------------------------------------------------------------------------------- */

/* Bits of attr.config that choose classes of operations: drivers/perf/arm_spe_pmu.c. */
static const struct {
	uint64_t bits;
	const char *word;
} classes[] = {
	{UINT64_C(1) << 32, "branches"},
	{UINT64_C(1) << 33, "loads"},
	{UINT64_C(1) << 34, "stores"},
	{~UINT64_C(0) << 36, "certain operations"},
};

static void append(char text[SPEINFO_FILTERS_MAX], const char *what)
{
	const size_t len = strlen(text);

	snprintf(text + len, SPEINFO_FILTERS_MAX - len, "%s%s", len ? ", " : "", what);
}

void speinfo_filters(const struct attr *attr, char text[SPEINFO_FILTERS_MAX])
{
	const unsigned least = attr->config2 & 0xfff;
	char cycles[32];

	*text = '\0';
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (attr->config & classes[i].bits)
			append(text, classes[i].word);
	if (attr->config1 || attr->config3 || attr->config4)
		append(text, "certain events");
	if (least) {
		snprintf(cycles, sizeof(cycles), "at least %u cycles", least);
		append(text, cycles);
	}
}
