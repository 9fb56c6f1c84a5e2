#include "decode/stack/stack.h"

#include "perffile/context.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

enum { NR_MEMOS = 1 << 14, MEMO_WORDS_MAX = 256 };

/* A caller: an address and its cpumode. */
struct stack_frame {
	uint64_t addr;
	enum cpumode cpumode;
};

/* The words of callers, innermost first, and the path of the caller of the outermost one. */
struct raw_chain {
	struct span ips;
	enum cpumode cpumode; /* of the first words, until a marker changes it */
	uint64_t leaf; /* the sampled address: if it is the first one in @ips, it is not a caller */
	uint32_t outer;	 /* path number */
	bool user_calls; /* user addresses are those of calls, not where they return to */
};

/* A cached path of the callers of a chain; the key is the chain's words as recorded. */
struct stack_memo {
	/* versions of the maps that the path was resolved with */
	uint64_t user_version, kernel_version;
	uint32_t event;
	uint32_t outer;
	uint32_t path;
	uint32_t nr_words, room;
	uint64_t *words;
	enum cpumode cpumode; /* of the first words, until a marker changes it */
	bool leaf_blanked;    /* the word of the leaf was replaced by 0 */
	bool user_calls;      /* see struct raw_chain */
	bool swap;	      /* the words have the other byte order */
};

/*
 * The paths of the tail with this number. Its innermost address may be the sample's own, so one
 * path is without it.
 */
struct tail_path {
	uint64_t number;
	uint64_t innermost;
	uint32_t all, without_innermost;
};

/*
 * Stores the callers in @chain, innermost first, in stacks->frames. Returns false if memory is out.
 */
static bool collect_callers(struct stacks *stacks, const struct raw_chain *chain, size_t *nr_frames)
{
	struct span ips = chain->ips;
	enum cpumode cpumode = chain->cpumode;
	bool leaf_seen = false, exact = true;
	size_t nr = 0;

	if (!array_grow(stacks->frames, stacks->frames_room, span_left(&ips) / sizeof(uint64_t)))
		return false;
	while (span_left(&ips) > 0) {
		uint64_t ip = span_u64(&ips);

		if (ip >= CONTEXT_MAX) {
			cpumode = context_mode(ip);
			exact = true;
			continue;
		}
		if (leaf_seen || ip != chain->leaf)
			stacks->frames[nr++] = (struct stack_frame){ip - !exact, cpumode};
		leaf_seen = true;
		exact = cpumode == CPUMODE_USER && chain->user_calls;
	}
	*nr_frames = nr;
	return true;
}

/* The arguments for making paths that are the same for all frames. */
struct path_maker {
	struct stacks *stacks;
	struct callpath_table *paths;
	struct address_table *addresses;
	const struct addrspaces *spaces;
	const struct process *process;
	uint32_t event; /* event number */
};

static struct path_maker path_maker(struct stacks *stacks, struct callpath_table *paths,
				    const struct stack_sample *sample)
{
	return (struct path_maker){.stacks = stacks,
				   .paths = paths,
				   .addresses = stacks->addresses,
				   .spaces = stacks->spaces,
				   .process = sample->process,
				   .event = sample->event->number};
}

/* Returns the path to @addr from the path @caller; CALLPATH_NONE if memory is out. */
static uint32_t walk_frame(const struct path_maker *in, uint32_t caller, enum cpumode cpumode,
			   uint64_t addr)
{
	struct location at = addrspaces_locate(in->spaces, in->process, cpumode, addr);
	uint32_t address = address_get(in->addresses, in->event, at.dso->number, at.place);

	return address == ADDRESS_NONE ? CALLPATH_NONE : callpath_get(in->paths, caller, address);
}

/* Returns the path of the callers in @chain; CALLPATH_NONE if memory is out. */
static uint32_t walk_callers(const struct path_maker *in, const struct raw_chain *chain)
{
	uint32_t path = chain->outer;
	size_t nr_frames;

	if (!collect_callers(in->stacks, chain, &nr_frames))
		return CALLPATH_NONE;
	while (nr_frames-- > 0 && path != CALLPATH_NONE) {
		const struct stack_frame *frame = &in->stacks->frames[nr_frames];

		path = walk_frame(in, path, frame->cpumode, frame->addr);
	}
	return path;
}

/*
 * Copies the words of @chain, with the leaf's word set to 0, so that all samples with the same
 * callers have the same key. The leaf is the first word that is not a marker, if it is the sample's
 * own address. Returns the number of words; 0 if there are none or too many.
 */
