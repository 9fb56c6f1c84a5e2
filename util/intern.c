#include "util/intern.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

/* Tables with few strings, of which there may be many, stay small. */
enum { BLOCK_BYTES_FIRST = 512, BLOCK_BYTES_MAX = 64 * 1024, FIRST_SLOTS = 16 };

struct intern_block {
	struct intern_block *next;
	size_t used, size;
	char bytes[];
};

/* Room for @len bytes that never move; NULL if memory is out. */
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

/* The slot that holds the string or the free one where it belongs. */
static uint32_t *find_slot(const struct intern *table, const char *str, size_t len)
{
	size_t at = hash_bytes(str, len) & (table->nr_slots - 1);

	for (; table->slots[at]; at = (at + 1) & (table->nr_slots - 1)) {
		const char *have = table->strings[table->slots[at]];

		if (strncmp(have, str, len) == 0 && have[len] == '\0')
			break;
	}
	return &table->slots[at];
}

static int grow_slots(struct intern *table)
{
	size_t nr_slots = table->nr_slots ? table->nr_slots * 2 : FIRST_SLOTS;
	uint32_t *slots = calloc(nr_slots, sizeof(*slots));

	if (!slots)
		return -1;
	free(table->slots);
	table->slots = slots;
	table->nr_slots = nr_slots;
	for (size_t i = 1; i <= table->nr_strings; i++)
		*find_slot(table, table->strings[i], strlen(table->strings[i])) = (uint32_t)i;
	return 0;
}

uint32_t intern(struct intern *table, const char *str, size_t len)
{
	uint32_t *slot;
	char *copy;

	len = strnlen(str, len);
	if (len == 0)
		return 0;
	if (table->limit && len > table->limit - table->taken) {
		table->is_full = true;
		return INTERN_NOMEM;
	}
	table->taken += table->limit ? len : 0;
	if ((table->nr_strings + 1) * 2 > table->nr_slots && grow_slots(table) < 0)
		return INTERN_NOMEM;
	slot = find_slot(table, str, len);
	if (*slot)
		return *slot;
	if (table->nr_strings + 1 >= INTERN_NOMEM ||
	    !array_grow(table->strings, table->room, table->nr_strings + 2))
		return INTERN_NOMEM;
	copy = block_take(table, len + 1);
	if (!copy)
		return INTERN_NOMEM;
	memcpy(copy, str, len);
	copy[len] = '\0';
	table->strings[++table->nr_strings] = copy;
	*slot = (uint32_t)table->nr_strings;
	return *slot;
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
	free(table->slots);
	*table = (struct intern){0};
}
