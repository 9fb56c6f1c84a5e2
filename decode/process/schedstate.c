#include "decode/process/schedstate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool schedstates_read(struct schedstates *states, const struct perffile *file, uint64_t id)
{
	struct tracepoint point;
	struct tracefield field;

	*states = (struct schedstates){0};
	return !perffile_tracepoint(file, id, &point) ||
	       !tracefield_find(&point, "prev_state", strlen("prev_state"), &field) ||
	       tracewords_read(&states->words, &point, &field);
}

void schedstate_write(const struct schedstates *states, uint64_t state, char text[SCHEDSTATE_BYTES])
{
	const struct tracewords *words = &states->words;
	const uint64_t mask = words->nr ? words->mask : UINT64_MAX;
	const bool more = state & ~mask;

	/* Bits beyond those with words say that it was preempted: the kernel prints a plus. */
	if (!tracewords_write(words, state & mask, text, SCHEDSTATE_BYTES - 1))
		snprintf(text, SCHEDSTATE_BYTES - 1, state & mask ? "0x%" PRIx64 : "R",
			 state & mask);
	if (more)
		strcat(text, "+");
}

void schedstates_free(struct schedstates *states)
{
	tracewords_free(&states->words);
}
