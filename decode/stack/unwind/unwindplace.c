#include "decode/stack/unwind/unwindplace.h"

#include "decode/stack/unwind/unwindarch.h"
#include "decode/stack/unwind/unwindcall.h"
#include "util/hash.h"
#include "util/zeroed.h"

#include <stdlib.h>

enum { NR_KNOWN = 1 << 13 };

/* No address of user code has these bits: what is there, and whether the PC is exact. */
enum { KEY_SHIFT = 60 };
#define KEY_EXACT (1ull << 63)
#define KEY_CODE  ((uint64_t)UNWIND_PLACE_CODE << KEY_SHIFT)
#define KEY_WHAT  (7ull << KEY_SHIFT)

/* Half a cache line, because waiting for memory is most of the cost of a frame. */
struct unwind_known {
	uint64_t key; /* the PC, KEY_EXACT or not, and what it is */
	const struct cfi_rule *rule;
	uint32_t version; /* as version_of(); 0: the entry is empty */
	uint32_t event, address, dso;
};

struct location unwind_places_locate(const struct unwind_places *places,
				     const struct unwind_owner *owner, uint64_t pc, bool exact)
{
	return addrspaces_find(places->spaces, places->memo, owner->process, CPUMODE_USER,
			       pc - !exact);
}

/*
 * Whether the code of a function of @dso that begins at @place is known: it is no trampoline that
 * signal handlers return to, and no call is before it.
 */
static bool may_be_start(const struct unwind_places *places, const struct dso *dso, uint64_t place)
{
	const struct unwind_arch *arch = unwind_arch_of(unwindinfo_machine(places->info, dso));
	uint8_t code[UNWIND_CALL_BYTES], start[UNWIND_CALL_SYSTEM];

	return arch && unwind_call_knows(arch) && place >= UNWIND_CALL_BEFORE &&
	       unwindinfo_code(places->info, dso, place - UNWIND_CALL_BEFORE, code, sizeof(code)) &&
	       !unwind_call_returns(code + UNWIND_CALL_BEFORE) &&
	       unwindinfo_code(places->info, dso, place, start, sizeof(start)) &&
	       !unwind_call_is_system(start);
}

/*
 * If the byte at @at has no CFI and a function begins behind it, which nothing before it has
 * called, the place is that function. False if memory is out.
 */
static bool find_start(const struct unwind_places *places, const struct location *at,
		       struct unwind_place *place)
{
	const struct cfi_rule *rule;

	if (at->dso->kind != DSO_USER || !may_be_start(places, at->dso, at->place + 1))
		return true;
	rule = unwindinfo_rule(places->info, at->dso, at->place + 1);
	if (rule && rule->kind != CFI_RULE_NONE) {
		place->rule = rule;
		place->what |= UNWIND_PLACE_START;
	}
	return rule;
}

/* False if memory is out. */
static bool look_up(const struct unwind_places *places, const struct unwind_owner *owner,
		    uint64_t pc, bool exact, struct unwind_place *place)
{
	const struct location at = unwind_places_locate(places, owner, pc, exact);
	const struct map *map = addrspaces_user_map(places->memo, owner->process, pc - !exact);
	const unsigned made_no_call = UNWIND_PLACE_TRAMPOLINE | UNWIND_PLACE_START;
	uint64_t named = at.place;

	*place = (struct unwind_place){.address = ADDRESS_NONE, .dso = at.dso->number};
	address_expect(places->addresses, owner->event, at.dso->number, at.place);
	if (map) {
		place->what = map->is_code ? UNWIND_PLACE_CODE : 0;
		place->rule = unwindinfo_rule(places->info, at.dso, at.place);
		if (!place->rule)
			return false;
		if (place->rule->kind == CFI_RULE_NONE && at.dso->kind == DSO_VDSO && !exact)
			place->what |= UNWIND_PLACE_TRAMPOLINE;
		if (place->rule->kind == CFI_RULE_NONE && !exact && pc < map->end &&
		    !find_start(places, &at, place))
			return false;
		/* The trampoline of a signal handler made no call: its CFI begins a byte early. */
		named += (place->rule->is_signal || place->what & made_no_call) && !exact;
	}
	place->address = address_get(places->addresses, owner->event, at.dso->number, named);
	return place->address != ADDRESS_NONE;
}

