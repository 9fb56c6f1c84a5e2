#include "decode/stack/stack.h"

#include "perffile/context.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/*
 * The paths of the tail with this number. Its innermost address may be the sample's own, so one
 * path is without it.
 */
struct tail_path {
	uint64_t number;
	uint64_t innermost;
	struct callpath_ref all, without_innermost;
};

static struct path_maker path_maker(struct stacks *stacks, struct callpath_table *paths,
				    const struct process *process, const struct event *event)
{
	return (struct path_maker){.cache = &stacks->callers,
				   .paths = paths,
				   .addresses = stacks->addresses,
				   .spaces = stacks->spaces,
				   .memo = stacks->memo,
				   .process = process,
				   .event = event->number};
}

static bool work_out_tail(const struct stacks *stacks, const struct path_maker *in,
			  struct tail_path *tail)
{
	struct raw_chain chain = {.ips = stacks->tail,
				  .cpumode = CPUMODE_USER,
				  .outer = callpath_root(CHAIN_RECORDED)};
	enum cpumode cpumode = chain.cpumode;

	*tail = (struct tail_path){.number = stacks->tail_number};
	if (!context_first_address(chain.ips, &cpumode, &tail->innermost))
		return true;
	chain.leaf = tail->innermost;
	tail->without_innermost = callers_find(in, &chain);
	if (tail->without_innermost.number == CALLPATH_NONE)
		return false;
	tail->all = callers_step(in, tail->without_innermost, cpumode, tail->innermost);
	return tail->all.number != CALLPATH_NONE;
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

/* Returns the path of the shared tail that follows @chain; its number is CALLPATH_NONE if memory is
 * out. */
static struct callpath_ref tail_of(struct stacks *stacks, const struct path_maker *in,
				   const struct raw_chain *chain)
{
	enum cpumode cpumode = chain->cpumode;
	struct tail_path *tail;
	uint64_t innermost;

	if (!make_room_for_tail(stacks, in->event))
		return callpath_none;
	tail = &stacks->tails[in->event];
	if (tail->number != stacks->tail_number && !work_out_tail(stacks, in, tail)) {
		tail->number = 0;
		return callpath_none;
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

void stacks_use_memo(struct stacks *stacks, struct map_memo *memo)
{
	stacks->memo = stacks->unwinder.places.memo = memo;
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

/* Makes room in the table of paths. As stacks_make_room(). */
static int make_room(struct stacks *stacks, struct error *err)
{
	if (!pathstore_full(&stacks->paths))
		return 0;
	walked_path_forget(&stacks->walked);
	stacks->is_renewed = true;
	return pathstore_put_aside(&stacks->paths, err);
}

int stacks_make_room(struct stacks *stacks, struct error *err)
{
	const int rc = make_room(stacks, err);

	if (stacks->is_renewed) {
		callers_forget(&stacks->callers);
		stacks->tail_number++;
		stacks->is_renewed = false;
	}
	return rc;
}

/*
 * Adds the paths of @from to the table. If it has so many that it has put some aside, they are not
 * looked up once more: then all are tables of their own. Returns 0, or -1 with @err filled.
 */
static int add_paths(struct stacks *stacks, struct stacks *from, const uint32_t *addresses,
		     size_t nr, struct error *err)
{
	if (from->paths.nr_aside > 0 && callpath_count(&from->paths.now) > 0 &&
	    pathstore_put_aside(&from->paths, err) < 0)
		return -1;
	if (from->paths.nr_aside > 0)
		return pathstore_adopt(&stacks->paths, &from->paths, addresses, nr, err);
	if (stacks_make_room(stacks, err) < 0)
		return -1;
	if (!callpath_add_all(&stacks->paths.now, &from->paths.now, addresses))
		return error_nomem(err, "adding up call paths");
	callpath_table_clear(&from->paths.now);
	return 0;
}

int stacks_add_all(struct stacks *stacks, struct stacks *from, const uint32_t *addresses, size_t nr,
		   struct error *err)
{
	if (add_paths(stacks, from, addresses, nr, err) < 0)
		return -1;
	if (!unwinder_move_counts(&stacks->unwinder, &from->unwinder))
		return error_nomem(err, "adding up call paths");
	callers_forget(&from->callers);
	walked_path_forget(&from->walked);
	return 0;
}

/*
 * Counts a sample of @period on the path to its own address, @leaf, from the path @callers. Returns
 * the path's number; CALLPATH_NONE if that of @callers is it or memory is out.
 */
static uint32_t count_leaf(struct callpath_table *paths, struct callpath_ref callers, uint32_t leaf,
			   uint64_t period)
{
	uint32_t path = callers.number;

	if (path != CALLPATH_NONE)
		path = callpath_get(paths, callers, leaf).number;
	if (path != CALLPATH_NONE)
		tally_add(&callpath_at(paths, path)->here, 1, period);
	return path;
}

static struct raw_chain chain_of(const struct record *rec)
{
	return (struct raw_chain){.ips = rec->sample.callchain.ips,
				  .cpumode = record_cpumode(rec),
				  .leaf = rec->sample.ip,
				  .outer = callpath_root(CHAIN_RECORDED),
				  .user_calls = user_part_has_calls(rec)};
}

/* As user_part_find(), without the frame of the sample's own address. */
static bool find_user_part(struct stacks *stacks, const struct stack_sample *sample,
			   struct user_part *part)
{
	if (!user_part_find(&stacks->unwinder, stacks->mode, sample->process, sample->event->number,
			    sample->rec, part))
		return false;
	if (part->nr > 0 && record_cpumode(sample->rec) == CPUMODE_USER) {
		part->addresses++;
		part->nr--;
	}
	return true;
}

/* Sets the path that @chain continues, and leaves of its words those that are not on it. False if
 * memory is out. */
static bool resolve_outer(struct stacks *stacks, const struct path_maker *in,
			  const struct stack_sample *sample, struct raw_chain *chain)
{
	struct user_part part;

	if (span_left(&stacks->tail) > 0) {
		chain->outer = tail_of(stacks, in, chain);
		return chain->outer.number != CALLPATH_NONE;
	}
	if (!find_user_part(stacks, sample, &part))
		return false;
	if (part.is_recorded && part.end == CHAIN_RECORDED && stacks->lacks_tail)
		part.end = CHAIN_MISSING;
	chain->outer = callpath_root(part.end);
	if (part.is_recorded)
		return true;
	chain->ips = part.kernel_ips;
	chain->outer =
		walked_path_to(&stacks->walked, in->paths, part.end, part.addresses, part.nr);
	return chain->outer.number != CALLPATH_NONE;
}

uint32_t stacks_count(struct stacks *stacks, const struct stack_sample *sample)
{
	const struct path_maker in =
		path_maker(stacks, &stacks->paths.now, sample->process, sample->event);
	struct raw_chain chain = chain_of(sample->rec);

	if (!resolve_outer(stacks, &in, sample, &chain))
		return CALLPATH_NONE;
	return count_leaf(in.paths, callers_find(&in, &chain), sample->leaf, sample->period);
}

bool stacks_name(struct stacks *stacks, const struct stack_sample *sample, struct named_paths *to)
{
	const struct path_maker in = path_maker(stacks, NULL, sample->process, sample->event);
	struct raw_chain chain = chain_of(sample->rec);
	struct user_part part;
	size_t nr;

	if (!find_user_part(stacks, sample, &part))
		return false;
	if (!part.is_recorded)
		chain.ips = part.kernel_ips;
	return callers_locate(&in, &chain, &nr) &&
	       named_paths_begin(to, part.end, sample->period, sample->leaf) &&
	       named_paths_add_reversed(to, stacks->callers.addresses, nr) &&
	       named_paths_add(to, part.addresses, part.nr);
}

int stacks_count_named(struct stacks *stacks, const struct named_paths *named, struct error *err)
{
	struct callpath_table *paths = &stacks->paths.now;
	struct named_path path;
	size_t at = 0;

	while (named_paths_next(named, &at, &path)) {
		struct callpath_ref ref;

		if (make_room(stacks, err) < 0)
			return -1;
		ref = walked_path_to(&stacks->walked, paths, path.end, path.addresses, path.nr);
		if (ref.number == CALLPATH_NONE)
			return error_nomem(err, "counting samples");
		tally_add(&callpath_at(paths, ref.number)->here, 1, path.period);
	}
	return 0;
}

_Static_assert((int)STACKS_PLAIN_MAX <= (int)ADDRESS_ALL_MAX &&
		       (int)STACKS_PLAIN_MAX <= (int)CALLPATH_EACH_MAX,
	       "all at once");

/* Sets @leaves to the numbers of the addresses of the @nr @samples, and counts them there. */
static bool count_leaves(struct stacks *stacks, const struct stack_plain *samples, size_t nr,
			 uint32_t *leaves)
{
	struct address_key keys[STACKS_PLAIN_MAX] = {{0}};

	for (size_t i = 0; i < nr; i++)
		keys[i] = (struct address_key){samples[i].at.place, samples[i].at.dso->number,
					       samples[i].sample->event->number};
	if (!address_get_all(stacks->addresses, keys, nr, leaves))
		return false;
	for (size_t i = 0; i < nr; i++)
		tally_add(&stacks->addresses->addresses[leaves[i]].self, 1,
			  samples[i].sample->period);
	return true;
}

static struct raw_chain chain_of_plain(const struct plain_sample *sample, bool swap)
{
	struct raw_chain chain = {
		.ips = plain_sample_chain(sample, swap),
		.cpumode = (enum cpumode)sample->cpumode,
		.leaf = sample->ip,
	};

	chain.outer =
		callpath_root(user_part_recorded_end(sample->event, chain.cpumode, chain.ips));
	return chain;
}

/* Sets @callers to the paths of the callers in the chains of the @nr @samples. */
static bool find_callers(struct stacks *stacks, const struct stack_plain *samples, size_t nr,
			 bool swap, struct callpath_ref *callers)
{
	struct path_maker in[STACKS_PLAIN_MAX];
	struct caller_search searches[STACKS_PLAIN_MAX];

	for (size_t i = 0; i < nr; i++) {
		in[i] = path_maker(stacks, &stacks->paths.now, samples[i].process,
				   samples[i].sample->event);
		searches[i].chain = chain_of_plain(samples[i].sample, swap);
		callers_begin(&in[i], &searches[i]);
	}
	for (size_t i = 0; i < nr; i++)
		callers_look(&searches[i]);
	for (size_t i = 0; i < nr; i++) {
		callers[i] = callers_end(&in[i], &searches[i]);
		if (callers[i].number == CALLPATH_NONE)
			return false;
	}
	return true;
}

bool stacks_count_plain(struct stacks *stacks, const struct stack_plain *samples, size_t nr,
			bool swap)
{
	struct callpath_table *paths = &stacks->paths.now;
	uint32_t leaves[STACKS_PLAIN_MAX], numbers[STACKS_PLAIN_MAX];
	struct callpath_ref callers[STACKS_PLAIN_MAX];

	if (!count_leaves(stacks, samples, nr, leaves) ||
	    !find_callers(stacks, samples, nr, swap, callers) ||
	    !callpath_get_each(paths, callers, leaves, nr, numbers))
		return false;
	for (size_t i = 0; i < nr; i++)
		tally_add(&callpath_at(paths, numbers[i])->here, 1, samples[i].sample->period);
	return true;
}

void stacks_share_tail(struct stacks *stacks, struct span tail)
{
	stacks->tail = tail;
	stacks->lacks_tail = span_left(&tail) == 0;
	stacks->tail_number++;
}

void stacks_end_tail(struct stacks *stacks)
{
	stacks->tail = (struct span){0};
	stacks->lacks_tail = false;
}

uint32_t stacks_count_waiting(struct stacks *stacks, const struct stack_sample *sample)
{
	const struct path_maker in =
		path_maker(stacks, &stacks->paths.waiting, sample->process, sample->event);
	struct raw_chain chain = chain_of(sample->rec);

	chain.outer = callpath_root(CHAIN_MISSING);
	return count_leaf(in.paths, callers_walk(&in, &chain), sample->leaf, sample->period);
}

void stacks_forget_waiting(struct stacks *stacks)
{
	callpath_table_free(&stacks->paths.waiting);
}

void stacks_free(struct stacks *stacks)
{
	callers_free(&stacks->callers);
	free(stacks->tails);
	unwinder_free(&stacks->unwinder);
	walked_path_free(&stacks->walked);
	pathstore_free(&stacks->paths);
	*stacks = (struct stacks){.paths.fd = -1};
}
