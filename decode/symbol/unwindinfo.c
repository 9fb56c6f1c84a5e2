#include "decode/symbol/unwindinfo.h"

#include "decode/symbol/cfi/cfi.h"
#include "decode/symbol/cfi/cfiknown.h"
#include "decode/symbol/cfi/cfiplaces.h"
#include "decode/symbol/find/loadcontext.h"
#include "decode/symbol/find/locate.h"
#include "decode/symbol/go/gorow.h"
#include "decode/symbol/jit/jitunwind.h"
#include "decode/symbol/kernel/vdso.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Rules of a dso; real ones have some hundreds. */
	MAX_RULES = 1 << 16,
	/* Rules are allocated in blocks, so that they stay where they are. */
	RULES_OF_BLOCK = 256,
	/* The same for dsos; more of them than these blocks have are not unwound. */
	DSOS_OF_BLOCK = 256,
	DSO_BLOCKS = 4096,
};

/* All zero was not opened. It is used with the lock, but for known_rule(). */
struct unwindable {
	bool is_open;
	bool is_go; /* Go's linker has made the file */
	struct elffile *runtime, *debug;
	struct cfi *cfi;	  /* NULL: there is no file */
	struct gotable go;	  /* of runtime */
	struct cfi_known known;	  /* of its .eh_frame */
	struct jit_unwind *jit;	  /* of a DSO_JITDUMP */
	struct cfi_places places; /* not found by their rows; once there are some, it is open */
	struct cfi_rule **blocks;
	size_t nr_rules, blocks_room;
	struct index rules;
};

struct unwindinfo {
	struct load_context *context;
	struct unwindable *_Atomic dsos[DSO_BLOCKS]; /* by their numbers */
	struct intern strings;			     /* paths of the files that were tried */
	pthread_mutex_t lock;
};

struct unwindinfo *unwindinfo_create(struct load_context *context)
{
	struct unwindinfo *info = calloc(1, sizeof(*info));

	if (!info)
		return NULL;
	info->context = context;
	thread_init_brief_lock(&info->lock);
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
	u->is_go = gotable_is_go(u->runtime);
	(void)gotable_open(&u->go, u->runtime);
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

/* Where what is known of @dso is kept; NULL: nowhere yet. */
static struct unwindable *slot_of_dso(struct unwindinfo *info, const struct dso *dso)
{
	struct unwindable *block = NULL;

	if (dso->number / DSOS_OF_BLOCK < DSO_BLOCKS)
		block = atomic_load_explicit(&info->dsos[dso->number / DSOS_OF_BLOCK],
					     memory_order_acquire);
	return block ? &block[dso->number % DSOS_OF_BLOCK] : NULL;
}

/* What is known of @dso, with the lock; NULL if memory is out, or there are too many. */
static struct unwindable *unwindable_of(struct unwindinfo *info, const struct dso *dso)
{
	struct unwindable *u = slot_of_dso(info, dso);

