#include "perffile/order/taken.h"

static inline uint64_t time_at(const struct taken *taken, const uint8_t *bytes)
{
	return taken_time(taken->finder, taken->swap, bytes);
}

void taken_begin(struct taken *taken, const struct run *run)
{
	taken->bytes = run->warm.bytes;
	taken->end = run->warm.bytes + run->len;
	taken->nr = 0;
	taken->time = taken->last = run->time;
}

/* Moves over the records that may be taken; the first may. */
static void take_one_by_one(struct taken *taken)
{
	struct raw_stretch left = {.bytes = taken->bytes};

	do {
		taken->last = taken->time;
		(void)raw_take(&left, taken->swap);
		if (left.bytes == taken->end)
			break;
		taken->time = time_at(taken, left.bytes);
	} while (taken->time < taken->bound);
	taken->bytes = left.bytes;
	taken->nr = left.nr;
}

/* As take_one_by_one(), where each record has @size bytes: only some of them are looked at. */
static void take_equal(struct taken *taken, uint16_t size)
{
	const uint8_t *bytes = taken->bytes;
	const size_t nr = (size_t)(taken->end - bytes) / size;
	size_t in = 0, step = 1, out;

	/* Record @in may be taken; @out may not, or is the end. */
	while (in + step < nr && time_at(taken, bytes + (in + step) * size) < taken->bound) {
		in += step;
		step *= 2;
	}
	out = in + step < nr ? in + step : nr;
	while (out - in > 1) {
		const size_t middle = in + (out - in) / 2;

		if (time_at(taken, bytes + middle * size) < taken->bound)
			in = middle;
		else
			out = middle;
	}
	taken->last = time_at(taken, bytes + in * size);
	taken->bytes = bytes + out * size;
	taken->nr = out;
	if (out < nr)
		taken->time = time_at(taken, taken->bytes);
}

void taken_fill(struct taken *taken, const struct run *run)
{
	if (run->last < taken->bound) {
		taken->last = run->last;
		taken->bytes = taken->end;
	} else if (run->size) {
		take_equal(taken, run->size);
	} else {
		take_one_by_one(taken);
	}
}
