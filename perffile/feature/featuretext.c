#include "perffile/feature/featuretext.h"

#include "perffile/feature/featuretext_kinds.h"

#include <stdio.h>

struct feature_text {
	enum feature number;
	const char *name; /* start of the keys; the rest is in man/readperf-csv.5 */
	featuretext_fn *tell;
};

static const struct feature_text texts[] = {
	{FEATURE_TRACING_DATA, "tracing_data", featuretext_tracing_data},
	{FEATURE_BUILD_ID, "build_id", featuretext_build_ids},
	{FEATURE_HOSTNAME, "hostname", featuretext_string},
	{FEATURE_OSRELEASE, "osrelease", featuretext_string},
	{FEATURE_VERSION, "version", featuretext_string},
	{FEATURE_ARCH, "arch", featuretext_string},
	{FEATURE_NRCPUS, "nrcpus", featuretext_nrcpus},
	{FEATURE_CPUDESC, "cpudesc", featuretext_string},
	{FEATURE_CPUID, "cpuid", featuretext_string},
	{FEATURE_TOTAL_MEM, "total_mem", featuretext_u64},
	{FEATURE_CMDLINE, "cmdline", featuretext_cmdline},
	{FEATURE_EVENT_DESC, "event_desc", featuretext_event_desc},
	{FEATURE_CPU_TOPOLOGY, "cpu_topology", featuretext_cpu_topology},
	{FEATURE_NUMA_TOPOLOGY, "numa_topology", featuretext_numa_topology},
	{FEATURE_BRANCH_STACK, "branch_stack", featuretext_presence},
	{FEATURE_PMU_MAPPINGS, "pmu_mappings", featuretext_pmu_mappings},
	{FEATURE_GROUP_DESC, "group_desc", featuretext_group_desc},
	{FEATURE_AUXTRACE, "auxtrace", featuretext_auxtrace},
	{FEATURE_STAT, "stat", featuretext_presence},
	{FEATURE_CACHE, "cache", featuretext_cache},
	{FEATURE_SAMPLE_TIME, "sample_time", featuretext_sample_time},
	{FEATURE_MEM_TOPOLOGY, "mem_topology", featuretext_mem_topology},
	{FEATURE_CLOCKID, "clockid", featuretext_u64},
	{FEATURE_DIR_FORMAT, "dir_format", featuretext_u64},
	{FEATURE_BPF_PROG_INFO, "bpf_prog_info", featuretext_bpf_prog_info},
	{FEATURE_BPF_BTF, "bpf_btf", featuretext_bpf_btf},
	{FEATURE_COMPRESSED, "compressed", featuretext_compressed},
	{FEATURE_CPU_PMU_CAPS, "cpu_pmu_caps", featuretext_cpu_pmu_caps},
	{FEATURE_CLOCK_DATA, "clock_data", featuretext_clock_data},
	{FEATURE_HYBRID_TOPOLOGY, "hybrid_topology", featuretext_hybrid_topology},
	{FEATURE_PMU_CAPS, "pmu_caps", featuretext_pmu_caps},
	{FEATURE_CPU_DOMAIN_INFO, "cpu_domain_info", featuretext_cpu_domain_info},
	{FEATURE_E_MACHINE, "e_machine", featuretext_e_machine},
	{FEATURE_CLN_SIZE, "cln_size", featuretext_u32},
	{FEATURE_FILE, "file", featuretext_file},
	{FEATURE_META_INFO, "meta_info", featuretext_meta_info},
	{FEATURE_DEBUG_UNWIND, "debug_unwind", featuretext_debug_unwind},
	{FEATURE_DEBUG_UNWIND_FILE, "debug_unwind_file", featuretext_size},
	{FEATURE_FILE2, "file2", featuretext_file2},
};

void featuretext_string(const struct telling *telling, struct span *s)
{
	fact_string(telling->facts, s, "%s", telling->name);
}

void featuretext_u32(const struct telling *telling, struct span *s)
{
	fact_u32(telling->facts, s, "%s", telling->name);
}

void featuretext_u64(const struct telling *telling, struct span *s)
{
	fact_u64(telling->facts, s, "%s", telling->name);
}

void featuretext_presence(const struct telling *telling, struct span *s)
{
	(void)s;
	fact_number(telling->facts, 1, "%s", telling->name);
}

void featuretext_size(const struct telling *telling, struct span *s)
{
	(void)s;
	fact_number(telling->facts, telling->size, "%s.bytes", telling->name);
}

static void featuretext_section(struct telling *telling, const struct feature_bytes *section,
				bool swap, featuretext_fn *tell)
{
	struct span s = span_make(section->bytes, section->len, swap);

	telling->size = section->size;
	if (!section->bytes)
		tell = featuretext_size;
	tell(telling, &s);
	if (s.failed || section->cut)
		fact_number(telling->facts, section->size, "%s.damaged", telling->name);
}

/* The build ids have been read already; in a pipe each is a record of its own, not in a section. */
static void featuretext_all_build_ids(struct telling *telling, featuretext_fn *tell)
{
	struct span s = span_make("", 0, false);

	tell(telling, &s);
	if (telling->features->damaged_build_ids)
		fact_number(telling->facts, telling->features->nr_build_ids, "%s.damaged",
			    telling->name);
}

static void featuretext_sections(struct telling *telling, unsigned number, bool swap,
				 featuretext_fn *tell)
{
	const struct features *features = telling->features;

	if (number == FEATURE_BUILD_ID) {
		featuretext_all_build_ids(telling, tell);
		return;
	}
	for (size_t i = 0; i < features->nr_sections; i++) {
		if (features->sections[i].number == number)
			featuretext_section(telling, &features->sections[i], swap, tell);
	}
}

/* Reads the CPU counts of NRCPUS, which other sections need to be read. */
static void count_cpus(struct telling *telling, bool swap)
{
	const struct features *features = telling->features;

	for (size_t i = 0; i < features->nr_sections; i++) {
		struct span s =
			span_make(features->sections[i].bytes, features->sections[i].len, swap);

		if (features->sections[i].number != FEATURE_NRCPUS)
			continue;
		telling->cpus_available = span_u32(&s);
		telling->cpus_online = span_u32(&s);
		return;
	}
}

int features_describe(const struct features *features, bool swap, struct facts *facts)
{
	struct telling telling = {.facts = facts, .features = features};
	const struct feature_text *text = texts, *end = texts + sizeof(texts) / sizeof(texts[0]);

	count_cpus(&telling, swap);
	for (unsigned number = 0; number < HEADER_FEATURE_BITS; number++) {
		char unknown[32];

		if (text < end && (unsigned)text->number == number) {
			telling.name = text->name;
			featuretext_sections(&telling, number, swap, text++->tell);
			continue;
		}
		snprintf(unknown, sizeof(unknown), "feature_%u", number);
		telling.name = unknown;
		featuretext_sections(&telling, number, swap, featuretext_size);
	}
	return facts->nomem ? -1 : 0;
}
