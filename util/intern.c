#include "util/intern.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

/* The first block is small, as there may be many tables with few strings. */
enum { BLOCK_BYTES_FIRST = 512, BLOCK_BYTES_MAX = 64 * 1024 };

struct intern_block {
	struct intern_block *next;
	size_t used, size;
	char bytes[];
};

/* Returns @len bytes that never move; NULL if memory is out. */
static char *block_take(struct intern *table, size_t len)
{
	struct intern_block *block = table->blocks;

	if (!block || block->size - block->used < len) {
		size_t size = block ? block->size * 2 : BLOCK_BYTES_FIRST;

		size = size < BLOCK_BYTES_MAX ? size : BLOCK_BYTES_MAX;
		size = size > len ? size : len;
		block = malloc(sizeof(*block) + size);
		if (!block)
			return NULL;
		*block = (struct intern_block){.next = table->blocks, .size = size};
		table->blocks = block;
	}
	block->used += len;
	return block->bytes + block->used - len;
}

/* Returns the number of the string, or 0. */
static uint32_t find(const struct intern *table, const char *str, size_t len, uint64_t hash)
{
	uint32_t i;

	for (size_t at = index_first(&table->index, hash);
	     index_next(&table->index, hash, &at, &i);) {
		const char *have = table->strings[i + 1];

		if (strncmp(have, str, len) == 0 && have[len] == '\0')
			return i + 1;
	}
	return 0;
}

static uint32_t add(struct intern *table, const char *str, size_t len, uint64_t hash)
{
	char *copy;

	if (!array_grow(table->strings, table->room, table->nr_strings + 2))
		return INTERN_NOMEM;
	copy = block_take(table, len + 1);
	if (!copy || !index_add(&table->index, hash))
		return INTERN_NOMEM;
	memcpy(copy, str, len);
	copy[len] = '\0';
	table->strings[++table->nr_strings] = copy;
	return (uint32_t)table->nr_strings;
}

uint32_t intern(struct intern *table, const char *str, size_t len)
{
	uint64_t hash;
	uint32_t number;

	len = strnlen(str, len);
	if (len == 0)
		return 0;
	if (table->limit && len > table->limit - table->taken) {
		table->is_full = true;
		return INTERN_NOMEM;
	}
	table->taken += table->limit ? len : 0;
	hash = hash_bytes(str, len);
	number = find(table, str, len, hash);
	return number ? number : add(table, str, len, hash);
}

uint32_t intern_string(struct intern *table, const char *str)
{
	return intern(table, str, strlen(str));
}

const char *intern_get(const struct intern *table, uint32_t number)
{
	return number ? table->strings[number] : "";
}

const char *intern_keep(struct intern *table, const char *str)
{
	uint32_t number = intern_string(table, str);

	return number == INTERN_NOMEM ? NULL : intern_get(table, number);
}

void intern_free(struct intern *table)
{
	for (struct intern_block *block = table->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	free(table->strings);
	index_free(&table->index);
	*table = (struct intern){0};
}
