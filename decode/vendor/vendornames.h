/*
 * Names of raw event codes, as the CPU's vendor calls them.
 *
 * The recorded CPU decides, never the one that readperf runs on.
 */
#ifndef READPERF_DECODE_VENDOR_VENDORNAMES_H
#define READPERF_DECODE_VENDOR_VENDORNAMES_H

#include "decode/vendor/cpumodel.h"
#include "perffile/event.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of a name with its NUL. Longer names are cut. */
enum { VENDOR_NAME_MAX = 320 };

enum { VENDOR_LISTS_MAX = 4 };

struct vendor_code;

/** The events of a CPU, sorted by code. */
struct vendor_list {
	struct cpu_model model;
	struct vendor_code *codes;
	size_t nr, room;
};

/** Lists of CPUs, each made when it is first needed. All zero has none. */
struct vendornames {
	struct vendor_list lists[VENDOR_LISTS_MAX];
	size_t nr;
};

/** Whether the vendors' names are built in. */
bool vendornames_are_there(void);

/**
 * Whether @event is counted by what a CPU itself has, by a code of the vendor's. @pmu: the
 * recording's name of attr.type, or NULL.
 */
bool vendornames_is_raw(const struct event *event, const char *pmu);

/**
 * Writes the vendor's name of @event, which vendornames_is_raw(), to @name: "INST_RETIRED.ANY_P" on
 * Intel, "RETIRED_INSTRUCTIONS" or "EVENT:UMASK" elsewhere. What the vendor's list lacks follows as
 * a number: "INST_RETIRED.ANY_P:cmask=2". @cpuid: as perffile_cpuid(), may be NULL. "" if the CPU
 * or the event is not known.
 *
 * @return 0, or -1 with @err filled if memory is out.
 */
int vendornames_find(struct vendornames *names, const char *cpuid, const char *pmu,
		     const struct event *event, char name[VENDOR_NAME_MAX], struct error *err);

/** Whether events of the CPU @cpuid are known. Returns 1, 0 or -1 with @err filled. */
int vendornames_know(struct vendornames *names, const char *cpuid, const char *pmu,
		     struct error *err);

void vendornames_free(struct vendornames *names);

#endif
