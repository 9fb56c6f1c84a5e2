#include "report/export/pagecalls.h"

#include "util/hash.h"

#include <stdlib.h>

/* The slot of the call, or the free one for it: calls lie in the slots themselves, as each look at
 * memory counts here. */
static struct page_call *find_slot(const struct pagecalls *calls, uint32_t caller, uint32_t callee)
{
	size_t at = (size_t)hash_u64((uint64_t)caller << 32 | callee) & (calls->nr_slots - 1);
	struct page_call *slot = &calls->slots[at];

	while (slot->caller && (slot->caller != caller || slot->callee != callee)) {
		at = (at + 1) & (calls->nr_slots - 1);
		slot = &calls->slots[at];
	}
	return slot;
}

static bool grow(struct pagecalls *calls)
{
	struct pagecalls grown = {.nr_slots = calls->nr_slots ? calls->nr_slots * 2 : 64,
				  .nr = calls->nr};

	grown.slots = calloc(grown.nr_slots, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	for (size_t i = 0; i < calls->nr_slots; i++) {
		const struct page_call *call = &calls->slots[i];

		if (call->caller)
			*find_slot(&grown, call->caller, call->callee) = *call;
	}
	free(calls->slots);
	*calls = grown;
	return true;
}

bool pagecalls_get(struct pagecalls *calls, uint32_t caller, uint32_t callee, uint32_t *number)
{
	struct page_call *slot;

	if ((calls->nr + 1) * 2 > calls->nr_slots && !grow(calls))
		return false;
	slot = find_slot(calls, caller + 1, callee);
	if (!slot->caller)
		*slot = (struct page_call){caller + 1, callee, (uint32_t)calls->nr++};
	*number = slot->number;
	return true;
}

void pagecalls_free(struct pagecalls *calls)
{
	free(calls->slots);
	*calls = (struct pagecalls){0};
}
