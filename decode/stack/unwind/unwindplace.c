#include "decode/stack/unwind/unwindplace.h"

#include "util/hash.h"

#include <stdlib.h>

enum { NR_KNOWN = 1 << 14 };

/* No address of user code has these bits. */
#define KEY_EXACT      (1ull << 63)
#define KEY_CODE       (1ull << 62)
#define KEY_TRAMPOLINE (1ull << 61)
#define KEY_FLAGS      (KEY_CODE | KEY_TRAMPOLINE)

/* Half a cache line, because waiting for memory is most of the cost of a frame. */
struct unwind_known {
	uint64_t version; /* of the maps; 0: the entry is empty */
	uint64_t key;	  /* the PC, and KEY_ bits */
	const struct cfi_rule *rule;
	uint32_t event;
	uint32_t address;
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

	*place = (struct unwind_place){.address = ADDRESS_NONE};
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

static uint64_t key_flags(const struct unwind_place *place)
{
	return (place->is_code ? KEY_CODE : 0) | (place->is_trampoline ? KEY_TRAMPOLINE : 0);
}

bool unwind_places_find(struct unwind_places *places, const struct unwind_owner *owner, uint64_t pc,
			bool exact, struct unwind_place *place)
{
	const uint64_t version = owner->process->maps ? owner->process->maps->version : 0;
	const uint64_t key = pc | (exact ? KEY_EXACT : 0);
	const bool is_kept = version && pc < KEY_TRAMPOLINE;
	struct unwind_known *known;

	if (!places->known)
		places->known = calloc(NR_KNOWN, sizeof(*places->known));
	if (!places->known)
		return false;
	known = &places->known[hash_u64(pc ^ version << 32 ^ owner->event) & (NR_KNOWN - 1)];
	if (is_kept && known->version == version && (known->key & ~KEY_FLAGS) == key &&
	    known->event == owner->event) {
		*place = (struct unwind_place){known->rule, known->address, known->key & KEY_CODE,
					       known->key & KEY_TRAMPOLINE};
		return true;
	}
	if (!look_up(places, owner, pc, exact, place))
		return false;
	if (is_kept)
		*known = (struct unwind_known){version, key | key_flags(place), place->rule,
					       owner->event, place->address};
	return true;
}

void unwind_places_free(struct unwind_places *places)
{
	free(places->known);
	places->known = NULL;
}
