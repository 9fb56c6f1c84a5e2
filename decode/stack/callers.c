#include "decode/stack/callers.h"

#include "perffile/context.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

enum { NR_MEMOS = 1 << 14, MEMO_WORDS_MAX = 256 };

/* A caller: an address and its cpumode. */
struct caller_frame {
	uint64_t addr;
	enum cpumode cpumode;
};

/* The path of the callers in a chain; all but it and @room is the key. */
struct caller_memo {
	/* versions of the maps that the path was resolved with */
	uint64_t user_version, kernel_version;
	uint64_t *words; /* as recorded, but 0 in place of the leaf's */
	uint32_t nr_words, room;
	uint32_t event;
	uint32_t outer;
	uint32_t path;
	uint16_t leaf;	      /* number of the leaf's word; NO_LEAF: the leaf is not in the chain */
	bool user_calls;      /* see struct raw_chain */
	bool swap;	      /* the words have the other byte order */
	enum cpumode cpumode; /* of the first words, until a marker changes it */
};

enum { NO_LEAF = UINT16_MAX };

/*
 * Stores the callers in @chain, innermost first, in cache->frames. Returns false if memory is out.
 */
static bool collect_callers(struct caller_cache *cache, const struct raw_chain *chain,
			    size_t *nr_frames)
{
	struct span ips = chain->ips;
	enum cpumode cpumode = chain->cpumode;
	bool leaf_seen = false, exact = true;
	size_t nr = 0;

	if (!array_grow(cache->frames, cache->frames_room, span_left(&ips) / sizeof(uint64_t)))
		return false;
	while (span_left(&ips) > 0) {
		uint64_t ip = span_u64(&ips);

		if (ip >= CONTEXT_MAX) {
			cpumode = context_mode(ip);
			exact = true;
			continue;
		}
		if (leaf_seen || ip != chain->leaf)
			cache->frames[nr++] = (struct caller_frame){ip - !exact, cpumode};
		leaf_seen = true;
		exact = cpumode == CPUMODE_USER && chain->user_calls;
	}
	*nr_frames = nr;
	return true;
}

uint32_t callers_step(const struct path_maker *in, uint32_t caller, enum cpumode cpumode,
		      uint64_t addr)
{
	struct location at = addrspaces_find(in->spaces, in->memo, in->process, cpumode, addr);
	uint32_t address = address_get(in->addresses, in->event, at.dso->number, at.place);

	return address == ADDRESS_NONE ? CALLPATH_NONE : callpath_get(in->paths, caller, address);
}

uint32_t callers_walk(const struct path_maker *in, const struct raw_chain *chain)
{
	uint32_t path = chain->outer;
	size_t nr_frames;

	if (!collect_callers(in->cache, chain, &nr_frames))
		return CALLPATH_NONE;
	while (nr_frames-- > 0 && path != CALLPATH_NONE) {
		const struct caller_frame *frame = &in->cache->frames[nr_frames];

		path = callers_step(in, path, frame->cpumode, frame->addr);
	}
	return path;
}

/* ---- the cache ------------------------------------------------------------------------------- */

static inline uint64_t word_at(const struct raw_chain *chain, size_t number)
{
	uint64_t word;

	memcpy(&word, chain->ips.pos + number * sizeof(word), sizeof(word));
	return word;
}

/*
 * Returns the number of the leaf's word: the first one that is not a marker, if it is the sample's
 * own address; else NO_LEAF.
 */
static inline uint16_t find_leaf(const struct raw_chain *chain, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		const uint64_t word = word_at(chain, i);
		const uint64_t ip = chain->ips.swap ? __builtin_bswap64(word) : word;

		if (ip < CONTEXT_MAX)
			return ip == chain->leaf ? (uint16_t)i : NO_LEAF;
	}
	return NO_LEAF;
}

/* Two words at a time: a multiplication takes long. */
static inline uint64_t hash_words(const struct raw_chain *chain, uint32_t from, uint32_t to,
				  uint64_t hash)
{
	for (; from + 1 < to; from += 2)
		hash = hash_fold(hash ^ word_at(chain, from) ^ (uint64_t)(uintptr_t)&hash_anchor,
				 word_at(chain, from + 1) ^ 0xbf58476d1ce4e5b9u);
	return from < to ? hash_add(hash, word_at(chain, from)) : hash;
}

