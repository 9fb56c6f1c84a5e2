#include "decode/metric.h"

#include "perffile/format.h"

#include <string.h>

/* Of linux/perf_event.h. */
enum { SW_CPU_CLOCK = 0, SW_TASK_CLOCK = 1 };

#define PER_THOUSAND "per 1000 instructions"

const struct metric_formula metric_formulas[METRIC_FORMULAS] = {
	{"ipc", "instructions/cycle", METRIC_INSTRUCTIONS, METRIC_CYCLES, 1, "insn per cycle"},
	{"ghz", "GHz", METRIC_CYCLES, METRIC_TASK_CLOCK, 1, "GHz"},
	{"branch_miss_rate", "%", METRIC_BRANCH_MISSES, METRIC_BRANCHES, 100, "of all branches"},
	{"branch_mpki", PER_THOUSAND, METRIC_BRANCH_MISSES, METRIC_INSTRUCTIONS, 1000, NULL},
	{"cache_miss_rate", "%", METRIC_CACHE_MISSES, METRIC_CACHE_REFERENCES, 100,
	 "of all cache refs"},
	{"cache_mpki", PER_THOUSAND, METRIC_CACHE_MISSES, METRIC_INSTRUCTIONS, 1000, NULL},
	{"l1d_miss_rate", "%", METRIC_L1D_MISSES, METRIC_L1D_LOADS, 100,
	 "of all L1-dcache accesses"},
	{"l1d_mpki", PER_THOUSAND, METRIC_L1D_MISSES, METRIC_INSTRUCTIONS, 1000, NULL},
	{"l1i_miss_rate", "%", METRIC_L1I_MISSES, METRIC_L1I_LOADS, 100,
	 "of all L1-icache accesses"},
	{"l1i_mpki", PER_THOUSAND, METRIC_L1I_MISSES, METRIC_INSTRUCTIONS, 1000, NULL},
	{"llc_miss_rate", "%", METRIC_LLC_MISSES, METRIC_LLC_LOADS, 100,
	 "of all LL-cache accesses"},
	{"llc_mpki", PER_THOUSAND, METRIC_LLC_MISSES, METRIC_INSTRUCTIONS, 1000, NULL},
	{"dtlb_miss_rate", "%", METRIC_DTLB_MISSES, METRIC_DTLB_LOADS, 100,
	 "of all dTLB cache accesses"},
	{"dtlb_mpki", PER_THOUSAND, METRIC_DTLB_MISSES, METRIC_INSTRUCTIONS, 1000, NULL},
	{"itlb_miss_rate", "%", METRIC_ITLB_MISSES, METRIC_ITLB_LOADS, 100,
	 "of all iTLB cache accesses"},
	{"itlb_mpki", PER_THOUSAND, METRIC_ITLB_MISSES, METRIC_INSTRUCTIONS, 1000, NULL},
	{"frontend_stalls", "%", METRIC_STALLED_FRONTEND, METRIC_CYCLES, 100,
	 "frontend cycles idle"},
	{"backend_stalls", "%", METRIC_STALLED_BACKEND, METRIC_CYCLES, 100, "backend cycles idle"},
	{"retiring", "%", METRIC_RETIRING, METRIC_SLOTS, 100, "retiring"},
	{"bad_speculation", "%", METRIC_BAD_SPECULATION, METRIC_SLOTS, 100, "bad speculation"},
	{"frontend_bound", "%", METRIC_FRONTEND_BOUND, METRIC_SLOTS, 100, "frontend bound"},
	{"backend_bound", "%", METRIC_BACKEND_BOUND, METRIC_SLOTS, 100, "backend bound"},
};

static enum metric_role role_of_hardware(uint64_t config)
{
	static const enum metric_role roles[] = {
		METRIC_CYCLES,	     METRIC_INSTRUCTIONS,     METRIC_CACHE_REFERENCES,
		METRIC_CACHE_MISSES, METRIC_BRANCHES,	      METRIC_BRANCH_MISSES,
		METRIC_NO_ROLE,	     METRIC_STALLED_FRONTEND, METRIC_STALLED_BACKEND,
	};

	return config < sizeof(roles) / sizeof(roles[0]) ? roles[config] : METRIC_NO_ROLE;
}

