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

typedef void tell_fn(const struct telling *telling, struct span *s);

/* one value, or none */
tell_fn tell_string, tell_u32, tell_u64, tell_presence, tell_size;
/* perffile/featuretext_machine.c: of the machine */
tell_fn tell_nrcpus, tell_cpu_topology, tell_numa_topology, tell_cache, tell_mem_topology,
	tell_hybrid_topology, tell_cpu_domain_info, tell_e_machine;
/* perffile/featuretext_events.c: of events and PMUs */
tell_fn tell_event_desc, tell_pmu_mappings, tell_group_desc, tell_cpu_pmu_caps, tell_pmu_caps,
	tell_tracing_data;
/* perffile/featuretext_run.c: of how and when it was recorded, and of what */
tell_fn tell_cmdline, tell_build_ids, tell_auxtrace, tell_sample_time, tell_clock_data,
	tell_compressed, tell_bpf_prog_info, tell_bpf_btf;
/* perffile/featuretext_simpleperf.c */
tell_fn tell_meta_info, tell_file, tell_debug_unwind, tell_file2;

#endif