/*
 * The version of the maps that a place depends on, in code (@is_code) or not; 0: there are none any
 * more. Heaps grow all the time, which changes nothing for code.
 */
static inline uint64_t version_of(const struct unwind_owner *owner, bool is_code)
{
	const struct map_set *maps = owner->process->maps;

	if (!maps)
		return 0;
	return is_code ? maps->code_version : maps->version;
}

static inline uint64_t key_of(uint64_t pc, bool exact)
{
	return exact ? pc | KEY_EXACT : pc;
}

/* The entry where a place is kept. */
static inline struct unwind_known *entry_of(const struct unwind_places *places,
					    const struct unwind_owner *owner, uint64_t pc,
					    uint64_t version)
{
	return &places->known[hash_u64(pc ^ version << 32 ^ owner->event) & (NR_KNOWN - 1)];
}

/* Keeps @place, which is that of @pc. */
static void keep(const struct unwind_places *places, const struct unwind_owner *owner, uint64_t pc,
		 bool exact, const struct unwind_place *place)
{
	const uint64_t version = version_of(owner, place->what & UNWIND_PLACE_CODE);

	if (version && version <= UINT32_MAX && pc < 1ull << KEY_SHIFT)
		*entry_of(places, owner, pc, version) = (struct unwind_known){
			.key = key_of(pc, exact) | (uint64_t)place->what << KEY_SHIFT,
			.rule = place->rule,
			.version = (uint32_t)version,
			.event = owner->event,
			.address = place->address,
			.dso = place->dso,
		};
}

/* The entry of the place of @pc, in code or not; NULL: it is not kept as such. */
static inline const struct unwind_known *find_known(const struct unwind_places *places,
						    const struct unwind_owner *owner, uint64_t pc,
						    bool exact, bool is_code)
{
	const uint64_t version = version_of(owner, is_code);
	const struct unwind_known *known = entry_of(places, owner, pc, version);
	const uint64_t key = key_of(pc, exact) | (is_code ? KEY_CODE : 0);

	if (!version || known->version != version || known->event != owner->event ||
	    (known->key & (~KEY_WHAT | KEY_CODE)) != key || pc >> KEY_SHIFT)
		return NULL;
	return known;
}

static inline void take(const struct unwind_known *known, struct unwind_place *place)
{
	place->rule = known->rule;
	place->address = known->address;
	place->dso = known->dso;
	place->what = (known->key & KEY_WHAT) >> KEY_SHIFT;
}

/* As unwind_places_find() of a place that is not known as one in code. */
__attribute__((noinline)) static bool find_other(const struct unwind_places *places,
						 const struct unwind_owner *owner, uint64_t pc,
						 bool exact, struct unwind_place *place)
{
	const struct unwind_known *known = find_known(places, owner, pc, exact, false);

	if (known) {
		take(known, place);
		return true;
	}
	if (!look_up(places, owner, pc, exact, place))
		return false;
	keep(places, owner, pc, exact, place);
	return true;
}

bool unwind_places_find(struct unwind_places *places, const struct unwind_owner *owner, uint64_t pc,
			bool exact, struct unwind_place *place)
{
	const struct unwind_known *known;

	if (!places->known)
		places->known = zeroed_get(NR_KNOWN, sizeof(*places->known));
	if (!places->known)
		return false;
	known = find_known(places, owner, pc, exact, true);
	if (!known)
		return find_other(places, owner, pc, exact, place);
	take(known, place);
	return true;
}

void unwind_places_free(struct unwind_places *places)
{
	free(places->known);
	places->known = NULL;
}
