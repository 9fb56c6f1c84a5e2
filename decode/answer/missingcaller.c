#include "decode/answer/missingcaller.h"

#include "perffile/format.h"
#include "util/prefetch.h"
#include "util/zeroed.h"

#include <elf.h>
#include <stdlib.h>

struct counting {
	const struct missing_caller_input *input;
	/* By the number of an address: */
	bool *is_user;	     /* it is user code */
	struct tally *stood; /* of user code: what was counted while execution stood there */
};

/* Arm's link register comes with the sample if perf asked for it: then the caller is known. */
static bool is_by_frame_pointer(const struct event *event)
{
	const struct attr *attr = &event->attr;

	return attr->sample_type & SAMPLE_CALLCHAIN &&
	       !(attr->sample_type & (SAMPLE_STACK_USER | SAMPLE_REGS_USER)) &&
	       !(attr->sample_type & SAMPLE_BRANCH_STACK &&
		 attr->branch_sample_type & BRANCH_CALL_STACK);
}

bool missing_caller_is_possible(const struct perffile *file)
{
	for (size_t i = 0; i < perffile_nr_events(file); i++) {
		if (is_by_frame_pointer(perffile_event(file, i)))
			return true;
	}
	return false;
}

/* So many turns before they are used, the lines of what is in no order are fetched. */
enum { AHEAD = 16 };

/* In place of the number of an address where user code stands: that is not known. */
#define UNKNOWN (ADDRESS_NONE - 1)

/* Of chains that are cut, what they have need not be where execution stands. */
static uint32_t of_root(enum chain_end end)
{
	return chain_end_is_cut(end) && end != CHAIN_DEPTH_LIMIT ? UNKNOWN : ADDRESS_NONE;
}

/*
 * Execution of user code stands at the end of a path, or where it has entered the kernel. @stands:
 * by number of a path; those of roots are set.
 */
static void count_paths(const struct counting *counting, uint32_t *stands,
			const struct callpath *paths, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct callpath *path = &paths[i];
		uint32_t at = stands[path->caller];

		if (i + AHEAD < nr && path[AHEAD].here.samples)
			prefetch_write(&counting->stood[path[AHEAD].address]);
		if (at != UNKNOWN && counting->is_user[path->address])
			at = path->address;
		stands[CHAIN_END_NR + i] = at;
		if (path->here.samples && at < UNKNOWN)
			tally_add(&counting->stood[at], path->here.samples, path->here.period);
	}
}

static int count_table(void *arg, size_t number, const struct callpath *paths, size_t nr,
		       struct error *err)
{
	uint32_t *stands = malloc((nr + CHAIN_END_NR) * sizeof(*stands));

	(void)number;
	if (!stands)
		return error_nomem(err, "adding up missing callers");
	for (unsigned end = 0; end < CHAIN_END_NR; end++)
		stands[end] = of_root((enum chain_end)end);
	count_paths(arg, stands, paths, nr);
	free(stands);
	return 0;
}

/* Makes room for all addresses, and notes which are user code. Returns false if memory is out. */
static bool start(struct counting *counting)
{
	const struct address_table *addresses = counting->input->addresses;
	const size_t nr = address_count(addresses);

	counting->is_user = calloc(nr + 1, sizeof(*counting->is_user));
	counting->stood = zeroed_get(nr + 1, sizeof(*counting->stood));
	if (!counting->is_user || !counting->stood)
		return false;
	for (size_t i = 0; i < nr; i++) {
		const struct address *at = &addresses->addresses[i];

		counting->is_user[i] = counting->input->dsos->dsos[at->dso]->kind == DSO_USER;
	}
	return true;
}

/* Places of one dso, up to @end, with a frame or without. */
struct frame_range {
	const struct dso *dso;
	uint64_t end;
	bool is_missing;
};

/* x86: whether the frame pointer is not the function's own. */
static bool has_no_frame(struct unwindinfo *info, const struct dso *dso,
			 const struct cfi_rule *rule)
{
	enum { RETURN_ADDRESS = 8 };

	if (rule->cfa != CFI_BY_SP)
		return false;
	/* But Go sets it up wherever more than the return address is on the stack. */
	return rule->cfa_offset == RETURN_ADDRESS || !unwindinfo_omits_fp(info, dso, rule);
}

/* Whether the code of @dso with @rule has not set up its frame. */
static bool is_missing(struct unwindinfo *info, const struct dso *dso, const struct cfi_rule *rule)
{
	if (rule->kind != CFI_RULE_STEP || rule->is_signal)
		return false;
	if (unwindinfo_machine(info, dso) == EM_X86_64)
		return has_no_frame(info, dso, rule);
	/* arm64: the return address is in the link register still. */
	return rule->ra == CFI_IN_PLACE;
}

/* Makes @range that of @place, which is behind those asked for before. Returns false if memory is
 * out. */
static bool find_range(struct unwindinfo *info, const struct dso *dso, uint64_t place,
		       struct frame_range *range)
{
	struct cfi_rule rule;

	if (dso == range->dso && place < range->end)
		return true;
	range->dso = dso;
	if (!unwindinfo_peek(info, dso, place, &rule, &range->end))
		return false;
	range->is_missing = is_missing(info, dso, &rule);
	return true;
}

/* Counts what stood in functions without a frame: in the order of places, so that the CFI of each
 * is read once. Returns false if memory is out. */
static bool count_frames(const struct counting *counting, struct tally *of_events)
{
	const struct missing_caller_input *input = counting->input;
	const struct sorted_address *sorted = input->places->sorted;
	struct frame_range range = {0};

	for (size_t i = 0; i < input->places->nr_sorted; i++) {
		const uint32_t number = sorted[i].number;
		const struct tally *tally = &counting->stood[number];
		const struct address *at = &input->addresses->addresses[number];

		if (i + AHEAD < input->places->nr_sorted) {
			prefetch_read(&counting->stood[sorted[i + AHEAD].number]);
			address_prefetch(input->addresses->addresses, sorted[i + AHEAD].number);
		}
		if (!tally->samples || !is_by_frame_pointer(perffile_event(input->file, at->event)))
			continue;
		if (!find_range(input->info, input->dsos->dsos[at->dso], at->place, &range))
			return false;
		if (range.is_missing)
			tally_add(&of_events[at->event], tally->samples, tally->period);
	}
	return true;
}

int missing_caller_count(const struct missing_caller_input *input, struct tally *of_events,
			 struct error *err)
{
	struct counting counting = {.input = input};
	const struct path_reader reader = {count_table, &counting};
	bool ok = start(&counting);
	int rc = 0;

	if (ok)
		rc = pathstore_read(input->paths, &reader, err);
	if (ok && rc == 0)
		ok = count_frames(&counting, of_events);
	free(counting.is_user);
	free(counting.stood);
	return ok ? rc : error_nomem(err, "adding up missing callers");
}
