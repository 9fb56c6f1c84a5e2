#include "decode/stack/callers.h"

#include "perffile/context.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/prefetch.h"
#include "util/zeroed.h"

#include <stdlib.h>
#include <string.h>

enum { NR_MEMOS = 1 << 12, MEMO_WORDS_MAX = 256 };

/* A caller: an address and its cpumode. */
struct caller_frame {
	uint64_t addr;
	enum cpumode cpumode;
};

/* The path of the callers in a chain. */
struct caller_memo {
	struct caller_key key;
	uint64_t *words; /* as recorded, but 0 in place of the leaf's */
	uint32_t room;
	struct callpath_ref path;
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

static uint32_t address_of(const struct path_maker *in, enum cpumode cpumode, uint64_t addr)
{
	const struct location at =
		addrspaces_find(in->spaces, in->memo, in->process, cpumode, addr);

	return address_get(in->addresses, in->event, at.dso->number, at.place);
}

struct callpath_ref callers_step(const struct path_maker *in, struct callpath_ref caller,
				 enum cpumode cpumode, uint64_t addr)
{
	const uint32_t address = address_of(in, cpumode, addr);

	return address == ADDRESS_NONE ? callpath_none : callpath_get(in->paths, caller, address);
}

/* Looks up the addresses of the @nr frames in the cache. Returns false if memory is out. */
static bool find_addresses(const struct path_maker *in, size_t nr)
{
	struct caller_cache *cache = in->cache;

	if (!array_grow(cache->addresses, cache->addresses_room, nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		const struct caller_frame *frame = &cache->frames[nr - 1 - i];

		cache->addresses[i] = address_of(in, frame->cpumode, frame->addr);
		if (cache->addresses[i] == ADDRESS_NONE)
			return false;
	}
	return true;
}

bool callers_locate(const struct path_maker *in, const struct raw_chain *chain, size_t *nr)
{
	return collect_callers(in->cache, chain, nr) && find_addresses(in, *nr);
}

struct callpath_ref callers_walk(const struct path_maker *in, const struct raw_chain *chain)
{
	struct caller_cache *cache = in->cache;
	size_t nr;

	if (!callers_locate(in, chain, &nr) || !array_grow(cache->paths, cache->paths_room, nr) ||
	    !callpath_get_all(in->paths, chain->outer, cache->addresses, nr, cache->paths))
		return callpath_none;
	return nr ? cache->paths[nr - 1] : chain->outer;
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
static inline uint64_t hash_key(const struct raw_chain *chain, const struct caller_key *key)
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

static inline bool same_key(const struct caller_memo *memo, const struct caller_key *key,
			    const struct raw_chain *chain)
{
	const struct caller_key *had = &memo->key;

	if (had->nr_words != key->nr_words || had->event != key->event ||
	    had->outer != key->outer || had->cpumode != key->cpumode || had->leaf != key->leaf ||
	    had->swap != key->swap || had->user_calls != key->user_calls ||
	    had->user_version != key->user_version || had->kernel_version != key->kernel_version)
		return false;
	if (key->leaf == NO_LEAF)
		return same_words(memo, chain, 0, key->nr_words);
	return same_words(memo, chain, 0, key->leaf) &&
	       same_words(memo, chain, key->leaf + 1u, key->nr_words);
}

/* Keeps @path of @search in its memo; does nothing if memory is out. */
static void keep(const struct caller_search *search, struct callpath_ref path)
{
	struct caller_memo *memo = search->memo;
	const struct caller_key *key = &search->key;
	uint64_t *words = memo->words;

	if (memo->room < key->nr_words) {
		words = realloc(words, key->nr_words * sizeof(*words));
		if (!words)
			return;
		memo->words = words;
		memo->room = key->nr_words;
	}
	memcpy(words, search->chain.ips.pos, key->nr_words * sizeof(*words));
	if (key->leaf != NO_LEAF)
		words[key->leaf] = 0;
	memo->key = *key;
	memo->path = path;
}

void callers_begin(const struct path_maker *in, struct caller_search *search)
{
	const struct raw_chain *chain = &search->chain;
	const size_t nr = span_left(&chain->ips) / sizeof(uint64_t);
	struct caller_key *key = &search->key;

	if (!in->cache->memos)
		in->cache->memos = zeroed_get(NR_MEMOS, sizeof(*in->cache->memos));
	search->memo = NULL;
	/* A guest's addresses depend on the process, not only on its maps, so they are not cached.
	 */
	if (nr == 0 || nr > MEMO_WORDS_MAX || !in->cache->memos ||
	    !guests_empty(&in->spaces->guests))
		return;
	key->user_version = in->process->maps->version;
	key->kernel_version = in->spaces->kernel.version;
	key->nr_words = (uint16_t)nr;
	key->event = in->event;
	key->outer = chain->outer.number;
	key->leaf = find_leaf(chain, (uint32_t)nr);
	key->user_calls = chain->user_calls;
	key->swap = chain->ips.swap;
	key->cpumode = (uint16_t)chain->cpumode;
	search->memo = &in->cache->memos[hash_key(chain, key) & (NR_MEMOS - 1)];
	prefetch_read(search->memo);
}

void callers_look(const struct caller_search *search)
{
	enum { LINE = 64 / sizeof(uint64_t), MOST = 2 * LINE }; /* most chains have no more words */
	const struct caller_memo *memo = search->memo;
	const uint32_t nr = !memo ? 0 : memo->room < MOST ? memo->room : MOST;

	for (uint32_t i = 0; i < nr; i += LINE)
		prefetch_read(memo->words + i);
}

struct callpath_ref callers_end(const struct path_maker *in, const struct caller_search *search)
{
	struct callpath_ref path;

	if (search->memo && same_key(search->memo, &search->key, &search->chain))
		return search->memo->path;
	path = callers_walk(in, &search->chain);
	if (search->memo && path.number != CALLPATH_NONE)
		keep(search, path);
	return path;
}

struct callpath_ref callers_find(const struct path_maker *in, const struct raw_chain *chain)
{
	struct caller_search search = {.chain = *chain};

	callers_begin(in, &search);
	return callers_end(in, &search);
}

void callers_forget(struct caller_cache *cache)
{
	for (size_t i = 0; cache->memos && i < NR_MEMOS; i++)
		cache->memos[i].key.nr_words = 0;
}

void callers_free(struct caller_cache *cache)
{
	for (size_t i = 0; cache->memos && i < NR_MEMOS; i++)
		free(cache->memos[i].words);
	free(cache->memos);
	free(cache->frames);
	free(cache->addresses);
	free(cache->paths);
	*cache = (struct caller_cache){0};
}
