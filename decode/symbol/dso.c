#include "decode/symbol/dso.h"

#include "util/array.h"
#include "util/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The key of a dso. */
struct identity {
	enum dso_kind kind;
	const char *path;
	const uint8_t *build_id;
	size_t len;
	uint32_t instance;
};

static uint64_t identity_hash(const struct identity *id)
{
	uint64_t hash = hash_bytes(id->path, strlen(id->path));

	hash = hash_add(hash, (uint64_t)id->kind << 32 | id->instance);
	return hash_u64(hash_add(hash, id->len ? hash_bytes(id->build_id, id->len) : 0));
}

static bool has_identity(const struct dso *dso, const struct identity *id)
{
	return dso->kind == id->kind && dso->instance == id->instance &&
	       (dso->is_told_late ? id->len == 0 : dso_has_build_id(dso, id->build_id, id->len)) &&
	       strcmp(dso->path, id->path) == 0;
}

static struct dso *find(const struct dso_table *table, const struct identity *id, uint64_t hash)
{
	uint32_t number;

	for (size_t at = index_first(&table->by_identity, hash);
	     index_next(&table->by_identity, hash, &at, &number);) {
		if (has_identity(table->dsos[number], id))
			return table->dsos[number];
	}
	return NULL;
}

/* Appends a new dso to the table's array without counting it in nr_dsos. NULL if memory is out. */
static struct dso *append(struct dso_table *table, const struct identity *id)
{
	const char *path = intern_keep(&table->strings, id->path);
	struct dso *dso;

	if (!path || !array_grow(table->dsos, table->room, table->nr_dsos + 1))
		return NULL;
	dso = calloc(1, sizeof(*dso));
	if (!dso)
		return NULL;
	dso->number = (uint32_t)table->nr_dsos;
	dso->kind = id->kind;
	dso->path = path;
	dso->instance = id->instance;
	dso->build_id_len = (uint8_t)id->len;
	if (id->len)
		memcpy(dso->build_id, id->build_id, id->len);
	table->dsos[table->nr_dsos] = dso;
	return dso;
}

static struct dso *get(struct dso_table *table, const struct identity *id)
{
	uint64_t hash = identity_hash(id);
	struct dso *dso = find(table, id, hash);

	if (dso)
		return dso;
	dso = append(table, id);
	if (!dso)
		return NULL;
	if (!index_add(&table->by_identity, hash)) {
		free(dso);
		return NULL;
	}
	table->nr_dsos++;
	return dso;
}

struct dso *dso_table_get(struct dso_table *table, enum dso_kind kind, const char *path,
			  const uint8_t *build_id, size_t build_id_len)
{
	const struct identity id = {
		.kind = kind,
		.path = path,
		.build_id = build_id,
		.len = build_id_len < DSO_BUILD_ID_MAX ? build_id_len : DSO_BUILD_ID_MAX,
	};

	return get(table, &id);
}

struct dso *dso_table_get_instance(struct dso_table *table, enum dso_kind kind, const char *path,
				   uint32_t instance)
{
	const struct identity id = {.kind = kind, .path = path, .instance = instance};

	return get(table, &id);
}

struct dso *dso_table_get_in_root(struct dso_table *table, enum dso_kind kind, const char *path,
				  const uint8_t *build_id, size_t build_id_len, const char *root,
				  uint32_t number)
{
	const struct identity id = {
		.kind = kind,
		.path = path,
		.build_id = build_id,
		.len = build_id_len < DSO_BUILD_ID_MAX ? build_id_len : DSO_BUILD_ID_MAX,
		.instance = UINT32_MAX - number, /* other instances count up from 0 */
	};
	struct dso *dso = get(table, &id);

	if (dso)
		dso->root = root;
	return dso;
}

void dso_format_build_id(const struct dso *dso, char text[DSO_BUILD_ID_TEXT])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < dso->build_id_len; i++) {
		*text++ = digits[dso->build_id[i] >> 4];
		*text++ = digits[dso->build_id[i] & 15];
	}
	*text = '\0';
}

const char *dso_perf_map(char path[DSO_PERF_MAP_MAX], uint32_t pid)
{
	snprintf(path, DSO_PERF_MAP_MAX, "/tmp/perf-%" PRIu32 ".map", pid);
	return path;
}

bool dso_is_anonymous(const struct dso *dso)
{
	return dso->kind == DSO_JIT ||
	       (dso->kind == DSO_NONE && strcmp(dso->path, DSO_ANONYMOUS) == 0);
}

void dso_table_free(struct dso_table *table)
{
	for (size_t i = 0; i < table->nr_dsos; i++)
		free(table->dsos[i]);
	free(table->dsos);
	index_free(&table->by_identity);
	intern_free(&table->strings);
	*table = (struct dso_table){0};
}
