#include "report/export/pagecode.h"

#include "decode/symbol/answer.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

enum { INSTRUCTION_BYTES = 16 }; /* a guess: numbers, and its part of the distinct texts */

/* ---- which code ------------------------------------------------------------------------------ */

static uint64_t hash_code(const struct code *code)
{
	return hash_u64((uint64_t)(uintptr_t)code);
}

/* @code among those chosen, or NULL. */
static struct page_code *find_code(const struct pagecode *codes, const struct code *code)
{
	const uint64_t hash = hash_code(code);
	uint32_t at;

	for (size_t i = index_first(&codes->by_code, hash);
	     index_next(&codes->by_code, hash, &i, &at);)
		if (codes->list[at].address->code == code)
			return &codes->list[at];
	return NULL;
}

static bool add_code(struct pagecode *codes, const struct page_code *code)
{
	if (!array_grow(codes->list, codes->room, codes->nr + 1))
		return false;
	codes->list[codes->nr++] = *code;
	return index_add(&codes->by_code, hash_code(code->address->code));
}

static int compare_codes(const void *a, const void *b)
{
	const struct page_code *x = a, *y = b;
	int order;

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	if ((order = strcmp(x->address->binary, y->address->binary)) != 0)
		return order;
	return (x->address->address > y->address->address) -
	       (x->address->address < y->address->address);
}

/* Sums up the addresses of each code; false if memory is out. */
static bool sum_codes(struct pagecode *all, const struct address_stat *addresses, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct address_stat *address = &addresses[i];
		struct page_code *known;

		if (!address->code)
			continue;
		known = find_code(all, address->code);
		if (known)
			known->period += address->self.period;
		else if (!add_code(all, &(struct page_code){address, address->self.period}))
			return false;
	}
	if (all->nr)
		qsort(all->list, all->nr, sizeof(*all->list), compare_codes);
	return true;
}

bool pagecode_choose(struct pagecode *codes, const struct address_stat *addresses, size_t nr,
		     uint64_t bytes)
{
	struct pagecode all = {0};
	bool ok = sum_codes(&all, addresses, nr);

	for (size_t i = 0; ok && i < all.nr; i++) {
		const struct code *code = all.list[i].address->code;
		const uint64_t size = code->nr * INSTRUCTION_BYTES;

		if (find_code(codes, code))
			continue;
		if (size > bytes)
			break;
		bytes -= size;
		ok = add_code(codes, &all.list[i]);
	}
	pagecode_free(&all);
	return ok;
}

void pagecode_free(struct pagecode *codes)
{
	free(codes->list);
	index_free(&codes->by_code);
	*codes = (struct pagecode){0};
}

/* ---- the code -------------------------------------------------------------------------------- */

static bool put_string(struct pagenumbers *packed, struct intern *strings, const char *string)
{
	const uint32_t number = intern_string(strings, string);

	pagenumbers_put(packed, number);
	return number != INTERN_NOMEM;
}

static bool put_code(struct pagenumbers *packed, struct intern *strings,
		     const struct address_stat *address)
{
	const struct code *code = address->code;
	uint64_t before = code->start;
	bool ok = put_string(packed, strings, address->physical) &&
		  put_string(packed, strings, address->binary);

	pagenumbers_put(packed, code->start >> 32);
	pagenumbers_put(packed, code->start & UINT32_MAX);
	pagenumbers_put(packed, code->end - code->start);
	pagenumbers_put(packed, code->nr);
	for (size_t i = 0; i < code->nr; i++) {
		const struct instruction *one = &code->instructions[i];

		pagenumbers_put(packed, one->address - before);
		ok &= put_string(packed, strings, one->text);
		ok &= put_string(packed, strings, one->filename);
		pagenumbers_put(packed, one->line);
		pagenumbers_put(packed,
				one->target == UINT64_MAX ? 0 : one->target - code->start + 1);
		before = one->address;
	}
	return ok;
}

bool pagecode_put(const struct pagecode *codes, struct pagenumbers *packed, struct intern *strings)
{
	bool ok = true;

	pagenumbers_put(packed, codes->nr);
	for (size_t i = 0; i < codes->nr; i++)
		ok &= put_code(packed, strings, codes->list[i].address);
	return ok;
}

/* ---- what it counted ------------------------------------------------------------------------- */

/* An address whose instruction is on the page. */
struct page_spot {
	const struct address_stat *address;
	size_t function;
	uint64_t code, instruction;
};

/* Finds the instruction at the row's address. False if it was left out. */
static bool find_instruction(const struct address_stat *row, uint64_t *number)
{
	const struct code *code = row->code;
	size_t low = 0, high = code->nr;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (code->instructions[middle].address < row->address)
			low = middle + 1;
		else
			high = middle;
	}
	*number = low;
	return low < code->nr && code->instructions[low].address == row->address;
}