/* The hash of the words but the leaf's: all samples with the same callers have the same. */
static inline uint64_t hash_key(const struct raw_chain *chain, const struct caller_memo *key)
{
	uint64_t hash = hash_u64(key->user_version + ((uint64_t)key->event << 48) + key->outer);
	uint32_t from = 0;

	if (key->leaf != NO_LEAF) {
		hash = hash_words(chain, 0, key->leaf, hash);
		from = key->leaf + 1u;
	}
	return hash_u64(hash_words(chain, from, key->nr_words, hash) + key->nr_words);
}

static inline bool same_words(const struct caller_memo *memo, const struct raw_chain *chain,
			      uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		if (memo->words[from] != word_at(chain, from))
			return false;
	return true;
}

static inline bool same_key(const struct caller_memo *memo, const struct caller_memo *key,
			    const struct raw_chain *chain)
{
	if (memo->nr_words != key->nr_words || memo->event != key->event ||
	    memo->outer != key->outer || memo->cpumode != key->cpumode || memo->leaf != key->leaf ||
	    memo->swap != key->swap || memo->user_calls != key->user_calls ||
	    memo->user_version != key->user_version || memo->kernel_version != key->kernel_version)
		return false;
	if (key->leaf == NO_LEAF)
		return same_words(memo, chain, 0, key->nr_words);
	return same_words(memo, chain, 0, key->leaf) &&
	       same_words(memo, chain, key->leaf + 1u, key->nr_words);
}

/* Keeps @key, of @chain, in @memo; does nothing if memory is out. */
static void keep(struct caller_memo *memo, const struct caller_memo *key,
		 const struct raw_chain *chain)
{
	uint64_t *words = memo->words;
	uint32_t room = memo->room;

	if (room < key->nr_words) {
		words = realloc(words, key->nr_words * sizeof(*words));
		room = key->nr_words;
	}
	if (!words)
		return;
	memcpy(words, chain->ips.pos, key->nr_words * sizeof(*words));
	if (key->leaf != NO_LEAF)
		words[key->leaf] = 0;
	*memo = *key;
	memo->words = words;
	memo->room = room;
}

uint32_t callers_find(const struct path_maker *in, const struct raw_chain *chain)
{
	const size_t nr = span_left(&chain->ips) / sizeof(uint64_t);
	struct caller_memo key, *memo;

	if (!in->cache->memos)
		in->cache->memos = calloc(NR_MEMOS, sizeof(*in->cache->memos));
	/* A guest's addresses depend on the process, not only on its maps, so they are not cached.
	 */
	if (nr == 0 || nr > MEMO_WORDS_MAX || !in->cache->memos ||
	    !guests_empty(&in->spaces->guests))
		return callers_walk(in, chain);
	key = (struct caller_memo){.user_version = in->process->maps->version,
				   .kernel_version = in->spaces->kernel.version,
				   .nr_words = (uint32_t)nr,
				   .event = in->event,
				   .outer = chain->outer,
				   .leaf = find_leaf(chain, (uint32_t)nr),
				   .user_calls = chain->user_calls,
				   .swap = chain->ips.swap,
				   .cpumode = chain->cpumode};
	memo = &in->cache->memos[hash_key(chain, &key) & (NR_MEMOS - 1)];
	if (same_key(memo, &key, chain))
		return memo->path;
	key.path = callers_walk(in, chain);
	if (key.path != CALLPATH_NONE)
		keep(memo, &key, chain);
	return key.path;
}

void callers_forget(struct caller_cache *cache)
{
	for (size_t i = 0; cache->memos && i < NR_MEMOS; i++)
		cache->memos[i].nr_words = 0;
}

void callers_free(struct caller_cache *cache)
{
	for (size_t i = 0; cache->memos && i < NR_MEMOS; i++)
		free(cache->memos[i].words);
	free(cache->memos);
	free(cache->frames);
	*cache = (struct caller_cache){0};
}
