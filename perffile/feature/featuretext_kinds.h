/*
 * Functions that turn each section into facts, private to perffile/feature/featuretext*.c; the
 * public header is perffile/feature/featuretext.h. To add a section, write its function here and
 * its row in perffile/feature/featuretext.c.
 *
 * A function reads the section in @s and adds the items that are whole; if @s fails, its caller
 * reports the damage.
 */
#ifndef READPERF_PERFFILE_FEATURE_FEATURETEXT_KINDS_H
#define READPERF_PERFFILE_FEATURE_FEATURETEXT_KINDS_H

#include "perffile/fact.h"
#include "perffile/feature/feature.h"
#include "util/span.h"

#include <stdint.h>

/** What a section's function needs besides the section. */
struct telling {
	struct facts *facts;
	const char *name; /* of the section; keys start with it */
	const struct features *features;
	uint32_t cpus_available, cpus_online; /* from NRCPUS; 0 without it */
	uint64_t size;			      /* bytes of the section */
};

typedef void featuretext_fn(const struct telling *telling, struct span *s);

/* sections with one value or none */
featuretext_fn featuretext_string, featuretext_u32, featuretext_u64, featuretext_presence,
	featuretext_size;
/* perffile/feature/featuretext_machine.c: about the machine */
featuretext_fn featuretext_nrcpus, featuretext_cpu_topology, featuretext_numa_topology,
	featuretext_cache, featuretext_mem_topology, featuretext_hybrid_topology,
	featuretext_cpu_domain_info, featuretext_e_machine;
/* perffile/feature/featuretext_events.c: about events and PMUs */
featuretext_fn featuretext_event_desc, featuretext_pmu_mappings, featuretext_group_desc,
	featuretext_cpu_pmu_caps, featuretext_pmu_caps, featuretext_tracing_data;
/* perffile/feature/featuretext_run.c: about the run of perf record */
featuretext_fn featuretext_cmdline, featuretext_build_ids, featuretext_auxtrace,
	featuretext_sample_time, featuretext_clock_data, featuretext_compressed,
	featuretext_bpf_prog_info, featuretext_bpf_btf;
/* perffile/feature/featuretext_simpleperf.c: written by simpleperf only */
featuretext_fn featuretext_meta_info, featuretext_file, featuretext_debug_unwind, featuretext_file2;

#endif
