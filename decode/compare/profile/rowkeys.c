#include "decode/compare/profile/rowkeys.h"

#include "util/array.h"
#include "util/hash.h"
#include "util/text.h"
#include "util/textfile.h"

#include <stdlib.h>
#include <string.h>

struct rowkeys *rowkeys_make(void)
{
	struct rowkeys *keys = calloc(1, sizeof(*keys));

	if (keys)
		keys->users = 1;
	return keys;
}

char *rowkeys_text(const char *const *names, size_t nr,
		   const char *(*value)(const void *arg, size_t number), const void *arg)
{
	struct textfile file;

	if (textfile_open(&file))
		for (size_t i = 0; i < nr; i++)
			fprintf(file.out, "%s%s=%s", i ? ", " : "", names[i], value(arg, i));
	return textfile_close(&file);
}

static uint64_t hash_key(const struct row_key *key)
{
	uint64_t hash = hash_add_bytes(0, key->event, strlen(key->event));

	hash = hash_add_bytes(hash, key->function, strlen(key->function));
	hash = hash_add_bytes(hash, key->filename, strlen(key->filename));
	hash = hash_add_bytes(hash, key->binary, strlen(key->binary));
	hash = hash_add_bytes(hash, key->build_id, strlen(key->build_id));
	hash = hash_add_bytes(hash, key->reason, strlen(key->reason));
	hash = hash_add_bytes(hash, key->keys, strlen(key->keys));
	return hash_u64(hash_add(hash_add(hash, key->line), key->size));
}

static bool is_same(const struct row_key *a, const struct row_key *b)
{
	return a->line == b->line && a->size == b->size && strcmp(a->function, b->function) == 0 &&
	       strcmp(a->filename, b->filename) == 0 && strcmp(a->binary, b->binary) == 0 &&
	       strcmp(a->build_id, b->build_id) == 0 && strcmp(a->reason, b->reason) == 0 &&
	       strcmp(a->event, b->event) == 0 && strcmp(a->keys, b->keys) == 0;
}

/* Replaces the texts of @key by stored copies. Returns false if memory is out. */
static bool keep_texts(struct intern *strings, struct row_key *key)
{
	const char **const texts[] = {&key->event,    &key->function, &key->filename, &key->binary,
				      &key->build_id, &key->reason,   &key->keys};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		*texts[i] = intern_keep(strings, *texts[i]);
		if (!*texts[i])
			return false;
	}
	return true;
}

/* Replaces *@text, if it is not UTF-8, by a stored copy that is. Returns false if memory is out. */
static bool repair(struct intern *strings, const char **text)
{
	const size_t len = strlen(*text);
	char *copy;

	if (text_is_ascii(*text))
		return true;
	copy = malloc(3 * len + 1);
	if (!copy)
		return false;
	*text_repair(copy, *text, len) = '\0';
	*text = intern_keep(strings, copy);
	free(copy);
	return *text != NULL;
}

/* Repairs the names of @key that a recording may have. Returns false if memory is out. */
static bool repair_names(struct intern *strings, struct row_key *key)
{
	return repair(strings, &key->event) && repair(strings, &key->function) &&
	       repair(strings, &key->filename) && repair(strings, &key->binary) &&
	       repair(strings, &key->keys);
}

const char *rowkeys_name(struct rowkeys *keys, const char *name)
{
	return repair(&keys->strings, &name) ? intern_keep(&keys->strings, name) : NULL;
}

uint32_t rowkeys_number(struct rowkeys *keys, const struct row_key *key)
{
	struct row_key copy = *key;
	uint32_t number;
	uint64_t hash;

	if (!copy.keys)
		copy.keys = "";
	if (!repair_names(&keys->strings, &copy))
		return ROWKEYS_NOMEM;
	hash = hash_key(&copy);
	for (size_t at = index_first(&keys->index, hash);
	     index_next(&keys->index, hash, &at, &number);)
		if (is_same(&keys->keys[number], &copy))
			return number;
	if (!keep_texts(&keys->strings, &copy) ||
	    !array_grow(keys->keys, keys->room, keys->nr + 1) || !index_add(&keys->index, hash))
		return ROWKEYS_NOMEM;
	keys->keys[keys->nr] = copy;
	return (uint32_t)keys->nr++;
}

void rowkeys_drop(struct rowkeys *keys)
{
	if (!keys || --keys->users > 0)
		return;
	free(keys->keys);
	index_free(&keys->index);
	intern_free(&keys->strings);
	free(keys);
}
