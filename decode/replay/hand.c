#include "decode/replay/hand.h"

#include "util/array.h"

#include <stdlib.h>

/* As those of a pathstore: a few less than would double the index. */
enum { PATHS_MAX = (1 << 18) - (1 << 12) };

void hand_init(struct hand *hand, const struct addrspaces *spaces,
	       const struct stack_settings *settings)
{
	const size_t most = settings->paths_max;
	const struct stack_settings own = {
		.mode = settings->mode,
		.max_frames = settings->max_frames,
		.paths_max = most && most < PATHS_MAX ? most : PATHS_MAX,
	};

	hand->spaces = (struct addrspaces){
		.unmapped = spaces->unmapped, .guest = spaces->guest, .vsyscall = spaces->vsyscall};
	stacks_init(&hand->stacks, &hand->addresses, &hand->spaces, &own);
	stacks_use_memo(&hand->stacks, &hand->memo);
}

void hand_set_kernel(struct hand *hand, const struct kernel_space *kernel)
{
	hand->spaces.kernel = *kernel;
}

/* Notes that a sample is in @dso, the first one there. */
static void meet(struct hand *hand, const struct dso *dso)
{
	/* It only lets them be loaded earlier: without memory they are loaded later. */
	if (array_grow(hand->untold, hand->untold_room, hand->nr_untold + 1) &&
	    dso_set_add(&hand->met, dso))
		hand->untold[hand->nr_untold++] = dso;
}

size_t hand_take_met(struct hand *hand, const struct dso **met, size_t room)
{
	size_t nr = 0;

	while (nr < room && hand->nr_untold > 0)
		met[nr++] = hand->untold[--hand->nr_untold];
	return nr;
}

static inline struct location locate(struct hand *hand, const struct process *process,
				     enum cpumode cpumode, uint64_t addr)
{
	const struct location at =
		addrspaces_find(&hand->spaces, &hand->memo, process, cpumode, addr);

	if (!dso_set_has(&hand->met, at.dso))
		meet(hand, at.dso);
	return at;
}

/* The number of the address that a sample of @event counts at; ADDRESS_NONE if memory is out. */
static uint32_t count_leaf(struct hand *hand, uint32_t event, const struct location *at,
			   uint64_t period)
{
	const uint32_t leaf = address_get(&hand->addresses, event, at->dso->number, at->place);

	if (leaf != ADDRESS_NONE)
		tally_add(&hand->addresses.addresses[leaf].self, 1, period);
	return leaf;
}

static inline bool has_failed(const struct hand *hand)
{
	return hand->err.kind != ERROR_NONE;
}

/* Takes note that memory is out. Returns false. */
static bool fail(struct hand *hand)
{
	if (!has_failed(hand))
		error_nomem(&hand->err, "counting samples");
	return false;
}

bool hand_flush(struct hand *hand, bool swap)
{
	const size_t nr = hand->nr_plain;

	hand->nr_plain = 0;
	if (has_failed(hand))
		return false;
	return stacks_count_plain(&hand->stacks, hand->plain, nr, swap) || fail(hand);
}

/* Has @sample wait, of a process that has @maps. Returns false if memory is out. */
static inline bool add_plain(struct hand *hand, struct map_set *maps,
			     const struct plain_sample *sample, bool swap)
{
	struct process *process = &hand->processes[hand->nr_plain];
	struct location at;

	process->maps = maps;
	at = locate(hand, process, (enum cpumode)sample->cpumode, sample->ip);
	if (!sample->event->chains)
		return address_add(&hand->addresses, sample->event->number, at.dso->number,
				   at.place, sample->period);
	hand->plain[hand->nr_plain++] = (struct stack_plain){sample, process, at};
	return hand->nr_plain < STACKS_PLAIN_MAX || hand_flush(hand, swap);
}

bool hand_count_plain(struct hand *hand, struct map_set *maps, const struct plain_sample *samples,
		      size_t nr, bool swap)
{
	for (size_t i = 0; i < nr && !has_failed(hand); i++)
		if (!add_plain(hand, maps, &samples[i], swap))
			return fail(hand);
	return !has_failed(hand);
}

bool hand_count(struct hand *hand, struct map_set *maps, const struct stack_sample *sample)
{
	const struct record *rec = sample->rec;
	struct stack_sample own = *sample;
	struct location at;

	if (has_failed(hand))
		return false;
	hand->process.maps = maps;
	at = locate(hand, &hand->process, record_cpumode(rec), rec->sample.ip);
	own.process = &hand->process;
	own.leaf = count_leaf(hand, own.event->number, &at, own.period);
	return (own.leaf != ADDRESS_NONE && stacks_count(&hand->stacks, &own) != CALLPATH_NONE) ||
	       fail(hand);
}

bool hand_make_room(struct hand *hand)
{
	return !has_failed(hand) && stacks_make_room(&hand->stacks, &hand->err) == 0;
}

/* Moves what was counted at addresses that have a number in @addresses. */
static void move_known(const struct hand *hand, struct address_table *addresses)
{
	for (size_t i = 0; i < hand->nr_numbers; i++) {
		struct tally *self = &hand->addresses.addresses[i].self;

		if (i + ADDRESS_AHEAD < hand->nr_numbers)
			address_prefetch(addresses->addresses, hand->numbers[i + ADDRESS_AHEAD]);
		tally_add(&addresses->addresses[hand->numbers[i]].self, self->samples,
			  self->period);
		*self = (struct tally){0};
	}
}

bool hand_move_addresses(struct hand *hand, struct address_table *addresses,
			 struct helpers *helpers)
{
	const struct address_table *own = &hand->addresses;
	size_t nr;

	if (has_failed(hand) || !address_flush(&hand->addresses) ||
	    !array_grow(hand->numbers, hand->numbers_room, address_count(own)))
		return false;
	move_known(hand, addresses);
	nr = address_count(own) - hand->nr_numbers;
	if (nr > 0 && !address_take_others(addresses, &own->addresses[hand->nr_numbers], nr,
					   &hand->numbers[hand->nr_numbers], helpers))
		return false;
	hand->nr_numbers += nr;
	return true;
}

int hand_move_paths(struct hand *hand, struct stacks *stacks, struct error *err)
{
	return stacks_add_all(stacks, &hand->stacks, hand->numbers, hand->nr_numbers, err);
}

void hand_empty(struct hand *hand)
{
	free(hand->numbers);
	hand->numbers = NULL;
	hand->nr_numbers = hand->numbers_room = 0;
	address_table_free(&hand->addresses);
	callpath_table_free(&hand->stacks.paths.now);
}

void hand_free(struct hand *hand)
{
	free(hand->untold);
	dso_set_free(&hand->met);
	free(hand->numbers);
	address_table_free(&hand->addresses);
	stacks_free(&hand->stacks);
}