static uint32_t key_words(const struct raw_chain *chain, uint64_t words[MEMO_WORDS_MAX],
			  bool *leaf_blanked)
{
	struct span ips = chain->ips;
	size_t nr = span_left(&ips) / sizeof(uint64_t), leaf = 0;

	if (nr == 0 || nr > MEMO_WORDS_MAX)
		return 0;
	memcpy(words, ips.pos, nr * sizeof(uint64_t));
	while (span_left(&ips) > 0) {
		uint64_t ip = span_u64(&ips);

		if (ip < CONTEXT_MAX) {
			*leaf_blanked = ip == chain->leaf;
			if (*leaf_blanked)
				words[leaf] = 0;
			break;
		}
		leaf++;
	}
	return (uint32_t)nr;
}

/* Stores @path for @words in @memo; does nothing if memory is out. */
static void keep_memo(struct stack_memo *memo, const struct stack_memo *key, const uint64_t *words,
		      uint32_t path)
{
	uint64_t *room = memo->words;

	if (memo->room < key->nr_words) {
		room = realloc(memo->words, key->nr_words * sizeof(*words));
		if (!room)
			return;
		memo->room = key->nr_words;
	}
	memcpy(room, words, key->nr_words * sizeof(*words));
	memo->words = room;
	memo->user_version = key->user_version;
	memo->kernel_version = key->kernel_version;
	memo->event = key->event;
	memo->outer = key->outer;
	memo->cpumode = key->cpumode;
	memo->nr_words = key->nr_words;
	memo->leaf_blanked = key->leaf_blanked;
	memo->user_calls = key->user_calls;
	memo->swap = key->swap;
	memo->path = path;
}

static bool same_key(const struct stack_memo *memo, const struct stack_memo *key,
		     const uint64_t *words)
{
	return memo->nr_words == key->nr_words && memo->event == key->event &&
	       memo->outer == key->outer && memo->cpumode == key->cpumode &&
	       memo->leaf_blanked == key->leaf_blanked && memo->swap == key->swap &&
	       memo->user_calls == key->user_calls && memo->user_version == key->user_version &&
	       memo->kernel_version == key->kernel_version &&
	       memcmp(memo->words, words, key->nr_words * sizeof(*words)) == 0;
}

/* As walk_callers() in the current table, but uses the cache. */
static uint32_t find_callers(const struct path_maker *in, const struct raw_chain *chain)
{
	uint64_t words[MEMO_WORDS_MAX], hash;
	struct stack_memo key = {.user_version = in->process->maps->version,
				 .kernel_version = in->spaces->kernel.version,
				 .event = in->event,
				 .outer = chain->outer,
				 .cpumode = chain->cpumode,
				 .user_calls = chain->user_calls,
				 .swap = chain->ips.swap};
	struct stack_memo *memo;
	uint32_t path;

	key.nr_words = key_words(chain, words, &key.leaf_blanked);
	/* A guest's addresses depend on the process, not only on its maps, so they are not cached.
	 */
	if (key.nr_words == 0 || !guests_empty(&in->spaces->guests))
		return walk_callers(in, chain);
	hash = hash_bytes(words, key.nr_words * sizeof(*words));
	hash = hash_u64(hash + key.user_version + ((uint64_t)key.event << 48) + key.outer);
	memo = &in->stacks->memos[hash & (NR_MEMOS - 1)];
	if (same_key(memo, &key, words))
		return memo->path;
	path = walk_callers(in, chain);
	if (path != CALLPATH_NONE)
		keep_memo(memo, &key, words, path);
	return path;
}

static bool work_out_tail(const struct path_maker *in, struct tail_path *tail)
{
	const struct stacks *stacks = in->stacks;
	struct raw_chain chain = {
		.ips = stacks->tail, .cpumode = CPUMODE_USER, .outer = CHAIN_RECORDED};
	enum cpumode cpumode = chain.cpumode;

	*tail = (struct tail_path){.number = stacks->tail_number};
	if (!context_first_address(chain.ips, &cpumode, &tail->innermost))
		return true;
	chain.leaf = tail->innermost;
	tail->without_innermost = find_callers(in, &chain);
	if (tail->without_innermost == CALLPATH_NONE)
		return false;
	tail->all = walk_frame(in, tail->without_innermost, cpumode, tail->innermost);
	return tail->all != CALLPATH_NONE;
}

static bool make_room_for_tail(struct stacks *stacks, unsigned event)
{
	const size_t had = stacks->tails_room;

	if (!array_grow(stacks->tails, stacks->tails_room, event + 1))
		return false;
	if (stacks->tails_room > had)
		memset(&stacks->tails[had], 0, (stacks->tails_room - had) * sizeof(*stacks->tails));
	return true;
}

/* Returns the path of the shared tail that follows @chain; CALLPATH_NONE if memory is out. */
static uint32_t tail_of(const struct path_maker *in, const struct raw_chain *chain)
{
	struct stacks *stacks = in->stacks;
	enum cpumode cpumode = chain->cpumode;
	struct tail_path *tail;
	uint64_t innermost;

	if (!make_room_for_tail(stacks, in->event))
		return CALLPATH_NONE;
	tail = &stacks->tails[in->event];
	if (tail->number != stacks->tail_number && !work_out_tail(in, tail)) {
		tail->number = 0;
		return CALLPATH_NONE;
	}
	if (!context_first_address(chain->ips, &cpumode, &innermost) &&
	    tail->innermost == chain->leaf)
		return tail->without_innermost;
	return tail->all;
}

