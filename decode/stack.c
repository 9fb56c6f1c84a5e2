#include "decode/stack.h"

#include "decode/context.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

enum { NR_MEMOS = 1 << 14, MEMO_WORDS_MAX = 256 };

/* A caller: an address and the mode it ran in. */
struct frame {
	uint64_t addr;
	enum cpumode cpumode;
};

/* The path of the callers of a chain, by the chain's words as they stand in the recording. */
struct stack_memo {
	uint64_t user_version, kernel_version; /* of the maps it was worked out with */
	uint32_t event;
	uint32_t path;
	uint32_t nr_words, room;
	uint64_t *words;
	bool leaf_blanked; /* the leaf's word is 0 here, whatever it was */
};

static enum cpumode context_mode(uint64_t context)
{
	switch (context) {
	case CONTEXT_KERNEL:
		return CPUMODE_KERNEL;
	case CONTEXT_USER:
		return CPUMODE_USER;
	case CONTEXT_GUEST_KERNEL:
		return CPUMODE_GUEST_KERNEL;
	case CONTEXT_GUEST_USER:
		return CPUMODE_GUEST_USER;
	default: /* the hypervisor, or a marker of a newer kernel */
		return CPUMODE_UNKNOWN;
	}
}

/* The callers in the chain of @rec, innermost first, to stacks->frames. */
static bool collect_callers(struct stacks *stacks, const struct record *rec, size_t *nr_frames)
{
	struct span ips = rec->sample.callchain.ips;
	enum cpumode cpumode = record_cpumode(rec);
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
		if (leaf_seen || ip != rec->sample.ip)
			stacks->frames[nr++] = (struct frame){ip - !exact, cpumode};
		leaf_seen = true;
		exact = false;
	}
	*nr_frames = nr;
	return true;
}

/* The path in @paths of the callers in @rec's chain; CALLPATH_NONE if memory is out. */
static uint32_t walk_callers(struct stacks *stacks, struct callpath_table *paths,
			     struct address_table *addresses, const struct addrspaces *spaces,
			     const struct process *process, const struct record *rec,
			     const struct event *event)
{
	uint32_t path = CALLPATH_ROOT;
	size_t nr_frames;

	if (!collect_callers(stacks, rec, &nr_frames))
		return CALLPATH_NONE;
	while (nr_frames-- > 0 && path != CALLPATH_NONE) {
		const struct frame *frame = &stacks->frames[nr_frames];
		struct location at =
			addrspaces_locate(spaces, process, frame->cpumode, frame->addr);
		uint32_t address = address_get(addresses, event->number, at.dso->number, at.place);

		if (address == ADDRESS_NONE)
			return CALLPATH_NONE;
		path = callpath_get(paths, path, address);
	}
	return path;
}

/*
 * The chain's words with the leaf's set to 0, so that all samples from one place of calls look
 * alike. The leaf is the first word that is no marker, if it is the sample's own address.
 */
static uint32_t key_words(const struct record *rec, uint64_t words[MEMO_WORDS_MAX],
			  bool *leaf_blanked)
{
	struct span ips = rec->sample.callchain.ips;
	size_t nr = span_left(&ips) / sizeof(uint64_t), leaf = 0;

	if (nr > MEMO_WORDS_MAX)
		return 0;
	memcpy(words, ips.pos, nr * sizeof(uint64_t));
	while (span_left(&ips) > 0) {
		uint64_t ip = span_u64(&ips);

		if (ip < CONTEXT_MAX) {
			*leaf_blanked = ip == rec->sample.ip;
			if (*leaf_blanked)
				words[leaf] = 0;
			break;
		}
		leaf++;
	}
	return (uint32_t)nr;
}

/* Remembers @path for @words in @memo; what does not fit in memory is not remembered. */
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
	memo->nr_words = key->nr_words;
	memo->leaf_blanked = key->leaf_blanked;
	memo->path = path;
}

