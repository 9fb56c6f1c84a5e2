#include "lib/cellstore.h"

#include "report/csvform.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

enum cellstore_kind cellstore_kind_of(enum cell_type type)
{
	switch (type) {
	case CELL_U64:
	case CELL_HEX:
		return CELLSTORE_NUMBER;
	case CELL_I32:
		return CELLSTORE_SIGNED;
	case CELL_DECIMAL:
	case CELL_PERCENT:
	case CELL_RATIO:
		return CELLSTORE_REAL;
	default:
		return CELLSTORE_TEXT;
	}
}

static double real_of(const struct cell *cell)
{
	if (cell->type != CELL_PERCENT)
		return cell->decimal;
	if (cell->percent.total == 0)
		return 0;
	return 100.0 * (double)cell->percent.part / (double)cell->percent.total;
}

/* Returns the number of the text of @cell, which is 0 if it has none. */
static uint32_t code_of(struct cellstore *store, const struct cell *cell)
{
	char number[CSVFORM_NUMBER_MAX];

	if (cell->type == CELL_TEXT || cell->type == CELL_NUMBER)
		return intern(&store->texts, cell->text.bytes,
			      strnlen(cell->text.bytes, cell->text.len));
	csvform_number(number, cell);
	return intern_string(&store->texts, number);
}

static bool make_room(struct cellstore *store, size_t nr)
{
	if (!array_grow(store->known, store->known_room, nr))
		return false;
	switch (store->kind) {
	case CELLSTORE_NUMBER:
		return array_grow(store->numbers, store->room, nr);
	case CELLSTORE_SIGNED:
		return array_grow(store->signeds, store->room, nr);
	case CELLSTORE_REAL:
		return array_grow(store->reals, store->room, nr);
	default:
		return array_grow(store->codes, store->room, nr);
	}
}

bool cellstore_add(struct cellstore *store, size_t row, const struct cell *cell)
{
	const bool known = cell->type != CELL_EMPTY;

	if (!make_room(store, row + 1))
		return false;
	store->known[row] = known;
	switch (store->kind) {
	case CELLSTORE_NUMBER:
		store->numbers[row] = known ? cell->u64 : 0;
		return true;
	case CELLSTORE_SIGNED:
		store->signeds[row] = known ? cell->i32 : 0;
		return true;
	case CELLSTORE_REAL:
		store->reals[row] = known ? real_of(cell) : 0;
		return true;
	default:
		store->codes[row] = known ? code_of(store, cell) : 0;
		return store->codes[row] != INTERN_NOMEM;
	}
}

void cellstore_free(struct cellstore *store)
{
	switch (store->kind) {
	case CELLSTORE_NUMBER:
		free(store->numbers);
		break;
	case CELLSTORE_SIGNED:
		free(store->signeds);
		break;
	case CELLSTORE_REAL:
		free(store->reals);
		break;
	default:
		free(store->codes);
	}
	free(store->known);
	intern_free(&store->texts);
	*store = (struct cellstore){.kind = store->kind};
}