	if (!u) {
		if (dso->number / DSOS_OF_BLOCK >= DSO_BLOCKS)
			return NULL;
		u = calloc(DSOS_OF_BLOCK, sizeof(*u));
		if (!u)
			return NULL;
		atomic_store_explicit(&info->dsos[dso->number / DSOS_OF_BLOCK], u,
				      memory_order_release);
		u = slot_of_dso(info, dso);
	}
	return u->is_open || open_unwindable(info, u, dso) == 0 ? u : NULL;
}

uint16_t unwindinfo_machine(struct unwindinfo *info, const struct dso *dso)
{
	const struct unwindable *u;
	uint16_t machine;

	pthread_mutex_lock(&info->lock);
	u = unwindable_of(info, dso);
	machine = u && u->runtime ? u->runtime->machine : 0;
	pthread_mutex_unlock(&info->lock);
	return machine;
}

bool unwindinfo_is_any(struct unwindinfo *info, const struct dso *dso)
{
	const struct unwindable *u;
	bool is_any;

	pthread_mutex_lock(&info->lock);
	u = unwindable_of(info, dso);
	is_any = u && u->cfi && (cfi_is_any(u->cfi) || u->go.nr);
	pthread_mutex_unlock(&info->lock);
	return is_any;
}

bool unwindinfo_is_entry(struct unwindinfo *info, const struct dso *dso, uint64_t place)
{
	enum { ENTRY_BYTES = 128 }; /* glibc's dynamic loader has 70 until it is in other code */
	const struct unwindable *u;
	uint64_t address;
	bool is_entry;

	pthread_mutex_lock(&info->lock);
	u = unwindable_of(info, dso);
	is_entry = u && u->runtime && u->runtime->entry &&
		   elffile_offset_to_address(u->runtime, place, &address) &&
		   address - u->runtime->entry < ENTRY_BYTES;
	pthread_mutex_unlock(&info->lock);
	return is_entry;
}

bool unwindinfo_omits_fp(struct unwindinfo *info, const struct dso *dso,
			 const struct cfi_rule *rule)
{
	const struct unwindable *u;
	bool omits;

	if (rule->source == CFI_EH_FRAME) /* of C in the same file */
		return false;
	pthread_mutex_lock(&info->lock);
	u = unwindable_of(info, dso);
	omits = u && u->is_go;
	pthread_mutex_unlock(&info->lock);
	return omits;
}

bool unwindinfo_code(struct unwindinfo *info, const struct dso *dso, uint64_t place, uint8_t *bytes,
		     size_t nr)
{
	const struct unwindable *u;
	struct span code = {0};
	bool is_read;

	pthread_mutex_lock(&info->lock);
	u = unwindable_of(info, dso);
	if (u && u->runtime && !elffile_lacks_code(u->runtime)) {
		code = elffile_image(u->runtime);
		span_skip(&code, place);
		code = span_take(&code, nr);
	}
	is_read = code.pos && span_left(&code) == nr;
	if (is_read)
		memcpy(bytes, code.pos, nr);
	pthread_mutex_unlock(&info->lock);
	return is_read;
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
	if (!cfi_find(u->cfi, *address, row, source))
		return false;
	if (*source == CFI_DEBUG_FRAME)
		gorow_correct(&u->go, u->runtime, *address, row);
	else if (*source == CFI_NONE && gorow_find(&u->go, u->runtime, *address, row))
		*source = CFI_GO_TABLE;
	return true;
}

static uint16_t machine_of(const struct unwindable *u)
{
	return u->jit ? jit_unwind_machine(u->jit) : u->runtime->machine;
}

bool unwindinfo_row(struct unwindinfo *info, const struct dso *dso, uint64_t place,
		    struct cfi_row *row)
{
	enum cfi_source source = CFI_NONE;
	struct unwindable *u;
	uint64_t address;
	bool is_found;

	pthread_mutex_lock(&info->lock);
	u = unwindable_of(info, dso);
	is_found = u && find_row(u, place, row, &address, &source) && source != CFI_NONE;
	pthread_mutex_unlock(&info->lock);
	return is_found;
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

/* The rule where it is found; NULL if memory is out. */
static const struct cfi_rule *make_rule(struct unwindable *u, uint64_t place, struct cfi_row *row,
					enum cfi_source *source)
{
	struct cfi_rule rule = {.kind = CFI_RULE_NONE};
	uint64_t address;

	if (!find_row(u, place, row, &address, source))
		return NULL;
	if (*source != CFI_NONE) {
		rule = cfi_rule_make(row, machine_of(u), address);
		rule.source = *source & 7;
	}
	return keep_rule(u, &rule);
}

/* The row that a place is in. */
struct row_search {
	size_t fde, nr_fdes;	     /* cfi_fde_number() */
	const struct cfi_rule *rule; /* NULL: the row was not found before */
};

/* Looks for the row of @place among those that were found before. */
static struct row_search known_row(const struct unwindable *u, uint64_t place)
{
	struct row_search search = {.fde = SIZE_MAX};
	uint64_t address;