/* The cache in bits 0-7, the operation in 8-15 (0: loads), accesses or misses in 16-23. */
static enum metric_role role_of_cache(uint64_t config)
{
	static const enum metric_role roles[][2] = {
		{METRIC_L1D_LOADS, METRIC_L1D_MISSES},	 {METRIC_L1I_LOADS, METRIC_L1I_MISSES},
		{METRIC_LLC_LOADS, METRIC_LLC_MISSES},	 {METRIC_DTLB_LOADS, METRIC_DTLB_MISSES},
		{METRIC_ITLB_LOADS, METRIC_ITLB_MISSES},
	};
	const uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16;

	if (cache >= sizeof(roles) / sizeof(roles[0]) || op != 0 || result > 1)
		return METRIC_NO_ROLE;
	return roles[cache][result];
}

/* Copies the event's own name out of "cpu_core/topdown-retiring/u" or "slots:S". */
static void own_name(char name[64], const char *text)
{
	const char *slash = strchr(text, '/');
	size_t len;

	if (slash)
		text = slash + 1;
	len = strcspn(text, ":/,");
	len = len < 63 ? len : 63;
	memcpy(name, text, len);
	name[len] = '\0';
}

enum metric_role metric_role_of_name(const char *text)
{
	static const struct {
		const char *name;
		enum metric_role role;
	} names[] = {
		{"cycles", METRIC_CYCLES},
		{"cpu-cycles", METRIC_CYCLES},
		{"instructions", METRIC_INSTRUCTIONS},
		{"branches", METRIC_BRANCHES},
		{"branch-instructions", METRIC_BRANCHES},
		{"branch-misses", METRIC_BRANCH_MISSES},
		{"cache-references", METRIC_CACHE_REFERENCES},
		{"cache-misses", METRIC_CACHE_MISSES},
		{"stalled-cycles-frontend", METRIC_STALLED_FRONTEND},
		{"stalled-cycles-backend", METRIC_STALLED_BACKEND},
		{"L1-dcache-loads", METRIC_L1D_LOADS},
		{"L1-dcache-load-misses", METRIC_L1D_MISSES},
		{"L1-icache-loads", METRIC_L1I_LOADS},
		{"L1-icache-load-misses", METRIC_L1I_MISSES},
		{"LLC-loads", METRIC_LLC_LOADS},
		{"LLC-load-misses", METRIC_LLC_MISSES},
		{"dTLB-loads", METRIC_DTLB_LOADS},
		{"dTLB-load-misses", METRIC_DTLB_MISSES},
		{"iTLB-loads", METRIC_ITLB_LOADS},
		{"iTLB-load-misses", METRIC_ITLB_MISSES},
		{"task-clock", METRIC_TASK_CLOCK},
		{"slots", METRIC_SLOTS},
		{"topdown-retiring", METRIC_RETIRING},
		{"topdown-bad-spec", METRIC_BAD_SPECULATION},
		{"topdown-fe-bound", METRIC_FRONTEND_BOUND},
		{"topdown-be-bound", METRIC_BACKEND_BOUND},
		{"topdown-total-slots", METRIC_TOTAL_SLOTS},
		{"topdown-slots-issued", METRIC_SLOTS_ISSUED},
		{"topdown-slots-retired", METRIC_SLOTS_RETIRED},
		{"topdown-fetch-bubbles", METRIC_FETCH_BUBBLES},
		{"topdown-recovery-bubbles", METRIC_RECOVERY_BUBBLES},
	};
	char name[64];

	own_name(name, text);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i].name) == 0)
			return names[i].role;
	return METRIC_NO_ROLE;
}

enum metric_role metric_role(const struct event *event)
{
	const struct attr *attr = &event->attr;

	switch (attr->type) {
	case ATTR_TYPE_HARDWARE:
		return role_of_hardware(attr->config & UINT32_MAX);
	case ATTR_TYPE_SOFTWARE:
		return attr->config == SW_TASK_CLOCK ? METRIC_TASK_CLOCK : METRIC_NO_ROLE;
	case ATTR_TYPE_HW_CACHE:
		return role_of_cache(attr->config & UINT32_MAX);
	default:
		return metric_role_of_name(event_recorded_name(event));
	}
}

