#include "decode/trace/spesource.h"

#include <stdbool.h>
#include <stddef.h>

#define NR_OF(list) (sizeof(list) / sizeof((list)[0]))

/* Fields of data_src: include/uapi/linux/perf_event.h */
#define FIELD(value, at) ((uint64_t)(value) << (at))

#define OP_LOAD	     FIELD(2, 0)
#define OP_STORE     FIELD(4, 0)
#define HIT	     FIELD(2, 5)
#define MISS	     FIELD(4, 5)
#define LEVEL_L1     (FIELD(8, 5) | FIELD(1, 33))
#define LEVEL_LFB    (FIELD(0x10, 5) | FIELD(12, 33))
#define LEVEL_L2     (FIELD(0x20, 5) | FIELD(2, 33))
#define LEVEL_L3     (FIELD(0x40, 5) | FIELD(3, 33))
#define LEVEL_RAM    (FIELD(0x80, 5) | FIELD(13, 33))
#define LEVEL_IO     (FIELD(0x1000, 5) | FIELD(10, 33))
#define LEVEL_NA     (FIELD(1, 5) | FIELD(15, 33))
#define FAR	     (LEVEL_NA | REMOTE) /* a cache, or RAM */
#define FAR_RAM	     (FIELD(0x100, 5) | FIELD(13, 33) | REMOTE)
#define FAR_CACHE    (FIELD(0x800, 5) | FIELD(11, 33) | REMOTE)
#define SNOOP_NA     FIELD(1, 19)
#define SNOOP_NONE   FIELD(2, 19)
#define SNOOP_HIT    FIELD(4, 19)
#define SNOOP_HITM   FIELD(16, 19)
#define TLB_WALKER   FIELD(0x20, 26)
#define TLB_HIT	     FIELD(2, 26)
#define TLB_MISS     FIELD(4, 26)
#define REMOTE	     FIELD(1, 37)
#define AT_PEER	     (FIELD(2, 38) | SNOOP_NA) /* a cache at the same distance */
#define HITM_AT_PEER (FIELD(2, 38) | SNOOP_HITM)

/* A code that a processor has for the place of data. */
struct source_code {
	uint8_t code;
	uint64_t data_src;
};

/* Arm's own cores, by their technical reference manuals. */
static const struct source_code arm_codes[] = {
	{0x0, LEVEL_L1 | HIT | SNOOP_NONE},
	{0x8, LEVEL_L2 | HIT | SNOOP_NONE},
	{0x9, LEVEL_L2 | HIT | AT_PEER},
	{0xa, LEVEL_L3 | HIT | AT_PEER},
	{0xb, LEVEL_L3 | HIT | SNOOP_HIT},
	{0xc, LEVEL_L3 | HIT | AT_PEER},
	{0xd, FAR | AT_PEER},
	{0xe, LEVEL_RAM | HIT | SNOOP_NONE},
};

static const struct source_code ampere_codes[] = {
	{0x0, LEVEL_L2 | HIT | AT_PEER},
	{0x3, LEVEL_L3 | HIT | SNOOP_HIT},
	{0x5, FAR | AT_PEER},
	{0x7, LEVEL_RAM | HIT | SNOOP_NONE},
	{0x8, LEVEL_L1 | HIT | SNOOP_NONE},
	{0x9, LEVEL_L2 | HIT | SNOOP_NONE},
};

static const struct source_code hisilicon_codes[] = {
	{0, LEVEL_L2 | HIT | AT_PEER},	   {1, LEVEL_L2 | HIT | HITM_AT_PEER},
	{2, LEVEL_L3 | HIT | SNOOP_HIT},   {3, LEVEL_L3 | HIT | SNOOP_HITM},
	{4, LEVEL_L3 | HIT | AT_PEER},	   {5, LEVEL_L3 | HIT | HITM_AT_PEER},
	{6, FAR_CACHE | AT_PEER},	   {7, FAR_CACHE | HITM_AT_PEER},
	{8, LEVEL_RAM | HIT | SNOOP_NONE}, {9, FAR_RAM | HIT | SNOOP_NA},
	{13, LEVEL_IO | HIT | SNOOP_NONE}, {16, LEVEL_L2 | HIT | SNOOP_NONE},
	{17, LEVEL_L2 | HIT | SNOOP_HITM}, {18, LEVEL_L1 | HIT | SNOOP_NONE},
};

/* Cores by implementer and part number, in MIDR_EL1. */
struct core {
	uint8_t implementer;
	uint16_t part;
	const struct source_code *codes;
	size_t nr_codes;
};

#define CORE(implementer, part, codes)                 \
	{                                              \
		implementer, part, codes, NR_OF(codes) \
	}

