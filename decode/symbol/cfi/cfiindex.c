#include "decode/symbol/cfi/cfiindex.h"

#include "util/array.h"

#include <dwarf.h>
#include <stdlib.h>

enum {
	ENTRY_BYTES = 8,
	/* The table is divided after so many finds: one for each FOUND_PART of its entries, and
	 * FOUND_MIN at least. Addresses in rows that are known are no finds. */
	FOUND_PART = 128,
	FOUND_MIN = 64,
};

/* ---- the linker's table ---------------------------------------------------------------------- */

/* What is before the first entry. */
struct table_header {
	uint8_t version, count, entry; /* DW_EH_PE_ of the number of entries, and of their words */
	uint64_t eh_frame, nr;
};

static struct table_header read_header(struct span *hdr, uint64_t hdr_addr, bool is_64bit)
{
	const struct cfi_section section = {
		.bytes = *hdr, .addr = hdr_addr, .data = hdr_addr, .is_64bit = is_64bit};
	const unsigned address_size = is_64bit ? 8 : 4;
	struct table_header header = {.version = span_u8(hdr)};
	const uint8_t frame = span_u8(hdr);

	header.count = span_u8(hdr);
	header.entry = span_u8(hdr);
	header.eh_frame = cfi_pointer(&section, hdr, frame, address_size);
	header.nr = cfi_pointer(&section, hdr, header.count, address_size);
	return header;
}

bool cfi_index_eh_frame(struct span hdr, uint64_t hdr_addr, bool is_64bit, uint64_t *address)
{
	*address = read_header(&hdr, hdr_addr, is_64bit).eh_frame;
	return !hdr.failed && *address != 0;
}

/* Whether entries are of the form that all linkers make. */
static bool is_usual(const struct table_header *header, const struct span *entries)
{
	return header->version == 1 && header->count != DW_EH_PE_omit && !entries->failed &&
	       header->entry == (DW_EH_PE_datarel | DW_EH_PE_sdata4) && header->nr <= UINT32_MAX &&
	       span_holds(entries, header->nr, ENTRY_BYTES);
}

void cfi_index_init(struct cfi_index *index, const struct cfi_section *section, struct span hdr,
		    uint64_t hdr_addr)
{
	struct table_header header;

	*index = (struct cfi_index){.section = section};
	if (span_left(&hdr) == 0)
		return;
	header = read_header(&hdr, hdr_addr, section->is_64bit);
	if (is_usual(&header, &hdr))
		index->table = (struct cfi_table){hdr, (size_t)header.nr, hdr_addr};
}

/* The address in the first (@word 0) or second half of entry @number. */
static uint64_t table_at(const struct cfi_index *index, size_t number, unsigned word)
{
	const struct cfi_table *table = &index->table;
	struct span s = table->entries;
	uint64_t address;

	span_skip(&s, number * ENTRY_BYTES + 4 * word);
	address = table->base + (uint64_t)(int32_t)span_u32(&s);
	return index->section->is_64bit ? address : (uint32_t)address;
}

static bool is_sorted(const struct cfi_index *index)
{
	for (size_t i = 1; i < index->table.nr; i++) {
		if (table_at(index, i, 0) < table_at(index, i - 1, 0))
			return false;
	}
	return true;
}

static bool covers(const struct cfi_fde *fde, uint64_t address)
{
	return address >= fde->start && address < fde->end;
}

/* Sets [@low, @high) to the entries of the stretch that has @address, as far as it is known. */
static inline void narrow(const struct cfi_index *index, uint64_t address, size_t *low,
			  size_t *high)
{
	const struct cfi_stretches *stretches =
		atomic_load_explicit(&index->stretches, memory_order_acquire);
	uint64_t number;

	if (!stretches || address < stretches->first)
		return;
	number = (address - stretches->first) >> stretches->shift;
	if (number < stretches->nr) {
		*low = stretches->up_to[number];
		*high = stretches->up_to[number + 1];
	}
}

