#include "decode/stack/unwind/unwindplace.h"

#include "util/hash.h"
#include "util/zeroed.h"

#include <stdlib.h>

enum { NR_KNOWN = 1 << 13 };

/* No address of user code has these bits. */
#define KEY_EXACT      (1ull << 63)
#define KEY_CODE       (1ull << 62)
#define KEY_TRAMPOLINE (1ull << 61)
#define KEY_FLAGS      (KEY_CODE | KEY_TRAMPOLINE)

/* Half a cache line, because waiting for memory is most of the cost of a frame. */
struct unwind_known {
	uint64_t key; /* the PC, and KEY_ bits */
	const struct cfi_rule *rule;
	uint32_t version; /* of the maps; 0: the entry is empty */
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

/* Of the maps of the owner's process; 0: it has none any more. */
static inline uint64_t version_of(const struct unwind_owner *owner)
{
	return owner->process->maps ? owner->process->maps->version : 0;
}

static inline uint64_t key_of(uint64_t pc, bool exact)
{
	return exact ? pc | KEY_EXACT : pc;
}

static uint64_t key_flags(const struct unwind_place *place)
{
	return (place->is_code ? KEY_CODE : 0) | (place->is_trampoline ? KEY_TRAMPOLINE : 0);
}

/* As unwind_places_find() of a place that @known does not have yet. */
__attribute__((noinline)) static bool find_new(const struct unwind_places *places,
					       const struct unwind_owner *owner, uint64_t pc,
					       bool exact, struct unwind_known *known,
					       struct unwind_place *place)
{
	const uint64_t version = version_of(owner);

	if (!look_up(places, owner, pc, exact, place))
		return false;
	if (version && version <= UINT32_MAX && pc < KEY_TRAMPOLINE)
		*known = (struct unwind_known){
			.key = key_of(pc, exact) | key_flags(place),
			.rule = place->rule,
			.version = (uint32_t)version,
			.event = owner->event,
			.address = place->address,
			.dso = place->dso,
		};
	return true;
}

bool unwind_places_find(struct unwind_places *places, const struct unwind_owner *owner, uint64_t pc,
			bool exact, struct unwind_place *place)
{
	const uint64_t version = version_of(owner);
	struct unwind_known *known;

	if (!places->known)
		places->known = zeroed_get(NR_KNOWN, sizeof(*places->known));
	if (!places->known)
		return false;
	known = &places->known[hash_u64(pc ^ version << 32 ^ owner->event) & (NR_KNOWN - 1)];
	if (!version || known->version != version || known->event != owner->event ||
	    pc >= KEY_TRAMPOLINE || (known->key & ~KEY_FLAGS) != key_of(pc, exact))
		return find_new(places, owner, pc, exact, known, place);
	place->rule = known->rule;
	place->address = known->address;
	place->dso = known->dso;
	place->is_code = known->key & KEY_CODE;
	place->is_trampoline = known->key & KEY_TRAMPOLINE;
	return true;
}

void unwind_places_free(struct unwind_places *places)
{
	free(places->known);
	places->known = NULL;
}