static bool same_key(const struct stack_memo *memo, const struct stack_memo *key,
		     const uint64_t *words)
{
	return memo->nr_words == key->nr_words && memo->event == key->event &&
	       memo->leaf_blanked == key->leaf_blanked && memo->user_version == key->user_version &&
	       memo->kernel_version == key->kernel_version &&
	       memcmp(memo->words, words, key->nr_words * sizeof(*words)) == 0;
}

/* As walk_callers() in the paths of now, by way of what is remembered. */
static uint32_t find_callers(struct stacks *stacks, struct address_table *addresses,
			     const struct addrspaces *spaces, const struct process *process,
			     const struct record *rec, const struct event *event)
{
	uint64_t words[MEMO_WORDS_MAX], hash;
	struct stack_memo key = {.user_version = process->maps->version,
				 .kernel_version = spaces->kernel.version,
				 .event = event->number};
	struct stack_memo *memo;
	uint32_t path;

	key.nr_words = key_words(rec, words, &key.leaf_blanked);
	/* What lies at a guest's address depends on the process, not only on its maps. */
	if (key.nr_words == 0 || !guests_empty(&spaces->guests))
		return walk_callers(stacks, &stacks->paths.now, addresses, spaces, process, rec,
				    event);
	hash = hash_bytes(words, key.nr_words * sizeof(*words));
	hash = hash_u64(hash + key.user_version + ((uint64_t)key.event << 48));
	memo = &stacks->memos[hash & (NR_MEMOS - 1)];
	if (same_key(memo, &key, words))
		return memo->path;
	path = walk_callers(stacks, &stacks->paths.now, addresses, spaces, process, rec, event);
	if (path != CALLPATH_NONE)
		keep_memo(memo, &key, words, path);
	return path;
}

void stacks_init(struct stacks *stacks, size_t paths_max)
{
	*stacks = (struct stacks){0};
	pathstore_init(&stacks->paths, paths_max);
}

int stacks_make_room(struct stacks *stacks, struct error *err)
{
	if (!pathstore_full(&stacks->paths))
		return 0;
	for (size_t i = 0; stacks->memos && i < NR_MEMOS; i++)
		stacks->memos[i].nr_words = 0;
	return pathstore_put_aside(&stacks->paths, err);
}

/* Counts on the path to @leaf from the callers' path @callers, which may be CALLPATH_NONE. */
static bool count_leaf(struct callpath_table *paths, uint32_t callers, uint32_t leaf,
		       uint64_t period)
{
	uint32_t path =
		callers == CALLPATH_NONE ? CALLPATH_NONE : callpath_get(paths, callers, leaf);

	if (path == CALLPATH_NONE)
		return false;
	tally_add(&callpath_at(paths, path)->here, 1, period);
	return true;
}

bool stacks_count(struct stacks *stacks, struct address_table *addresses,
		  const struct addrspaces *spaces, const struct process *process,
		  const struct record *rec, const struct event *event, uint64_t period,
		  uint32_t leaf)
{
	uint32_t callers;

	if (!stacks->memos)
		stacks->memos = calloc(NR_MEMOS, sizeof(*stacks->memos));
	if (!stacks->memos)
		return false;
	callers = find_callers(stacks, addresses, spaces, process, rec, event);
	return count_leaf(&stacks->paths.now, callers, leaf, period);
}

bool stacks_count_waiting(struct stacks *stacks, struct address_table *addresses,
			  const struct addrspaces *spaces, const struct process *process,
			  const struct record *rec, const struct event *event, uint64_t period,
			  uint32_t leaf)
{
	struct callpath_table *paths = &stacks->paths.waiting;
	uint32_t callers = walk_callers(stacks, paths, addresses, spaces, process, rec, event);

	return count_leaf(paths, callers, leaf, period);
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
	pathstore_free(&stacks->paths);
	*stacks = (struct stacks){.paths.fd = -1};
}