static const struct core cores[] = {
	CORE(0x41, 0xd0c, arm_codes),	    /* Neoverse N1 */
	CORE(0x41, 0xd40, arm_codes),	    /* Neoverse V1 */
	CORE(0x41, 0xd44, arm_codes),	    /* Cortex-X1 */
	CORE(0x41, 0xd49, arm_codes),	    /* Neoverse N2 */
	CORE(0x41, 0xd4b, arm_codes),	    /* Cortex-A78C */
	CORE(0x41, 0xd4c, arm_codes),	    /* Cortex-X1C */
	CORE(0x41, 0xd4d, arm_codes),	    /* Cortex-A715 */
	CORE(0x41, 0xd4e, arm_codes),	    /* Cortex-X3 */
	CORE(0x41, 0xd4f, arm_codes),	    /* Neoverse V2 */
	CORE(0x41, 0xd81, arm_codes),	    /* Cortex-A720 */
	CORE(0x41, 0xd82, arm_codes),	    /* Cortex-X4 */
	CORE(0x41, 0xd84, arm_codes),	    /* Neoverse V3 */
	CORE(0x41, 0xd85, arm_codes),	    /* Cortex-X925 */
	CORE(0x41, 0xd87, arm_codes),	    /* Cortex-A725 */
	CORE(0x41, 0xd89, arm_codes),	    /* Cortex-A720AE */
	CORE(0x4e, 0x010, arm_codes),	    /* NVIDIA Olympus */
	CORE(0x48, 0xd06, hisilicon_codes), /* HIP12 */
	CORE(0xc0, 0xac4, ampere_codes),    /* AmpereOne */
};

/* What the code of @record says; 0: nothing that is known. */
static uint64_t by_code(const struct sperecord *record, uint64_t midr)
{
	const unsigned implementer = midr >> 24 & 0xff, part = midr >> 4 & 0xfff;

	for (size_t i = 0; i < NR_OF(cores); i++) {
		if (cores[i].implementer != implementer || cores[i].part != part)
			continue;
		for (size_t k = 0; k < cores[i].nr_codes; k++)
			if (cores[i].codes[k].code == record->source)
				return cores[i].codes[k].data_src;
	}
	return 0;
}

/* ---- by events ------------------------------------------------------------------------------- */

/* A level of the caches, and the events that tell of it. */
struct level_events {
	uint64_t access, miss, data_src;
};

static const struct level_events levels[] = {
	{SPE_L1D_ACCESS, SPE_L1D_MISS, LEVEL_L1},
	{SPE_RECENTLY_FETCHED, 0, LEVEL_LFB},
	{SPE_L2_ACCESS, SPE_L2_MISS, LEVEL_L2},
	{SPE_LLC_ACCESS, SPE_LLC_MISS, LEVEL_L3},
};

/* The nearest level where it hit, else the farthest that it missed. */
static uint64_t load_level(uint64_t events)
{
	for (size_t i = 0; i < NR_OF(levels); i++)
		if (events & levels[i].access && !(events & levels[i].miss))
			return levels[i].data_src | HIT;
	for (size_t i = NR_OF(levels); i-- > 0;)
		if (events & levels[i].miss)
			return levels[i].data_src | MISS;
	return 0;
}

/* The farthest cache that has any event. */
static uint64_t store_level(uint64_t events)
{
	for (size_t i = NR_OF(levels); i-- > 0;)
		if (levels[i].miss && events & (levels[i].access | levels[i].miss))
			return levels[i].data_src | (events & levels[i].miss ? MISS : HIT);
	return 0;
}

static uint64_t snoop_of(uint64_t events, const struct speinfo_cpu *cpu)
{
	if (!(events & SPE_DATA_SNOOPED))
		return cpu->event_filter & SPE_DATA_SNOOPED ? SNOOP_NONE : SNOOP_NA;
	return events & SPE_DATA_MODIFIED ? SNOOP_HITM : SNOOP_HIT;
}

static uint64_t by_events(const struct sperecord *record, const struct speinfo_cpu *cpu,
			  bool stores)
{
	const uint64_t level = stores ? store_level(record->events) : load_level(record->events);

	return (level ? level : LEVEL_NA) | snoop_of(record->events, cpu);
}

/* What events tell beside the level. */
static uint64_t more_of(uint64_t events)
{
	const uint64_t remote = events & SPE_REMOTE_ACCESS ? REMOTE : 0;

	if (!(events & (SPE_TLB_ACCESS | SPE_TLB_WALK)))
		return remote;
	return remote | TLB_WALKER | (events & SPE_TLB_WALK ? TLB_MISS : TLB_HIT);
}

uint64_t spesource_data_src(const struct sperecord *record, const struct speinfo_cpu *cpu)
{
	const bool stores = record->operation & 1;
	uint64_t data_src = 0;

	if (!(record->has & SPE_HAS_OPERATION) || record->class != SPE_CLASS_MEMORY)
		return 0;
	if (!stores && record->has & SPE_HAS_SOURCE)
		data_src = by_code(record, cpu->midr);
	if (!data_src)
		data_src = by_events(record, cpu, stores);
	return data_src | (stores ? OP_STORE : OP_LOAD) | more_of(record->events);
}
