#include "perffile/feature/topology.h"

/* u32 nr, nr strings. */
static void skip_strings(struct span *s)
{
	const uint32_t nr = span_u32(s);

	for (uint32_t i = 0; i < nr && !s->failed; i++)
		(void)format_string(s);
}

/* Both lists of siblings, then {u32 core, u32 socket} of each CPU, then dies in the same way. */
bool topology_find(const struct features *features, bool swap, uint32_t cpu,
		   struct cpu_place *place)
{
	struct span nrcpus = features_section(features, swap, FEATURE_NRCPUS);
	struct span s = features_section(features, swap, FEATURE_CPU_TOPOLOGY);
	const uint32_t nr_cpus = span_u32(&nrcpus);
	struct span cpus;

	*place = (struct cpu_place){0};
	skip_strings(&s);
	skip_strings(&s);
	cpus = span_take(&s, (uint64_t)nr_cpus * 8);
	if (cpu >= nr_cpus || cpus.failed)
		return false;
	span_skip(&cpus, (uint64_t)cpu * 8);
	place->core = span_u32(&cpus);
	place->socket = span_u32(&cpus);
	skip_strings(&s);
	span_skip(&s, (uint64_t)cpu * 4);
	place->die = span_u32(&s);
	/* perf writes -1 for a CPU that was offline */
	return place->core <= INT32_MAX && place->socket <= INT32_MAX;
}
