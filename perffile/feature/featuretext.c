#include "perffile/feature/featuretext.h"

#include "perffile/feature/featuretext_kinds.h"

#include <stdio.h>

struct feature_text {
	enum feature number;
	const char *name; /* man/readperf-csv.5 has what follows it in keys */
	tell_fn *tell;
};

static const struct feature_text texts[] = {
	{FEATURE_TRACING_DATA, "tracing_data", tell_tracing_data},
	{FEATURE_BUILD_ID, "build_id", tell_build_ids},
	{FEATURE_HOSTNAME, "hostname", tell_string},
	{FEATURE_OSRELEASE, "osrelease", tell_string},
	{FEATURE_VERSION, "version", tell_string},
	{FEATURE_ARCH, "arch", tell_string},
	{FEATURE_NRCPUS, "nrcpus", tell_nrcpus},
	{FEATURE_CPUDESC, "cpudesc", tell_string},
	{FEATURE_CPUID, "cpuid", tell_string},
	{FEATURE_TOTAL_MEM, "total_mem", tell_u64},
	{FEATURE_CMDLINE, "cmdline", tell_cmdline},
	{FEATURE_EVENT_DESC, "event_desc", tell_event_desc},
	{FEATURE_CPU_TOPOLOGY, "cpu_topology", tell_cpu_topology},
	{FEATURE_NUMA_TOPOLOGY, "numa_topology", tell_numa_topology},
	{FEATURE_BRANCH_STACK, "branch_stack", tell_presence},
	{FEATURE_PMU_MAPPINGS, "pmu_mappings", tell_pmu_mappings},
	{FEATURE_GROUP_DESC, "group_desc", tell_group_desc},
	{FEATURE_AUXTRACE, "auxtrace", tell_auxtrace},
	{FEATURE_STAT, "stat", tell_presence},
	{FEATURE_CACHE, "cache", tell_cache},
	{FEATURE_SAMPLE_TIME, "sample_time", tell_sample_time},
	{FEATURE_MEM_TOPOLOGY, "mem_topology", tell_mem_topology},
	{FEATURE_CLOCKID, "clockid", tell_u64},
	{FEATURE_DIR_FORMAT, "dir_format", tell_u64},
	{FEATURE_BPF_PROG_INFO, "bpf_prog_info", tell_bpf_prog_info},
	{FEATURE_BPF_BTF, "bpf_btf", tell_bpf_btf},
	{FEATURE_COMPRESSED, "compressed", tell_compressed},
	{FEATURE_CPU_PMU_CAPS, "cpu_pmu_caps", tell_cpu_pmu_caps},
	{FEATURE_CLOCK_DATA, "clock_data", tell_clock_data},
	{FEATURE_HYBRID_TOPOLOGY, "hybrid_topology", tell_hybrid_topology},
	{FEATURE_PMU_CAPS, "pmu_caps", tell_pmu_caps},
	{FEATURE_CPU_DOMAIN_INFO, "cpu_domain_info", tell_cpu_domain_info},
	{FEATURE_E_MACHINE, "e_machine", tell_e_machine},
	{FEATURE_CLN_SIZE, "cln_size", tell_u32},
	{FEATURE_FILE, "file", tell_file},
	{FEATURE_META_INFO, "meta_info", tell_meta_info},
	{FEATURE_DEBUG_UNWIND, "debug_unwind", tell_debug_unwind},
	{FEATURE_DEBUG_UNWIND_FILE, "debug_unwind_file", tell_size},
	{FEATURE_FILE2, "file2", tell_file2},
};

void tell_string(const struct telling *telling, struct span *s)
{
	fact_string(telling->facts, s, "%s", telling->name);
}

void tell_u32(const struct telling *telling, struct span *s)
{
	fact_u32(telling->facts, s, "%s", telling->name);
}

void tell_u64(const struct telling *telling, struct span *s)
{
	fact_u64(telling->facts, s, "%s", telling->name);
}

void tell_presence(const struct telling *telling, struct span *s)
{
	(void)s;
	fact_number(telling->facts, 1, "%s", telling->name);
}

void tell_size(const struct telling *telling, struct span *s)
{
	(void)s;
	fact_number(telling->facts, telling->size, "%s.bytes", telling->name);
}

static void tell_section(struct telling *telling, const struct feature_bytes *section, bool swap,
			 tell_fn *tell)
{
	struct span s = span_make(section->bytes, section->len, swap);

	telling->size = section->size;
	if (!section->bytes)
		tell = tell_size;
	tell(telling, &s);
	if (s.failed || section->cut)
		fact_number(telling->facts, section->size, "%s.damaged", telling->name);
}

/* They have been read already; in a pipe each is a record of its own, in no section. */
static void tell_all_build_ids(struct telling *telling, tell_fn *tell)
{
	struct span s = span_make("", 0, false);

	tell(telling, &s);
	if (telling->features->damaged_build_ids)
		fact_number(telling->facts, telling->features->nr_build_ids, "%s.damaged",
			    telling->name);
}

static void tell_sections(struct telling *telling, unsigned number, bool swap, tell_fn *tell)
{
	const struct features *features = telling->features;

	if (number == FEATURE_BUILD_ID) {
		tell_all_build_ids(telling, tell);
		return;
	}
	for (size_t i = 0; i < features->nr_sections; i++) {
		if (features->sections[i].number == number)
			tell_section(telling, &features->sections[i], swap, tell);
	}
}

/* Some sections cannot be read without what NRCPUS says. */
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
			tell_sections(&telling, number, swap, text++->tell);
			continue;
		}
		snprintf(unknown, sizeof(unknown), "feature_%u", number);
		telling.name = unknown;
		tell_sections(&telling, number, swap, tell_size);
	}
	return facts->nomem ? -1 : 0;
}