	if (u->cfi && elffile_offset_to_address(u->runtime, place, &address))
		search.fde = cfi_fde_number(u->cfi, address, &search.nr_fdes);
	if (search.fde != SIZE_MAX)
		search.rule = cfi_known_find(&u->known, search.fde, address);
	return search;
}

/* As make_rule(), for a row that may have been found before. */
static const struct cfi_rule *find_rule(struct unwindable *u, uint64_t place)
{
	const struct row_search search = known_row(u, place);
	const struct cfi_rule *rule;
	enum cfi_source source;
	struct cfi_row row;

	if (search.rule)
		return search.rule;
	rule = make_rule(u, place, &row, &source);
	/* What an expression gives may depend on the address. */
	if (rule && search.fde != SIZE_MAX && source == CFI_EH_FRAME && row.cfa.how != CFI_IS_EXPR)
		cfi_known_add(&u->known, search.fde, search.nr_fdes, &row, rule);
	return rule;
}

/* ---- places ---------------------------------------------------------------------------------- */

/*
 * The rule of @place if it is known; this needs no lock. Most new places are in rows that are
 * known, and rows take less memory than places do.
 */
static const struct cfi_rule *known_rule(const struct unwindable *u, uint64_t place)
{
	const struct cfi_rule *rule = NULL;

	if (!cfi_places_any(&u->places)) /* its files may not be open yet */
		return NULL;
	if (u->cfi && cfi_is_settled(u->cfi))
		rule = known_row(u, place).rule;
	return rule ? rule : cfi_places_find(&u->places, place);
}

/* Whether @dso has too high a number for a slot of its own. */
static bool is_beyond(const struct dso *dso)
{
	return dso->number / DSOS_OF_BLOCK >= DSO_BLOCKS;
}

/* As unwindinfo_rule(), with the lock. */
static const struct cfi_rule *get_rule(struct unwindinfo *info, const struct dso *dso,
				       uint64_t place)
{
	static const struct cfi_rule none = {.kind = CFI_RULE_NONE};
	struct unwindable *u = unwindable_of(info, dso);
	const struct cfi_rule *rule;

	if (!u)
		return is_beyond(dso) ? &none : NULL;
	rule = known_rule(u, place); /* meanwhile it may be */
	if (rule)
		return rule;
	rule = find_rule(u, place);
	if (!rule || known_rule(u, place)) /* by its row, which find_rule() has kept */
		return rule;
	return cfi_places_add(&u->places, place, rule) ? rule : NULL;
}

const struct cfi_rule *unwindinfo_rule(struct unwindinfo *info, const struct dso *dso,
				       uint64_t place)
{
	const struct unwindable *u = slot_of_dso(info, dso);
	const struct cfi_rule *rule = u ? known_rule(u, place) : NULL;

	if (rule)
		return rule;
	pthread_mutex_lock(&info->lock);
	rule = get_rule(info, dso, place);
	pthread_mutex_unlock(&info->lock);
	return rule;
}

/* Whether the places from @place, which is at @address, to the address @end are one after another.
 */
static bool is_linear(const struct unwindable *u, uint64_t place, uint64_t address, uint64_t end)
{
	uint64_t last;

	return end > address &&
	       elffile_offset_to_address(u->runtime, place + (end - address) - 1, &last) &&
	       last == end - 1;
}

bool unwindinfo_peek(struct unwindinfo *info, const struct dso *dso, uint64_t place,
		     struct cfi_rule *rule, uint64_t *end)
{
	enum cfi_source source = CFI_NONE;
	struct unwindable *u;
	struct cfi_row row;
	uint64_t address;
	bool ok;

	*rule = (struct cfi_rule){.kind = CFI_RULE_NONE};
	*end = place + 1;
	pthread_mutex_lock(&info->lock);
	u = unwindable_of(info, dso);
	ok = u ? find_row(u, place, &row, &address, &source) : is_beyond(dso);
	if (ok && source != CFI_NONE) {
		*rule = cfi_rule_make(&row, machine_of(u), address);
		rule->source = source & 7;
		if (source == CFI_EH_FRAME && !u->jit && is_linear(u, place, address, row.end))
			*end = place + (row.end - address);
	}
	pthread_mutex_unlock(&info->lock);
	return ok;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void free_unwindable(struct unwindable *u)
{
	for (size_t i = 0; i * RULES_OF_BLOCK < u->nr_rules; i++)
		free(u->blocks[i]);
	free(u->blocks);
	cfi_places_free(&u->places);
	cfi_known_free(&u->known);
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
	for (size_t i = 0; i < DSO_BLOCKS; i++) {
		for (size_t j = 0; info->dsos[i] && j < DSOS_OF_BLOCK; j++)
			free_unwindable(&info->dsos[i][j]);
		free(info->dsos[i]);
	}
	intern_free(&info->strings);
	pthread_mutex_destroy(&info->lock);
	free(info);
}
