/* CPU models: whose events a CPU counts, by the id of it that a recording has. */
#ifndef READPERF_DECODE_VENDOR_CPUMODEL_H
#define READPERF_DECODE_VENDOR_CPUMODEL_H

#include <stdbool.h>

/** What the bits of an event's config are. */
enum code_form {
	CODE_FORM_INTEL,
	CODE_FORM_AMD,
	CODE_FORM_ARM,
};

struct cpu_model {
	const char *events; /* name of the list of its events, as libpfm4 calls it */
	enum code_form form;
};

/**
 * Finds the model of the CPU @cpuid, as perf writes it: "GenuineIntel,6,85,4", and for Arm the main
 * id register, "0x00000000410fd0c0". @pmu is the PMU that counts; it tells the cores of hybrid CPUs
 * apart ("cpu_core", "cpu_atom"); NULL if it is not known. Returns false for an unknown CPU.
 */
bool cpumodel_find(struct cpu_model *model, const char *cpuid, const char *pmu);

#endif
