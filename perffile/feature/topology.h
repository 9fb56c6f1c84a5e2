/* Where each CPU is in the machine: its socket, its core, its die (CPU_TOPOLOGY). */
#ifndef READPERF_PERFFILE_FEATURE_TOPOLOGY_H
#define READPERF_PERFFILE_FEATURE_TOPOLOGY_H

#include "perffile/feature/feature.h"
#include "perffile/perffile.h"

#include <stdbool.h>
#include <stdint.h>

/** Finds @cpu. Returns false if the sections of @features do not say where it is. */
bool topology_find(const struct features *features, bool swap, uint32_t cpu,
		   struct cpu_place *place);

#endif
