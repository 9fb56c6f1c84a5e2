#include "decode/trace/traceloss.h"

#include "util/array.h"
#include "util/hash.h"

const char *traceloss_word(enum trace_loss_kind kind)
{
	static const char *const words[TRACE_LOSS_NR] = {
		[TRACE_LOSS_OVERFLOW] = "overflow",	[TRACE_LOSS_TRUNCATED] = "aux-truncated",
		[TRACE_LOSS_NO_CODE] = "no-code",	[TRACE_LOSS_MISMATCH] = "mismatch",
		[TRACE_LOSS_BAD_PACKET] = "bad-packet", [TRACE_LOSS_KERNEL] = "kernel-not-traced",
		[TRACE_LOSS_PARTIAL] = "aux-partial",	[TRACE_LOSS_COLLISION] = "collision",
		[TRACE_LOSS_CUT] = "cut-record",	[TRACE_LOSS_SOURCE] = "unknown-source",
	};

	return words[kind];
}

uint32_t traceloss_add(struct trace_losses *losses, const struct trace_loss *loss)
{
	const uint64_t key = (uint64_t)loss->kind << 32 | loss->dso;
	const uint64_t hash = hash_u64(hash_add(key, (uint64_t)loss->cpu << 32 | loss->tid));
	struct index *ix = &losses->index;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		struct trace_loss *sum = &losses->list[number];

		if (sum->kind != loss->kind || sum->dso != loss->dso || sum->cpu != loss->cpu ||
		    sum->tid != loss->tid)
			continue;
		sum->bytes += loss->bytes;
		sum->ns += loss->ns;
		sum->count += loss->count;
		return number;
	}
	if (!array_grow(losses->list, losses->room, ix->nr + 1) || !index_add(ix, hash))
		return UINT32_MAX;
	losses->list[ix->nr - 1] = *loss;
	return (uint32_t)(ix->nr - 1);
}

void traceloss_free(struct trace_losses *losses)
{
	free(losses->list);
	index_free(&losses->index);
	*losses = (struct trace_losses){0};
}
