#include "decode/count/addressrows.h"

#include "util/array.h"

#include <stdlib.h>

bool address_rows_init(struct address_rows *rows, size_t nr_addresses)
{
	*rows = (struct address_rows){
		.list_of = calloc(nr_addresses + 1, sizeof(*rows->list_of)),
	};
	return rows->list_of;
}

static bool append_word(struct address_rows *rows, uint32_t word)
{
	if (rows->nr_words >= ADDRESS_ROWS_NONE ||
	    !array_grow(rows->words, rows->room, rows->nr_words + 1))
		return false;
	rows->words[rows->nr_words++] = word;
	return true;
}

uint32_t address_rows_start(struct address_rows *rows)
{
	const size_t list = rows->nr_words;

	return append_word(rows, 0) ? (uint32_t)list : ADDRESS_ROWS_NONE;
}

bool address_rows_append(struct address_rows *rows, uint32_t list, uint32_t row)
{
	if (!append_word(rows, row))
		return false;
	rows->words[list]++;
	if (row >= rows->nr_rows)
		rows->nr_rows = (size_t)row + 1;
	return true;
}

void address_rows_renumber(struct address_rows *rows, const uint32_t *numbers)
{
	for (size_t list = 0; list < rows->nr_words; list += rows->words[list] + 1)
		for (size_t i = 1; i <= rows->words[list]; i++)
			rows->words[list + i] = numbers[rows->words[list + i]];
}

void address_rows_free(struct address_rows *rows)
{
	free(rows->words);
	free(rows->list_of);
	*rows = (struct address_rows){0};
}
