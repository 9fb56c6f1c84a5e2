#include "decode/symbol/unwindinfo.h"

#include "decode/symbol/cfi/cfi.h"
#include "decode/symbol/find/loadcontext.h"
#include "decode/symbol/find/locate.h"
#include "decode/symbol/jit/jitunwind.h"
#include "decode/symbol/kernel/vdso.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Places that are kept of a dso; then it starts again. */
	MAX_PLACES = 1 << 20,
	/* Rules of a dso; real ones have some hundreds. */
	MAX_RULES = 1 << 16,
	/* Rules are allocated in blocks, so that they stay where they are. */
	RULES_OF_BLOCK = 256,
};

/** The rule of a place. */
struct known_place {
	uint64_t place;
	const struct cfi_rule *rule;
};

/* All zero was not opened. */
struct unwindable {
	bool is_open;
	struct elffile *runtime, *debug;
	struct cfi *cfi;	/* NULL: there is no file */
	struct jit_unwind *jit; /* of a DSO_JITDUMP */
	struct known_place *places;
	size_t nr_slots, nr_places; /* slots: a power of two, or 0 */
	struct cfi_rule **blocks;
	size_t nr_rules, blocks_room;
	struct index rules;
};

struct unwindinfo {
	struct load_context *context;
	struct unwindable *list; /* by the dso's number */
	size_t nr, room;
	struct intern strings; /* paths of the files that were tried */
};

struct unwindinfo *unwindinfo_create(struct load_context *context)
{
	struct unwindinfo *info = calloc(1, sizeof(*info));

	if (info)
		info->context = context;
	return info;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Returns -1 if memory is out. */
static int open_files(struct unwindinfo *info, struct unwindable *u, const struct dso *dso)
{
	struct located found = {0};
	bool nomem = false;

	if (dso->kind == DSO_VDSO)
		u->runtime = vdso_open(dso, info->context, &nomem);
	if (!u->runtime && !nomem && (dso->kind == DSO_USER || dso->build_id_len)) {
		locate_files(dso, &info->context->settings, info->context->servers, NULL,
			     &info->strings, &found, &nomem);
		u->runtime = found.runtime;
		u->debug = found.debug;
		elffile_close(found.alternate);
		elffile_close(found.package);
	}
	if (nomem)
		return -1;
	if (!u->runtime)
		return 0;
	u->cfi = cfi_open(u->runtime, u->debug);
	return u->cfi ? 0 : -1;
}

static int open_unwindable(struct unwindinfo *info, struct unwindable *u, const struct dso *dso)
{
	bool nomem = false;

	u->is_open = true;
	if ((dso->kind == DSO_USER && !dso->replaced) || dso->kind == DSO_VDSO)
		return open_files(info, u, dso);
	if (dso->kind == DSO_JITDUMP)
		u->jit = jit_unwind_open(dso, &nomem);
	return nomem ? -1 : 0;
}

/* What is known of @dso; NULL if memory is out. */
static struct unwindable *unwindable_of(struct unwindinfo *info, const struct dso *dso)
{
	const size_t need = (size_t)dso->number + 1, had = info->nr;

