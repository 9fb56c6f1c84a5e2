#include "decode/answer/memoryaccess.h"

#include <stdio.h>
#include <string.h>

#define NR_OF(list) (sizeof(list) / sizeof((list)[0]))

/* Fields of data_src: first bit, bits. include/uapi/linux/perf_event.h */
struct data_field {
	unsigned at, width;
};

static const struct data_field field_op = {0, 5}, field_lvl = {5, 14}, field_snoop = {19, 5},
			       field_lock = {24, 2}, field_tlb = {26, 7}, field_lvl_num = {33, 4},
			       field_remote = {37, 1}, field_snoopx = {38, 2}, field_hops = {43, 3};

enum {
	OP_LOAD = 2,
	OP_STORE = 4,
	LVL_NA = 1,
	LVL_HIT = 2,
	LVL_MISS = 4,
	SNOOP_HITM = 16,
	SNOOPX_FORWARD = 1,
	SNOOPX_PEER = 2,
	LOCK_NA = 1,
	LOCK_LOCKED = 2,
	TLB_NA = 1,
	TLB_HIT = 2,
	TLB_MISS = 4,
	HOPS_CORE = 1, /* another core of the same node */
	HOPS_KNOWN = 4,
};

static unsigned get(uint64_t data_src, struct data_field field)
{
	return (unsigned)(data_src >> field.at) & ((1u << field.width) - 1);
}

/* ---- what it met ----------------------------------------------------------------------------- */

/* A level by its bit in lvl, which older kernels write alone. */
struct level_bit {
	unsigned bit;
	enum memory_level level;
	bool remote;
};

static const struct level_bit level_bits[] = {
	{0x8, MEMORY_L1, false},    {0x10, MEMORY_LFB, false},	      {0x20, MEMORY_L2, false},
	{0x40, MEMORY_L3, false},   {0x80, MEMORY_RAM, false},	      {0x100, MEMORY_RAM, true},
	{0x200, MEMORY_RAM, true},  {0x400, MEMORY_CACHE, true},      {0x800, MEMORY_CACHE, true},
	{0x1000, MEMORY_IO, false}, {0x2000, MEMORY_UNCACHED, false},
};

/* Sets the level by lvl_num, the newer field. Returns false if it tells nothing. */
static bool take_level_number(struct memory_access *access, unsigned number)
{
	static const enum memory_level levels[] = {
		[1] = MEMORY_L1,   [2] = MEMORY_L2,	  [3] = MEMORY_L3,
		[4] = MEMORY_L4,   [5] = MEMORY_L2_MHB,	  [6] = MEMORY_SIDE_CACHE,
		[7] = MEMORY_L0,   [8] = MEMORY_UNCACHED, [9] = MEMORY_CXL,
		[10] = MEMORY_IO,  [11] = MEMORY_CACHE,	  [12] = MEMORY_LFB,
		[13] = MEMORY_RAM, [14] = MEMORY_PMEM,	  [15] = MEMORY_UNKNOWN,
	};

	access->level = levels[number];
	return access->level != MEMORY_UNKNOWN;
}

static void take_level_bits(struct memory_access *access, unsigned lvl)
{
	for (size_t i = 0; i < NR_OF(level_bits); i++) {
		if (!(lvl & level_bits[i].bit))
			continue;
		access->level = level_bits[i].level;
		access->remote |= level_bits[i].remote;
		return;
	}
}

static bool is_cache(const struct memory_access *access)
{
	return access->level >= MEMORY_L0 && access->level <= MEMORY_CACHE;
}

struct memory_access memory_access_of(uint64_t data_src)
{
	const unsigned op = get(data_src, field_op), lvl = get(data_src, field_lvl);
	const unsigned hops = get(data_src, field_hops);
	struct memory_access access = {
		.load = op & OP_LOAD,
		.store = op & OP_STORE,
		.missed = lvl & LVL_MISS && !(lvl & LVL_HIT),
		.remote = get(data_src, field_remote),
		.hitm = get(data_src, field_snoop) & SNOOP_HITM,
		.peer = get(data_src, field_snoopx) & SNOOPX_PEER,
		.hops = hops > HOPS_KNOWN ? hops : 0,
	};

