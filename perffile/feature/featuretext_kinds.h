/*
 * How each section is told as facts. For perffile/featuretext*.c only; perffile/featuretext.h is
 * the door. To add a section, write its function here and its row in perffile/featuretext.c.
 *
 * A function reads the section that fills @s and adds what is whole; what @s fails at is told by
 * the caller.
 */
#ifndef READPERF_PERFFILE_FEATURE_FEATURETEXT_KINDS_H
#define READPERF_PERFFILE_FEATURE_FEATURETEXT_KINDS_H

#include "perffile/fact.h"
#include "perffile/feature/feature.h"
#include "util/span.h"

#include <stdint.h>

/** What a section's function may need beside the section. */
struct telling {
	struct facts *facts;
	const char *name; /* of the section: keys start with it */
	const struct features *features;
	uint32_t cpus_available, cpus_online; /* by NRCPUS; 0 if that is not there */
	uint64_t size;			      /* bytes of the section */
};

typedef void featuretext_fn(const struct telling *telling, struct span *s);

/* one value, or none */
featuretext_fn featuretext_string, featuretext_u32, featuretext_u64, featuretext_presence,
	featuretext_size;
/* perffile/featuretext_machine.c: of the machine */
featuretext_fn featuretext_nrcpus, featuretext_cpu_topology, featuretext_numa_topology,
	featuretext_cache, featuretext_mem_topology, featuretext_hybrid_topology,
	featuretext_cpu_domain_info, featuretext_e_machine;
/* perffile/featuretext_events.c: of events and PMUs */
featuretext_fn featuretext_event_desc, featuretext_pmu_mappings, featuretext_group_desc,
	featuretext_cpu_pmu_caps, featuretext_pmu_caps, featuretext_tracing_data;
/* perffile/featuretext_run.c: of how and when it was recorded, and of what */
featuretext_fn featuretext_cmdline, featuretext_build_ids, featuretext_auxtrace,
	featuretext_sample_time, featuretext_clock_data, featuretext_compressed,
	featuretext_bpf_prog_info, featuretext_bpf_btf;
/* perffile/featuretext_simpleperf.c */
featuretext_fn featuretext_meta_info, featuretext_file, featuretext_debug_unwind, featuretext_file2;

#endif