/* How many entries begin at @address or before. */
static size_t table_up_to(const struct cfi_index *index, uint64_t address)
{
	size_t low = 0, high = index->table.nr;

	narrow(index, address, &low, &high);
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (table_at(index, middle, 0) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool find_in_table(const struct cfi_index *index, uint64_t address, struct cfi_fde *fde)
{
	const size_t nr = table_up_to(index, address);

	return nr > 0 &&
	       cfi_read_fde(index->section, table_at(index, nr - 1, 1) - index->section->addr,
			    fde) &&
	       covers(fde, address);
}

/* As many stretches as the table has entries, at most, for free(); NULL if memory is out. */
static struct cfi_stretches *make_stretches(const struct cfi_index *index)
{
	const size_t nr_entries = index->table.nr;
	const uint64_t first = table_at(index, 0, 0), last = table_at(index, nr_entries - 1, 0);
	struct cfi_stretches *stretches;
	unsigned shift = 0;
	size_t nr;

	while ((last - first) >> shift >= nr_entries)
		shift++;
	nr = (size_t)((last - first) >> shift) + 1;
	stretches = malloc(sizeof(*stretches) + (nr + 1) * sizeof(stretches->up_to[0]));
	if (stretches)
		*stretches = (struct cfi_stretches){first, shift, nr};
	return stretches;
}

/* Sets what is in each of the @stretches. Returns false if the table is not in order. */
static bool fill_stretches(const struct cfi_index *index, struct cfi_stretches *stretches)
{
	uint64_t before = stretches->first;
	size_t next = 0;

	for (size_t i = 0; i < index->table.nr; i++) {
		const uint64_t start = table_at(index, i, 0);
		const size_t number = (size_t)((start - stretches->first) >> stretches->shift);

		if (start < before || number >= stretches->nr)
			return false;
		before = start;
		while (next <= number)
			stretches->up_to[next++] = (uint32_t)i;
	}
	while (next <= stretches->nr)
		stretches->up_to[next++] = (uint32_t)index->table.nr;
	return true;
}

/* Divides the table. If it is not in order, or memory is out, it stays as it is. */
static void divide(struct cfi_index *index)
{
	struct cfi_stretches *stretches = make_stretches(index);

	if (stretches && fill_stretches(index, stretches)) {
		index->is_checked = true;
		atomic_store_explicit(&index->stretches, stretches, memory_order_release);
	} else {
		free(stretches);
	}
}

/* An address was found in the table. */
static void note_found(struct cfi_index *index)
{
	const size_t part = index->table.nr / FOUND_PART;

	if (++index->nr_found == (part > FOUND_MIN ? part : (size_t)FOUND_MIN))
		divide(index);
}

/* ---- our own --------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
	const struct cfi_place *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

/* Returns -1 if memory is out. */
static int walk(struct cfi_index *index)
{
	uint64_t offset = 0;
	struct cfi_fde fde;

	index->is_walked = true;
	if (span_left(&index->section->bytes) == 0)
		return 0;
	do {
		if (!cfi_read_fde(index->section, offset, &fde))
			continue;
		if (!array_grow(index->places, index->room, index->nr_places + 1))
			return -1;
		index->places[index->nr_places++] = (struct cfi_place){fde.start, offset};
	} while (cfi_skip_entry(index->section, &offset));
	if (index->nr_places)
		qsort(index->places, index->nr_places, sizeof(*index->places), compare_places);
	return 0;
}

static size_t places_up_to(const struct cfi_index *index, uint64_t address)
{
	size_t low = 0, high = index->nr_places;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (index->places[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool find_in_places(const struct cfi_index *index, uint64_t address, struct cfi_fde *fde)
{
	const size_t nr = places_up_to(index, address);

	return nr > 0 && cfi_read_fde(index->section, index->places[nr - 1].offset, fde) &&
	       covers(fde, address);
}

int cfi_index_find(struct cfi_index *index, uint64_t address, struct cfi_fde *fde)
{
	if (index->table.nr) {
		if (find_in_table(index, address, fde)) {
			note_found(index);
			return 1;
		}
		if (!index->is_checked && !is_sorted(index))
			index->table.nr = 0;
		index->is_checked = true;
		if (index->table.nr)
			return 0;
	}
	if (!index->is_walked && walk(index) < 0)
		return -1;
	return find_in_places(index, address, fde);
}

bool cfi_index_is_settled(const struct cfi_index *index)
{
	return atomic_load_explicit(&index->stretches, memory_order_acquire);
}

size_t cfi_index_number(const struct cfi_index *index, uint64_t address)
{
	const size_t nr = index->table.nr ? table_up_to(index, address) : 0;

	return nr ? nr - 1 : SIZE_MAX;
}

int cfi_index_gap(struct cfi_index *index, uint64_t address, size_t *before)
{
	struct cfi_fde fde;
	const int found = cfi_index_find(index, address, &fde);
	size_t nr = index->table.nr;

	*before = 0;
	if (found != 0)
		return found < 0 ? -1 : 0;
	*before = nr ? table_up_to(index, address) : places_up_to(index, address);
	nr = nr ? nr : index->nr_places;
	return *before > 0 && *before < nr;
}

void cfi_index_free(struct cfi_index *index)
{
	free(index->places);
	free(index->stretches);
	*index = (struct cfi_index){0};
}