/* On hybrid machines the upper half of a hardware event's config is the PMU. */
static uint64_t pmu_of(const struct attr *attr)
{
	if (attr->type == ATTR_TYPE_HARDWARE || attr->type == ATTR_TYPE_HW_CACHE)
		return attr->config >> 32;
	return attr->type;
}

static bool is_core_type(uint32_t type)
{
	return type == ATTR_TYPE_HARDWARE || type == ATTR_TYPE_HW_CACHE;
}

bool metric_fits(const struct event *a, const struct event *b)
{
	const uint64_t modes = ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL;

	if (a->attr.type == ATTR_TYPE_SOFTWARE || b->attr.type == ATTR_TYPE_SOFTWARE)
		return true;
	if ((a->attr.flags & modes) != (b->attr.flags & modes))
		return false;
	/* raw events of the only kind of core have a number that says nothing of it */
	if (is_core_type(a->attr.type) != is_core_type(b->attr.type))
		return pmu_of(is_core_type(a->attr.type) ? &a->attr : &b->attr) == 0;
	return pmu_of(&a->attr) == pmu_of(&b->attr);
}

bool metric_names_fit(const char *a, const char *b)
{
	const char *of_a = strchr(a, '/'), *of_b = strchr(b, '/');
	const char *modes_a = strrchr(of_a ? of_a + 1 : a, of_a ? '/' : ':');
	const char *modes_b = strrchr(of_b ? of_b + 1 : b, of_b ? '/' : ':');

	if (metric_role_of_name(a) == METRIC_TASK_CLOCK ||
	    metric_role_of_name(b) == METRIC_TASK_CLOCK)
		return true;
	if (of_a && of_b && (of_a - a != of_b - b || memcmp(a, b, (size_t)(of_a - a)) != 0))
		return false;
	return strcmp(modes_a ? modes_a + 1 : "", modes_b ? modes_b + 1 : "") == 0;
}

/* The total of @role at the place that fits to @total and has counted; NULL if there is none. */
static const struct counter_total *find_role(const struct counter_total *place, size_t nr,
					     enum metric_role role,
					     const struct counter_total *total)
{
	for (size_t i = 0; i < nr; i++)
		if (metric_role(place[i].counter.event) == role && place[i].counted.scaled > 0 &&
		    metric_fits(total->counter.event, place[i].counter.event))
			return &place[i];
	return NULL;
}

bool metric_is_clock(const struct event *event)
{
	return event->attr.type == ATTR_TYPE_SOFTWARE &&
	       (event->attr.config == SW_TASK_CLOCK || event->attr.config == SW_CPU_CLOCK);
}

/* How many a second of the time in which the threads ran. */
static void remark_rate(struct counter_total *total, const struct counter_total *clock)
{
	static const char *const texts[] = {"/sec", "K/sec", "M/sec", "G/sec"};
	double rate = (double)total->counted.scaled / (double)clock->counted.scaled * 1e9;
	size_t unit = 0;

	while (rate >= 1000 && unit + 1 < sizeof(texts) / sizeof(texts[0])) {
		rate /= 1000;
		unit++;
	}
	total->metric = rate;
	total->metric_text = texts[unit];
}

void metric_remark(struct counter_total *total, const struct counter_total *place, size_t nr)
{
	const enum metric_role role = metric_role(total->counter.event);
	const struct counter_total *other;

	total->metric_text = NULL;
	if (total->counted.running == 0)
		return;
	if (metric_is_clock(total->counter.event)) {
		if (total->time > 0) {
			total->metric = (double)total->counted.scaled / (double)total->time;
			total->metric_text = "CPUs utilized";
		}
		return;
	}
	for (size_t i = 0; i < METRIC_FORMULAS && role != METRIC_NO_ROLE; i++) {
		const struct metric_formula *formula = &metric_formulas[i];

		if (formula->above != role || !formula->remark)
			continue;
		other = find_role(place, nr, formula->below, total);
		if (!other)
			continue;
		total->metric = formula->factor * (double)total->counted.scaled /
				(double)other->counted.scaled;
		total->metric_text = formula->remark;
		total->metric_percent = formula->factor == 100;
		return;
	}
	other = find_role(place, nr, METRIC_TASK_CLOCK, total);
	if (other)
		remark_rate(total, other);
}
