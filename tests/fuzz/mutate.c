#include "tests/fuzz/mutate.h"

#include <stdlib.h>
#include <string.h>

/* splitmix64 */
uint64_t mutate_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

uint64_t mutate_below(uint64_t *state, uint64_t nr)
{
	return nr ? mutate_random(state) % nr : 0;
}

uint64_t mutate_interesting(uint64_t *state)
{
	uint64_t random = mutate_random(state), power = 1ULL << random % 64;

	switch (random >> 8 & 7) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX - (random >> 16) % 4096;
	case 2:
		return power - 1;
	case 3:
		return power + 1;
	case 4:
		return random >> 16 & 0xffff;
	case 5:
		return 0 - power;
	case 6:
		return random >> 16 & 0xff;
	default:
		return power;
	}
}

/* ---- as bytes -------------------------------------------------------------------------------- */

static void flip_bits(struct mutation *m)
{
	struct layout *layout = &m->layout;
	uint64_t nr = 1 + mutate_below(&m->random, 8);

	for (uint64_t i = 0; i < nr && layout->size; i++)
		layout->bytes[mutate_below(&m->random, layout->size)] ^=
			(uint8_t)(1 << mutate_below(&m->random, 8));
}

static void set_number(struct mutation *m)
{
	size_t width = 2U << mutate_below(&m->random, 3);
	size_t at = mutate_below(&m->random, m->layout.size / width) * width;

	layout_put(&m->layout, at, width, mutate_interesting(&m->random));
}

/* In the header, where a number means most. */
static void set_header(struct mutation *m)
{
	layout_put(&m->layout, mutate_below(&m->random, 13) * 8, 8,
		   mutate_random(&m->random) & 1 ? mutate_interesting(&m->random)
						 : mutate_below(&m->random, 2 * m->layout.size));
}

static void truncate_bytes(struct mutation *m)
{
	m->layout.size = mutate_below(&m->random, m->layout.size);
}

static void cut_piece(struct mutation *m)
{
	struct layout *layout = &m->layout;
	size_t at = mutate_below(&m->random, layout->size);
	size_t len = mutate_below(&m->random, layout->size - at);

	memmove(layout->bytes + at, layout->bytes + at + len, layout->size - at - len);
	layout->size -= len;
}

/* Puts a copy of a piece at some other place. */
static void repeat_piece(struct mutation *m)
{
	struct layout *layout = &m->layout;
	size_t at = mutate_below(&m->random, layout->size),
	       to = mutate_below(&m->random, layout->size);
	size_t len = mutate_below(&m->random, layout->size - at);
	uint8_t *piece;

	if (len > layout->room - layout->size)
		len = layout->room - layout->size;
	piece = malloc(len + 1);
	if (!piece)
		abort();
	memcpy(piece, layout->bytes + at, len);
	memmove(layout->bytes + to + len, layout->bytes + to, layout->size - to);
	memcpy(layout->bytes + to, piece, len);
	layout->size += len;
	free(piece);
}

/* Writes a piece of the other recording over this one. */
static void overwrite_piece(struct mutation *m)
{
	struct layout *layout = &m->layout;
	size_t at = mutate_below(&m->random, layout->size), from, len;

	if (!m->other || !m->other->size)
		return;
	from = mutate_below(&m->random, m->other->size);
	len = mutate_below(&m->random, m->other->size - from);
	if (len > layout->size - at)
		len = layout->size - at;
	memcpy(layout->bytes + at, m->other->bytes + from, len);
}

const struct mutator mutate_bytes[] = {
	{"flip bits", flip_bits},
	{"set a number", set_number},
	{"set a header's field", set_header},
	{"truncate", truncate_bytes},
	{"cut a piece", cut_piece},
	{"repeat a piece", repeat_piece},
	{"overwrite a piece", overwrite_piece},
};
const unsigned mutate_nr_bytes = sizeof(mutate_bytes) / sizeof(mutate_bytes[0]);

/* ---- all of it ------------------------------------------------------------------------------- */

size_t mutate(uint8_t *bytes, size_t size, size_t room, const struct layout *other, uint64_t seed)
{
	struct mutation m = {.other = other, .random = seed};
	uint64_t nr = 1 + mutate_below(&m.random, 5);

	for (uint64_t i = 0; i < nr; i++) {
		/* Anew each time: what was done last may have moved all of it. */
		bool known = layout_find(&m.layout, bytes, size, room);

		if (known && mutate_below(&m.random, 4))
			mutate_records[mutate_below(&m.random, mutate_nr_records)].run(&m);
		else
			mutate_bytes[mutate_below(&m.random, mutate_nr_bytes)].run(&m);
		size = m.layout.size;
	}
	return size;
}