	if (!take_level_number(&access, get(data_src, field_lvl_num)) && !(lvl & LVL_NA))
		take_level_bits(&access, lvl);
	/* It is in the same node, although the bit for remote is set, too. */
	if (hops == HOPS_CORE) {
		access.remote = false;
		access.other_core = is_cache(&access) || access.level == MEMORY_UNKNOWN;
	}
	return access;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Appends @word to @text, behind @separator if it is not the first. */
static void append(char text[MEMORY_WORD_MAX], const char *separator, const char *word)
{
	const size_t len = strlen(text);

	snprintf(text + len, MEMORY_WORD_MAX - len, "%s%s", len ? separator : "", word);
}

static void set_op(char text[MEMORY_WORD_MAX], unsigned op)
{
	static const char *const words[] = {"n/a", "load", "store", "prefetch", "exec"};

	*text = '\0';
	for (size_t i = 1; i < NR_OF(words); i++)
		if (op & 1u << i)
			append(text, "|", words[i]);
	if (!*text)
		append(text, "", words[0]);
}

/* Which memory or cache it was, without where it is. */
static const char *level_word(const struct memory_access *access)
{
	static const char *const words[NR_MEMORY_LEVELS] = {
		"n/a", "L0",	    "L1",  "LFB",  "L2",  "L2 MHB", "L3",	"L4",
		"MSC", "any cache", "RAM", "PMEM", "CXL", "I/O",    "uncached",
	};

	if (access->remote && is_cache(access))
		return "cache";
	return access->other_core && access->level == MEMORY_CACHE ? "cache" : words[access->level];
}

static void set_source(char text[MEMORY_WORD_MAX], const struct memory_access *access)
{
	char number[16];

	*text = '\0';
	if (access->missed)
		append(text, "", "miss");
	if (access->remote)
		append(text, " ", "remote");
	if (access->other_core)
		append(text, " ", "other core");
	if (access->level != MEMORY_UNKNOWN || !*text)
		append(text, " ", level_word(access));
	if (access->peer && is_cache(access) && !access->remote && !access->other_core)
		append(text, " ", "peer");
	if (access->hops) {
		snprintf(number, sizeof(number), "0x%x", access->hops);
		append(text, " hops ", number);
	}
}

/* The most telling of what the other caches said. */
static void set_snoop(char text[MEMORY_WORD_MAX], unsigned snoop, unsigned snoopx)
{
	static const char *const words[] = {"n/a", "none", "hit", "miss"};
	static const unsigned bits[] = {1, 2, 4, 8};
	const char *word = words[0];

	for (size_t i = 1; i < NR_OF(words); i++)
		if (snoop & bits[i])
			word = words[i];
	if (snoop & bits[2])
		word = words[2];
	if (snoopx & SNOOPX_FORWARD)
		word = "forward";
	if (snoopx & SNOOPX_PEER)
		word = "peer";
	if (snoop & SNOOP_HITM)
		word = "hitm";
	snprintf(text, MEMORY_WORD_MAX, "%s", word);
}

static void set_tlb(char text[MEMORY_WORD_MAX], unsigned tlb)
{
	static const char *const levels[] = {"L1", "L2", "walker", "fault"};

	*text = '\0';
	for (size_t i = 0; i < NR_OF(levels) && !(tlb & TLB_NA); i++)
		if (tlb & 8u << i)
			append(text, " or ", levels[i]);
	if (tlb & TLB_HIT)
		append(text, " ", "hit");
	if (tlb & TLB_MISS)
		append(text, " ", "miss");
	if (!*text || tlb & TLB_NA)
		snprintf(text, MEMORY_WORD_MAX, "n/a");
}

static const char *locked_word(unsigned lock)
{
	if (lock & LOCK_LOCKED)
		return "yes";
	return lock & LOCK_NA ? "n/a" : "no";
}

void memory_access_words(uint64_t data_src, struct memory_words *words)
{
	const struct memory_access access = memory_access_of(data_src);

	set_op(words->op, get(data_src, field_op));
	set_source(words->source, &access);
	set_snoop(words->snoop, get(data_src, field_snoop), get(data_src, field_snoopx));
	set_tlb(words->tlb, get(data_src, field_tlb));
	words->locked = locked_word(get(data_src, field_lock));
}
