#include "decode/stack/unwind/unwindplace.h"

#include "util/hash.h"
#include "util/zeroed.h"

#include <stdlib.h>

enum { NR_KNOWN = 1 << 13 };

/* No address of user code has these bits. */
#define KEY_EXACT      (1ull << 63)
#define KEY_CODE       (1ull << 62)
#define KEY_TRAMPOLINE (1ull << 61)

/* Half a cache line, because waiting for memory is most of the cost of a frame. */
struct unwind_known {
	uint64_t key; /* the PC, and KEY_ bits */
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

/* False if memory is out. */
static bool look_up(const struct unwind_places *places, const struct unwind_owner *owner,
		    uint64_t pc, bool exact, struct unwind_place *place)
{
	const struct location at = unwind_places_locate(places, owner, pc, exact);
	const struct map *map = addrspaces_user_map(places->memo, owner->process, pc - !exact);
	uint64_t named = at.place;

	*place = (struct unwind_place){.address = ADDRESS_NONE, .dso = at.dso->number};
	if (map) {
		place->is_code = map->is_code;
		place->rule = unwindinfo_rule(places->info, at.dso, at.place);
		if (!place->rule)
			return false;
		place->is_trampoline =
			place->rule->kind == CFI_RULE_NONE && at.dso->kind == DSO_VDSO && !exact;
		/* The trampoline of a signal handler made no call: its CFI begins a byte early. */
		named += (place->rule->is_signal || place->is_trampoline) && !exact;
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

static uint64_t key_flags(const struct unwind_place *place)
{
	return (place->is_code ? KEY_CODE : 0) | (place->is_trampoline ? KEY_TRAMPOLINE : 0);
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
	const uint64_t version = version_of(owner, place->is_code);

	if (version && version <= UINT32_MAX && pc < KEY_TRAMPOLINE)
		*entry_of(places, owner, pc, version) = (struct unwind_known){
			.key = key_of(pc, exact) | key_flags(place),
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
	    (known->key & ~KEY_TRAMPOLINE) != key || pc >= KEY_TRAMPOLINE)
		return NULL;
	return known;
}

static inline void take(const struct unwind_known *known, struct unwind_place *place)
{
	place->rule = known->rule;
	place->address = known->address;
	place->dso = known->dso;
	place->is_code = known->key & KEY_CODE;
	place->is_trampoline = known->key & KEY_TRAMPOLINE;
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
