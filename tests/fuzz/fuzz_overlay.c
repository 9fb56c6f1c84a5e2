/*
 * Pieces of code that lie over each other, and ranges that nest: each address gives what going
 * through all of them gives.
 */
#include "decode/symbol/elf/ranges.h"
#include "decode/symbol/jit/overlay.h"
#include "tests/fuzz/fuzz.h"

enum { PIECES_MAX = 200, PROBES = 300 };

struct pieces {
	struct overlay_code list[PIECES_MAX];
	uint32_t nr;
};

/* Crowded near the start or near the last address, now and then huge. */
static void choose_pieces(struct pieces *pieces, struct fuzz_choices *choices)
{
	uint64_t base = fuzz_u8(choices) & 1 ? UINT64_MAX - PROBES : 0;

	for (; pieces->nr < PIECES_MAX && fuzz_choices_left(choices); pieces->nr++) {
		uint64_t start = base + fuzz_u8(choices), size = fuzz_u8(choices);

		if (size == 255)
			size = fuzz_u64(choices);
		pieces->list[pieces->nr] = (struct overlay_code){
			.start = start,
			.end = size > UINT64_MAX - start ? UINT64_MAX : start + size,
			.name = "x",
			.number = pieces->nr,
		};
	}
}

/* The number of the last piece that covers @address; UINT32_MAX: none. */
static uint32_t last_over(const struct pieces *pieces, uint64_t address)
{
	for (uint32_t i = pieces->nr; i-- > 0;)
		if (address >= pieces->list[i].start && address < pieces->list[i].end)
			return i;
	return UINT32_MAX;
}

/* The same of the innermost one; see decode/symbol/elf/ranges.h. */
static uint32_t innermost(const struct pieces *pieces, uint64_t address)
{
	const struct overlay_code *best = NULL;

	for (uint32_t i = 0; i < pieces->nr; i++) {
		const struct overlay_code *piece = &pieces->list[i];

		if (address < piece->start || address >= piece->end)
			continue;
		if (!best || piece->start > best->start ||
		    (piece->start == best->start && piece->end <= best->end))
			best = piece;
	}
	return best ? best->number : UINT32_MAX;
}

static void check_overlay(const struct pieces *pieces, uint64_t base)
{
	struct overlay overlay = {0};
	struct symtab table = {0};
	size_t cursor = 0;

	for (uint32_t i = 0; i < pieces->nr; i++)
		fuzz_check(overlay_add(&overlay, pieces->list[i].start,
				       pieces->list[i].end - pieces->list[i].start, "x") == 0);
	fuzz_check(overlay_build(&overlay, &table) == 0);
	for (uint64_t i = 0; i < PROBES; i++) {
		bool covered = last_over(pieces, base + i) != UINT32_MAX;

		fuzz_check(covered == (symtab_find(&table, base + i, &cursor) != NULL));
	}
	symtab_free(&table);
	overlay_free(&overlay);
}

static void check_ranges(const struct pieces *pieces, uint64_t base)
{
	struct ranges ranges = {0};
	size_t cursor = 0;

	for (uint32_t i = 0; i < pieces->nr; i++)
		fuzz_check(ranges_add(&ranges, pieces->list[i].start, pieces->list[i].end, i) == 0);
	fuzz_check(ranges_build(&ranges) == 0);
	for (uint64_t i = 0; i < PROBES; i++) {
		const struct range *range = ranges_find(&ranges, base + i, &cursor);

		fuzz_check((range ? range->item : UINT32_MAX) == innermost(pieces, base + i));
	}
	ranges_free(&ranges);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choices choices = fuzz_choices_of(data, size);
	struct pieces pieces = {.nr = 0};
	uint64_t base = size && data[0] & 1 ? UINT64_MAX - PROBES : 0;

	choose_pieces(&pieces, &choices);
	check_overlay(&pieces, base);
	check_ranges(&pieces, base);
	return 0;
}