void stacks_init(struct stacks *stacks, struct address_table *addresses,
		 const struct addrspaces *spaces, const struct stack_settings *settings)
{
	*stacks = (struct stacks){.addresses = addresses, .spaces = spaces};
	stacks->mode = settings->mode;
	unwinder_init(&stacks->unwinder, addresses, spaces, settings->max_frames);
	pathstore_init(&stacks->paths, settings->paths_max);
}

bool stacks_need_info(const struct stacks *stacks, const struct record *rec)
{
	return !stacks->unwinder.places.info && user_part_needs_info(stacks->mode, rec);
}

void stacks_prepare(struct stacks *stacks, struct unwindinfo *info, const char *machine)
{
	stacks->unwinder.places.info = info;
	stacks->unwinder.machine = machine;
}

int stacks_make_room(struct stacks *stacks, struct error *err)
{
	if (!pathstore_full(&stacks->paths))
		return 0;
	for (size_t i = 0; stacks->memos && i < NR_MEMOS; i++)
		stacks->memos[i].nr_words = 0;
	user_path_forget(&stacks->user_path);
	stacks->tail_number++;
	return pathstore_put_aside(&stacks->paths, err);
}

/*
 * Counts the sample on the path to its own address from the path @callers. Returns the path's
 * number; CALLPATH_NONE if @callers is that or memory is out.
 */
static uint32_t count_leaf(struct callpath_table *paths, uint32_t callers,
			   const struct stack_sample *sample)
{
	uint32_t path = callers == CALLPATH_NONE ? CALLPATH_NONE
						 : callpath_get(paths, callers, sample->leaf);

	if (path != CALLPATH_NONE)
		tally_add(&callpath_at(paths, path)->here, 1, sample->period);
	return path;
}

static struct raw_chain chain_of(const struct record *rec)
{
	return (struct raw_chain){.ips = rec->sample.callchain.ips,
				  .cpumode = record_cpumode(rec),
				  .leaf = rec->sample.ip,
				  .outer = CHAIN_RECORDED,
				  .user_calls = user_part_has_calls(rec)};
}

/* Sets the path that @chain continues, and leaves of its words those that are not on it. False if
 * memory is out. */
static bool resolve_outer(const struct path_maker *in, const struct stack_sample *sample,
			  struct raw_chain *chain)
{
	struct stacks *stacks = in->stacks;
	struct user_part part;

	if (span_left(&stacks->tail) > 0) {
		chain->outer = tail_of(in, chain);
		return chain->outer != CALLPATH_NONE;
	}
	if (!user_part_find(&stacks->unwinder, stacks->mode, sample->process, in->event,
			    sample->rec, &part))
		return false;
	chain->outer = part.end;
	if (part.is_recorded)
		return true;
	chain->ips = part.kernel_ips;
	chain->outer = user_path_walk(&stacks->user_path, in->paths, &part,
				      record_cpumode(sample->rec) == CPUMODE_USER);
	return chain->outer != CALLPATH_NONE;
}

uint32_t stacks_count(struct stacks *stacks, const struct stack_sample *sample)
{
	const struct path_maker in = path_maker(stacks, &stacks->paths.now, sample);
	struct raw_chain chain = chain_of(sample->rec);

	if (!stacks->memos)
		stacks->memos = calloc(NR_MEMOS, sizeof(*stacks->memos));
	if (!stacks->memos || !resolve_outer(&in, sample, &chain))
		return CALLPATH_NONE;
	return count_leaf(in.paths, find_callers(&in, &chain), sample);
}

void stacks_share_tail(struct stacks *stacks, struct span tail)
{
	stacks->tail = tail;
	stacks->tail_number++;
}

uint32_t stacks_count_waiting(struct stacks *stacks, const struct stack_sample *sample)
{
	const struct path_maker in = path_maker(stacks, &stacks->paths.waiting, sample);
	const struct raw_chain chain = chain_of(sample->rec);

	return count_leaf(in.paths, walk_callers(&in, &chain), sample);
}

void stacks_forget_waiting(struct stacks *stacks)
{
	callpath_table_free(&stacks->paths.waiting);
}

void stacks_free(struct stacks *stacks)
{
	for (size_t i = 0; stacks->memos && i < NR_MEMOS; i++)
		free(stacks->memos[i].words);
	free(stacks->memos);
	free(stacks->frames);
	free(stacks->tails);
	unwinder_free(&stacks->unwinder);
	user_path_free(&stacks->user_path);
	pathstore_free(&stacks->paths);
	*stacks = (struct stacks){.paths.fd = -1};
}