	if (need > info->nr) {
		if (!array_grow(info->list, info->room, need))
			return NULL;
		memset(&info->list[had], 0, (need - had) * sizeof(*info->list));
		info->nr = need;
	}
	if (!info->list[dso->number].is_open &&
	    open_unwindable(info, &info->list[dso->number], dso) < 0)
		return NULL;
	return &info->list[dso->number];
}

uint16_t unwindinfo_machine(struct unwindinfo *info, const struct dso *dso)
{
	const struct unwindable *u = unwindable_of(info, dso);

	return u && u->runtime ? u->runtime->machine : 0;
}

bool unwindinfo_is_any(struct unwindinfo *info, const struct dso *dso)
{
	const struct unwindable *u = unwindable_of(info, dso);

	return u && u->cfi && cfi_is_any(u->cfi);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Where it is found; CFI_NONE: nowhere. False if memory is out. */
static bool find_row(struct unwindable *u, uint64_t place, struct cfi_row *row, uint64_t *address,
		     enum cfi_source *source)
{
	*source = CFI_NONE;
	*address = place;
	if (u->jit)
		return jit_unwind_find(u->jit, place, row, source);
	if (!u->cfi || !elffile_offset_to_address(u->runtime, place, address))
		return true;
	return cfi_find(u->cfi, *address, row, source);
}

static uint16_t machine_of(const struct unwindable *u)
{
	return u->jit ? jit_unwind_machine(u->jit) : u->runtime->machine;
}

bool unwindinfo_row(struct unwindinfo *info, const struct dso *dso, uint64_t place,
		    struct cfi_row *row)
{
	struct unwindable *u = unwindable_of(info, dso);
	enum cfi_source source = CFI_NONE;
	uint64_t address;

	return u && find_row(u, place, row, &address, &source) && source != CFI_NONE;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static struct cfi_rule *rule_at(const struct unwindable *u, size_t number)
{
	return &u->blocks[number / RULES_OF_BLOCK][number % RULES_OF_BLOCK];
}

static bool add_rule(struct unwindable *u, const struct cfi_rule *rule, uint64_t hash)
{
	const size_t number = u->nr_rules, block = number / RULES_OF_BLOCK;

	if (number % RULES_OF_BLOCK == 0) {
		if (!array_grow(u->blocks, u->blocks_room, block + 1))
			return false;
		u->blocks[block] = calloc(RULES_OF_BLOCK, sizeof(**u->blocks));
		if (!u->blocks[block])
			return false;
	}
	*rule_at(u, number) = *rule;
	u->nr_rules++;
	return index_add(&u->rules, hash);
}

/* The kept rule that is like @rule; NULL if memory is out. */
static const struct cfi_rule *keep_rule(struct unwindable *u, const struct cfi_rule *rule)
{
	static const struct cfi_rule none = {.kind = CFI_RULE_NONE};
	const uint64_t hash = hash_bytes(rule, sizeof(*rule));
	uint32_t number;

	for (size_t at = index_first(&u->rules, hash); index_next(&u->rules, hash, &at, &number);) {
		if (memcmp(rule_at(u, number), rule, sizeof(*rule)) == 0)
			return rule_at(u, number);
	}
	if (u->nr_rules >= MAX_RULES) /* of no compiler */
		return &none;
	return add_rule(u, rule, hash) ? rule_at(u, u->nr_rules - 1) : NULL;
}

static const struct cfi_rule *find_rule(struct unwindable *u, uint64_t place)
{
	struct cfi_rule rule = {.kind = CFI_RULE_NONE};
	enum cfi_source source;
	struct cfi_row row;
	uint64_t address;

	if (!find_row(u, place, &row, &address, &source))
		return NULL;
	if (source != CFI_NONE) {
		rule = cfi_rule_make(&row, machine_of(u), address);
		rule.source = source & 7;
	}
	return keep_rule(u, &rule);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The slot of @place, or the free one where it belongs. */
static struct known_place *slot_of(const struct unwindable *u, uint64_t place)
{
	size_t at = hash_u64(place) & (u->nr_slots - 1);

	while (u->places[at].rule && u->places[at].place != place)
		at = (at + 1) & (u->nr_slots - 1);
	return &u->places[at];
}

/* Makes room for another place. False if memory is out. */
static bool grow_places(struct unwindable *u)
{
	struct unwindable grown = *u;

	if (u->nr_places >= MAX_PLACES) {
		memset(u->places, 0, u->nr_slots * sizeof(*u->places));
		u->nr_places = 0;
		return true;
	}
	grown.nr_slots = u->nr_slots ? u->nr_slots * 2 : 64;
	grown.places = calloc(grown.nr_slots, sizeof(*grown.places));
	if (!grown.places)
		return false;
	for (size_t i = 0; i < u->nr_slots; i++) {
		if (u->places[i].rule)
			*slot_of(&grown, u->places[i].place) = u->places[i];
	}
	free(u->places);
	*u = grown;
	return true;
}

const struct cfi_rule *unwindinfo_rule(struct unwindinfo *info, const struct dso *dso,
				       uint64_t place)
{
	struct unwindable *u = unwindable_of(info, dso);
	struct known_place *slot;

	if (!u || (u->nr_places * 2 >= u->nr_slots && !grow_places(u)))
		return NULL;
	slot = slot_of(u, place);
	if (!slot->rule) {
		*slot = (struct known_place){place, find_rule(u, place)};
		u->nr_places += slot->rule != NULL;
	}
	return slot->rule;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void free_unwindable(struct unwindable *u)
{
	for (size_t i = 0; i * RULES_OF_BLOCK < u->nr_rules; i++)
		free(u->blocks[i]);
	free(u->blocks);
	free(u->places);
	index_free(&u->rules);
	cfi_close(u->cfi);
	jit_unwind_close(u->jit);
	elffile_close(u->runtime);
	elffile_close(u->debug);
}

void unwindinfo_destroy(struct unwindinfo *info)
{
	if (!info)
		return;
	for (size_t i = 0; i < info->nr; i++)
		free_unwindable(&info->list[i]);
	free(info->list);
	intern_free(&info->strings);
	free(info);
}
