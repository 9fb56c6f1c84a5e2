#include "decode/trace/tracepoke.h"

#include "util/array.h"

#include <stdlib.h>

/* Ranges are apart by so many bytes at least: a page. */
enum { RANGE_GAP = 4096 };

/* No code is in the last addresses, so that sums of addresses do not overflow. */
#define LAST_ADDRESS (UINT64_MAX - ((uint64_t)1 << 17))

/* ---- taking note ----------------------------------------------------------------------------- */

static uint64_t slot_of(uint64_t address)
{
	return address & ~(uint64_t)(TRACEPOKE_BYTES - 1);
}

/* Puts those of @bytes, which lie at @address, that are in the slot @slot there. */
static void put_bytes(struct trace_bytes *to, uint64_t slot, uint64_t address,
		      const struct span *bytes)
{
	const uint64_t len = span_left(bytes);

	for (unsigned i = 0; i < TRACEPOKE_BYTES; i++) {
		const uint64_t at = slot + i - address;

		if (slot + i < address || at >= len)
			continue;
		to->bytes[i] = bytes->pos[at];
		to->known |= (uint16_t)(1u << i);
	}
}

bool tracepokes_record(struct tracepokes *pokes, const struct record *rec)
{
	const struct record_text_poke *told = &rec->text_poke;
	const uint64_t old_len = span_left(&told->old_bytes), new_len = span_left(&told->new_bytes);
	const uint64_t len = old_len > new_len ? old_len : new_len;
	uint64_t slot = slot_of(told->addr);

	pokes->nr_records++;
	if (len == 0 || !(told->addr >> 63) || told->addr > LAST_ADDRESS)
		return true;
	for (; slot < told->addr + len; slot += TRACEPOKE_BYTES) {
		struct trace_poke *poke;

		if (!array_grow(pokes->list, pokes->room, pokes->nr + 1))
			return false;
		poke = &pokes->list[pokes->nr++];
		*poke = (struct trace_poke){
			.slot = slot, .time = rec->time, .nr = pokes->nr_records};
		put_bytes(&poke->before, slot, told->addr, &told->old_bytes);
		put_bytes(&poke->after, slot, told->addr, &told->new_bytes);
	}
	return true;
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_pokes(const void *a, const void *b)
{
	const struct trace_poke *x = a, *y = b;
	const int by_slot = compare_u64(x->slot, y->slot), by_time = compare_u64(x->time, y->time);

	return by_slot ? by_slot : by_time ? by_time : compare_u64(x->nr, y->nr);
}

/* Adds the bytes of @more that @bytes lacks. */
static void complete(struct trace_bytes *bytes, const struct trace_bytes *more)
{
	const uint16_t missing = more->known & (uint16_t)~bytes->known;

	for (unsigned i = 0; i < TRACEPOKE_BYTES; i++)
		if (missing & 1u << i)
			bytes->bytes[i] = more->bytes[i];
	bytes->known |= missing;
}

/* What is known of a slot from one change of it is passed on to the others. */
static void pass_on(struct tracepokes *pokes)
{
	struct trace_poke *list = pokes->list;

	for (size_t i = pokes->nr; i-- > 1;)
		if (list[i - 1].slot == list[i].slot)
			complete(&list[i - 1].before, &list[i].before);
	for (size_t i = 0; i < pokes->nr; i++)
		complete(&list[i].after, i && list[i - 1].slot == list[i].slot ? &list[i - 1].after
									       : &list[i].before);
}

/* Sets the ranges, which are @gap bytes apart at least. Returns false if they are too many. */
static bool set_ranges(struct tracepokes *pokes, uint64_t gap)
{
	struct trace_range *last = NULL;

	pokes->nr_ranges = 0;
	for (size_t i = 0; i < pokes->nr; i++) {
		const uint64_t start = pokes->list[i].slot;

		if (!last || (start > last->end && start - last->end >= gap)) {
			if (pokes->nr_ranges == TRACEPOKE_RANGES_MAX)
				return false;
			last = &pokes->ranges[pokes->nr_ranges++];
			last->start = start;
		}
		last->end = start + TRACEPOKE_BYTES;
	}
	return true;
}

void tracepokes_sort(struct tracepokes *pokes)
{
	uint64_t gap = RANGE_GAP;

	if (!pokes->nr)
		return;
	qsort(pokes->list, pokes->nr, sizeof(*pokes->list), compare_pokes);
	pass_on(pokes);
	while (!set_ranges(pokes, gap))
		gap *= 2;
}

/* ---- looking up ------------------------------------------------------------------------------ */

/* The number of changes in slots before @slot, and of those in it up to @time. */
static size_t nr_before(const struct tracepokes *pokes, uint64_t slot, uint64_t time)
{
	const struct trace_poke key = {.slot = slot, .time = time, .nr = UINT64_MAX};
	size_t low = 0, high = pokes->nr;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_pokes(&pokes->list[middle], &key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The bytes of a slot at @time; NULL: it does not change. */
static const struct trace_bytes *find_bytes(const struct tracepokes *pokes, uint64_t slot,
					    uint64_t time)
{
	const size_t nr = nr_before(pokes, slot, time);

	if (nr && pokes->list[nr - 1].slot == slot)
		return &pokes->list[nr - 1].after;
	if (nr < pokes->nr && pokes->list[nr].slot == slot)
		return &pokes->list[nr].before;
	return NULL;
}

size_t tracepokes_apply(const struct tracepokes *pokes, uint64_t time, uint64_t ip, uint8_t *code,
			size_t got, size_t len)
{
	const struct trace_bytes *known = NULL;
	uint64_t slot = 0;

	for (size_t i = 0; i < len; i++) {
		const unsigned at = (ip + i) % TRACEPOKE_BYTES;

		if (i == 0 || at == 0) {
			slot = slot_of(ip + i);
			known = find_bytes(pokes, slot, time);
		}
		if (known && known->known & 1u << at)
			code[i] = known->bytes[at];
		else if (i >= got)
			return i;
	}
	return len;
}

void tracepokes_free(struct tracepokes *pokes)
{
	free(pokes->list);
	*pokes = (struct tracepokes){0};
}
