#include "decode/stack/unwindplace.h"

#include "util/hash.h"

#include <stdlib.h>

enum { NR_KNOWN = 1 << 14 };

struct unwind_known {
	uint64_t version; /* of the maps; 0: nothing is kept here */
	uint64_t pc;
	uint32_t event;
	bool exact;
	struct unwind_place place;
};

/* False if memory is out. */
static bool look_up(const struct unwind_places *places, const struct unwind_owner *owner,
		    uint64_t pc, bool exact, struct unwind_place *place)
{
	const struct location at =
		addrspaces_locate(places->spaces, owner->process, CPUMODE_USER, pc - !exact);
	const struct map *map = NULL;
	uint64_t named = at.place;

	*place = (struct unwind_place){.dso = at.dso, .place = at.place, .address = ADDRESS_NONE};
	if (owner->process->maps)
		map = map_set_find(owner->process->maps, pc - !exact);
	if (map) {
		place->is_code = map->is_code;
		place->rule = unwindinfo_rule(places->info, at.dso, at.place);
		if (!place->rule)
			return false;
		/* The trampoline of a signal handler made no call: its CFI begins a byte early. */
		named += place->rule->is_signal && !exact;
	}
	place->address = address_get(places->addresses, owner->event, at.dso->number, named);
	return place->address != ADDRESS_NONE;
}

bool unwind_places_find(struct unwind_places *places, const struct unwind_owner *owner, uint64_t pc,
			bool exact, struct unwind_place *place)
{
	const uint64_t version = owner->process->maps ? owner->process->maps->version : 0;
	struct unwind_known *known;

	if (!places->known)
		places->known = calloc(NR_KNOWN, sizeof(*places->known));
	if (!places->known)
		return false;
	known = &places->known[hash_u64(pc ^ version << 32 ^ owner->event) & (NR_KNOWN - 1)];
	if (known->version == version && known->pc == pc && known->exact == exact &&
	    known->event == owner->event && version) {
		*place = known->place;
		return true;
	}
	if (!look_up(places, owner, pc, exact, place))
		return false;
	*known = (struct unwind_known){version, pc, owner->event, exact, *place};
	return true;
}

void unwind_places_free(struct unwind_places *places)
{
	free(places->known);
	places->known = NULL;
}
