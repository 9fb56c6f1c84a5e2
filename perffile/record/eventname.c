#include "perffile/record/eventname.h"

#include "perffile/format.h"
#include "util/array.h"
#include "util/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number_name {
	enum event_number kind;
	uint64_t number;
	const char *name;
};

static uint64_t number_hash(enum event_number kind, uint64_t number)
{
	return hash_u64(hash_add(number, (uint64_t)kind));
}

const char *eventname_find_number(const struct event_numbers *numbers, enum event_number kind,
				  uint64_t number)
{
	uint64_t hash = number_hash(kind, number);
	uint32_t i;

	for (size_t at = index_first(&numbers->index, hash);
	     index_next(&numbers->index, hash, &at, &i);) {
		if (numbers->names[i].kind == kind && numbers->names[i].number == number)
			return numbers->names[i].name;
	}
	return NULL;
}

bool eventname_add_number(struct event_numbers *numbers, enum event_number kind, uint64_t number,
			  const char *name, size_t len)
{
	uint32_t interned;

	len = strnlen(name, len);
	if (len == 0 || eventname_find_number(numbers, kind, number))
		return true;
	interned = intern(&numbers->strings, name, len);
	if (interned == INTERN_NOMEM ||
	    !array_grow(numbers->names, numbers->room, numbers->index.nr + 1))
		return false;
	numbers->names[numbers->index.nr] =
		(struct number_name){kind, number, intern_get(&numbers->strings, interned)};
	return index_add(&numbers->index, number_hash(kind, number));
}

void eventname_free_numbers(struct event_numbers *numbers)
{
	free(numbers->names);
	index_free(&numbers->index);
	intern_free(&numbers->strings);
	*numbers = (struct event_numbers){0};
}

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

	return id < sizeof(names) / sizeof(names[0]) ? names[id] : "unknown-hardware";
}

static const char *software_name(uint64_t id)
{
	static const char *const names[] = {
		"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
		"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
		"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
	};

	return id < sizeof(names) / sizeof(names[0]) ? names[id] : "unknown-software";
}

enum { OP_LOAD = 1 << 0, OP_STORE = 1 << 1, OP_PREFETCH = 1 << 2, OP_ALL = 7 };

struct cache {
	const char *name;
	unsigned ops; /* operations that can be counted */
};

/*
 * Byte 0 of @config is the cache, byte 1 the operation, byte 2 access or miss (enum
 * perf_hw_cache_id...). Accesses are named by the operation's plural, misses by its singular.
 */
static void cache_name(uint64_t config, char *name, size_t size)
{
	static const struct cache caches[] = {
		{"L1-dcache", OP_ALL}, {"L1-icache", OP_LOAD | OP_PREFETCH},
		{"LLC", OP_ALL},       {"dTLB", OP_ALL},
		{"iTLB", OP_LOAD},     {"branch", OP_LOAD},
		{"node", OP_ALL},
	};
	static const char *const ops[] = {"load", "store", "prefetch"};
	static const char *const plurals[] = {"loads", "stores", "prefetches"};
	uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= sizeof(caches) / sizeof(caches[0]))
		snprintf(name, size, "unknown-ext-hardware-cache-type");
	else if (op >= sizeof(ops) / sizeof(ops[0]))
		snprintf(name, size, "unknown-ext-hardware-cache-op");
	else if (result > 1)
		snprintf(name, size, "unknown-ext-hardware-cache-result");
	else if (!(caches[cache].ops & 1u << op))
		snprintf(name, size, "invalid-cache");
	else if (result == 1)
		snprintf(name, size, "%s-%s-misses", caches[cache].name, ops[op]);
	else
		snprintf(name, size, "%s-%s", caches[cache].name, plurals[op]);
}

static void breakpoint_name(const struct attr *attr, char *name, size_t size)
{
	snprintf(name, size, "mem:0x%" PRIx64 ":%s%s%s", attr->config1,
		 attr->bp_type & BREAKPOINT_R ? "r" : "", attr->bp_type & BREAKPOINT_W ? "w" : "",
		 attr->bp_type & BREAKPOINT_X ? "x" : "");
}

/* "NAME/WHAT/", or "pmuN/WHAT/" if the recording does not name PMU @type. */
static void in_pmu(const struct event_numbers *numbers, uint64_t type, const char *what, char *name,
		   size_t size)
{
	const char *pmu = eventname_find_number(numbers, NUMBER_PMU, type);

	if (pmu)
		snprintf(name, size, "%s/%s/", pmu, what);
	else
		snprintf(name, size, "pmu%" PRIu64 "/%s/", type, what);
}

/* If there are several kinds of CPU, the upper half of config is their PMU's type. */
static void cpu_name(const struct attr *attr, const struct event_numbers *numbers, char *name,
		     size_t size)
{
	uint64_t pmu = attr->config >> 32, id = attr->config & UINT32_MAX;
	char what[64];

	if (attr->type == ATTR_TYPE_HW_CACHE)
		cache_name(id, what, sizeof(what));
	else
		snprintf(what, sizeof(what), "%s", hardware_name(id));
	if (pmu)
		in_pmu(numbers, pmu, what, name, size);
	else
		snprintf(name, size, "%s", what);
}

static void config_name(const struct attr *attr, const struct event_numbers *numbers, char *name,
			size_t size)
{
	char what[32];

	snprintf(what, sizeof(what), "config=0x%" PRIx64, attr->config);
	in_pmu(numbers, attr->type, what, name, size);
}

/* perf prints only "unknown tracepoint" if the name is not known. */
static void tracepoint_name(const struct attr *attr, const struct event_numbers *numbers,
			    char *name, size_t size)
{
	const char *known = eventname_find_number(numbers, NUMBER_TRACEPOINT, attr->config);

	if (known)
		snprintf(name, size, "%s", known);
	else
		config_name(attr, numbers, name, size);
}

/* perf appends the modes not excluded, if any is excluded, and a p for each precision step. */
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

void event_name_make(const struct attr *attr, const struct event_numbers *numbers,
		     char name[EVENT_NAME_MAX])
{
	const size_t size = EVENT_NAME_MAX;
	size_t len;

	switch (attr->type) {
	case ATTR_TYPE_HARDWARE:
	case ATTR_TYPE_HW_CACHE:
		cpu_name(attr, numbers, name, size);
		break;
	case ATTR_TYPE_SOFTWARE:
		snprintf(name, size, "%s", software_name(attr->config));
		break;
	case ATTR_TYPE_TRACEPOINT:
		tracepoint_name(attr, numbers, name, size);
		return;
	case ATTR_TYPE_RAW:
		snprintf(name, size, "raw 0x%" PRIx64, attr->config);
		break;
	case ATTR_TYPE_BREAKPOINT:
		breakpoint_name(attr, name, size);
		break;
	default:
		config_name(attr, numbers, name, size);
	}
	len = strlen(name);
	add_modifiers(attr, name + len, size - len);
}