static bool find_spot(const struct pagecode *codes, const struct address_stat *address,
		      struct page_spot *spot)
{
	const struct page_code *code = address->code ? find_code(codes, address->code) : NULL;

	if (!code)
		return false;
	spot->address = address;
	spot->code = (uint64_t)(code - codes->list);
	return find_instruction(address, &spot->instruction);
}

static int compare_spots(const void *a, const void *b)
{
	const struct page_spot *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

static void put_spots(struct pagenumbers *packed, const struct page_spot *spots, size_t nr)
{
	pagenumbers_put(packed, nr);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, spots[i].function - (i ? spots[i - 1].function : 0));
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, spots[i].code);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, spots[i].instruction);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, spots[i].address->self.samples);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, spots[i].address->self.period);
}

/* Of each function the address with the largest period: why it has no code. */
static bool put_lacks(struct pagenumbers *packed, struct intern *strings,
		      const struct address_stat *const *hottest, size_t nr_functions)
{
	size_t nr = 0, last = 0;
	bool ok = true;

	for (size_t i = 0; i < nr_functions; i++)
		nr += hottest[i] != NULL;
	pagenumbers_put(packed, nr);
	for (size_t i = 0; i < nr_functions; i++)
		if (hottest[i]) {
			pagenumbers_put(packed, i - last);
			last = i;
		}
	for (size_t i = 0; i < nr_functions; i++)
		if (hottest[i])
			ok &= put_string(packed, strings,
					 hottest[i]->code ? "too little room: --html-size"
							  : hottest[i]->code_lack);
	return ok;
}

bool pagecode_put_spots(const struct pagecode *codes, struct pagenumbers *packed,
			struct intern *strings, const struct address_stat *addresses, size_t nr,
			const struct function_stat *functions, size_t nr_functions)
{
	struct page_spot *spots = calloc(nr + 1, sizeof(*spots));
	const struct address_stat **hottest = calloc(nr_functions + 1, sizeof(*hottest));
	size_t nr_spots = 0;
	bool ok = spots && hottest;

	for (size_t i = 0; ok && i < nr; i++) {
		const struct address_stat *address = &addresses[i];
		const size_t function = (size_t)(address->owner - functions);
		struct page_spot *spot = &spots[nr_spots];

		spot->function = function;
		if (find_spot(codes, address, spot))
			nr_spots++;
		else if (!hottest[function] ||
			 address->self.period > hottest[function]->self.period)
			hottest[function] = address;
	}
	if (ok) {
		qsort(spots, nr_spots, sizeof(*spots), compare_spots);
		put_spots(packed, spots, nr_spots);
		ok = put_lacks(packed, strings, hottest, nr_functions);
	}
	free(spots);
	free(hottest);
	return ok;
}

/* ---- source ---------------------------------------------------------------------------------- */

static int compare_shares(const void *a, const void *b)
{
	const struct source_stat *x = *(const struct source_stat *const *)a,
				 *y = *(const struct source_stat *const *)b;

	if (x->share != y->share)
		return x->share > y->share ? -1 : 1;
	return (x > y) - (x < y);
}

static uint64_t size_of(const struct source_stat *text)
{
	uint64_t size = 16;

	for (uint32_t i = 0; i < text->nr; i++)
		size += 2 + strlen(text->lines[i]);
	return size;
}

static bool put_text(struct pagenumbers *packed, struct intern *strings,
		     const struct source_stat *text)
{
	bool ok = put_string(packed, strings, text->filename);

	pagenumbers_put(packed, text->newer);
	ok &= put_string(packed, strings, text->lack);
	pagenumbers_put(packed, text->first);
	pagenumbers_put(packed, text->nr);
	for (uint32_t i = 0; i < text->nr; i++)
		ok &= put_string(packed, strings, text->lines[i]);
	return ok;
}

bool pagecode_put_sources(struct pagenumbers *packed, struct intern *strings,
			  const struct source_stat *texts, size_t nr, uint64_t bytes)
{
	const struct source_stat **order = calloc(nr + 1, sizeof(*order));
	size_t kept = 0;
	bool ok = true;

	if (!order)
		return false;
	for (size_t i = 0; i < nr; i++)
		order[i] = &texts[i];
	qsort(order, nr, sizeof(*order), compare_shares);
	while (kept < nr && size_of(order[kept]) <= bytes)
		bytes -= size_of(order[kept++]);
	pagenumbers_put(packed, kept);
	for (size_t i = 0; i < kept; i++)
		ok &= put_text(packed, strings, order[i]);
	free(order);
	return ok;
}
