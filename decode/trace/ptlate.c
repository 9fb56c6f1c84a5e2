#include "decode/trace/ptlate.h"

static bool moves_clock(uint8_t kind)
{
	return kind == PTSTEP_TICK || kind == PTSTEP_DISABLED || kind == PTSTEP_END ||
	       kind == PTSTEP_STOP;
}

/* What a decoder that reads ahead has read when it tells of a step of @kind. */
static uint8_t ahead_of(uint8_t kind)
{
	if (kind == PTSTEP_TICK)
		return PTCLOCK_EVENT;
	return kind == PTSTEP_DISABLED ? PTCLOCK_TNT : PTCLOCK_NOTHING;
}

bool ptlate_put(struct ptlate *late, struct ptstep *step, size_t offset)
{
	const bool was_late = late->branches > 0;
	unsigned branches = 0;
	struct ptstep now;
	bool is_late;

	if (!moves_clock(step->kind))
		return true;
	late->clock.ahead = late->reads_ahead ? ahead_of(step->kind) : PTCLOCK_NOTHING;
	if (late->has_cycles && step->kind != PTSTEP_STOP)
		branches = ptclock_read(&late->clock, late->bytes, offset);
	step->cycles = late->clock.told;
	step->cycles_read = late->clock.read;
	is_late = step->kind == PTSTEP_TICK && branches > 1;
	if (!was_late && !is_late)
		return true;
	now = *step;
	*step = late->late;
	late->branches = is_late ? branches - 1 : 0;
	late->has_next = !is_late;
	*(is_late ? &late->late : &late->next) = now;
	return was_late;
}

bool ptlate_take_next(struct ptlate *late, struct ptstep *step)
{
	const bool has_next = late->has_next;

	late->has_next = false;
	if (has_next)
		*step = late->next;
	return has_next;
}
