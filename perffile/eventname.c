#include "perffile/eventname.h"

#include "perffile/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Ids from enum perf_hw_id and enum perf_sw_ids of include/uapi/linux/perf_event.h. */
static const char *hardware_name(uint64_t id)
{
	static const char *const names[] = {
		"cycles",
		"instructions",
		"cache-references",
		"cache-misses",
		"branches",
		"branch-misses",
		"bus-cycles",
		"stalled-cycles-frontend",
		"stalled-cycles-backend",
		"ref-cycles",
	};

	return id < sizeof(names) / sizeof(names[0]) ? names[id] : NULL;
}

static const char *software_name(uint64_t id)
{
	static const char *const names[] = {
		"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
		"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
		"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
	};

	return id < sizeof(names) / sizeof(names[0]) ? names[id] : NULL;
}

/* byte 0 is the cache, byte 1 the operation, byte 2 access or miss (enum perf_hw_cache_id...). */
static int cache_name(uint64_t config, char *name, size_t size)
{
	static const char *const caches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB",
					     "iTLB",	  "branch",    "node"};
	static const char *const ops[] = {"load", "store", "prefetch"};
	static const char *const op_plurals[] = {"loads", "stores", "prefetches"};
	uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= 7 || op >= 3 || result >= 2)
		return snprintf(name, size, "unknown-ext-hardware-cache-type");
	if (result == 1)
		return snprintf(name, size, "%s-%s-misses", caches[cache], ops[op]);
	return snprintf(name, size, "%s-%s", caches[cache], op_plurals[op]);
}

static int breakpoint_name(const struct attr *attr, char *name, size_t size)
{
	return snprintf(name, size, "mem:0x%" PRIx64, attr->config1);
}

static int base_name(const struct attr *attr, char *name, size_t size)
{
	const char *known = NULL;

	if (attr->type == ATTR_TYPE_HARDWARE)
		known = hardware_name(attr->config & UINT32_MAX);
	else if (attr->type == ATTR_TYPE_SOFTWARE)
		known = software_name(attr->config);
	if (known)
		return snprintf(name, size, "%s", known);
	if (attr->type == ATTR_TYPE_HW_CACHE)
		return cache_name(attr->config & UINT32_MAX, name, size);
	if (attr->type == ATTR_TYPE_RAW)
		return snprintf(name, size, "raw 0x%" PRIx64, attr->config);
	if (attr->type == ATTR_TYPE_BREAKPOINT)
		return breakpoint_name(attr, name, size);
	return snprintf(name, size, "pmu%" PRIu32 "/config=0x%" PRIx64 "/", attr->type,
			attr->config);
}

/* perf appends what is not excluded, once something is excluded, and a p for each precision step.
 */
static void add_modifiers(const struct attr *attr, char *name, size_t size)
{
	char mods[12] = ":";
	size_t len = 1;

	if (attr->flags & (ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_USER | ATTR_EXCLUDE_HV)) {
		if (!(attr->flags & ATTR_EXCLUDE_KERNEL))
			mods[len++] = 'k';
		if (!(attr->flags & ATTR_EXCLUDE_USER))
			mods[len++] = 'u';
		if (!(attr->flags & ATTR_EXCLUDE_HV))
			mods[len++] = 'h';
	}
	for (uint64_t p = attr->flags >> ATTR_PRECISE_SHIFT & 3; p > 0; p--)
		mods[len++] = 'p';
	if (attr->flags & (ATTR_EXCLUDE_HOST | ATTR_EXCLUDE_GUEST)) {
		if (!(attr->flags & ATTR_EXCLUDE_HOST))
			mods[len++] = 'H';
		if (!(attr->flags & ATTR_EXCLUDE_GUEST))
			mods[len++] = 'G';
	}
	mods[len] = '\0';
	if (len > 1)
		snprintf(name, size, "%s", mods);
}

void event_name_make(const struct attr *attr, char name[EVENT_NAME_MAX])
{
	int len = base_name(attr, name, EVENT_NAME_MAX);

	if (len > 0 && len < EVENT_NAME_MAX)
		add_modifiers(attr, name + len, EVENT_NAME_MAX - (size_t)len);
}
