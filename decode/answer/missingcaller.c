#include "decode/answer/missingcaller.h"

#include "perffile/format.h"

#include <elf.h>
#include <stdlib.h>

/* Whether a function at an address has a frame: looked up once for each. */
enum frame_state { FRAME_UNKNOWN, FRAME_IS_THERE, FRAME_IS_MISSING };

struct counting {
	const struct missing_caller_input *input;
	struct tally *of_events;
	uint8_t *states; /* enum frame_state by number of the address */
	bool nomem;
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

static bool is_user(const struct counting *counting, uint32_t address)
{
	const struct address *at = &counting->input->addresses->addresses[address];

	return counting->input->dsos->dsos[at->dso]->kind == DSO_USER;
}

static enum frame_state look_up(struct counting *counting, const struct address *at)
{
	const struct dso *dso = counting->input->dsos->dsos[at->dso];
	const struct cfi_rule *rule = unwindinfo_rule(counting->input->info, dso, at->place);

	if (!rule) {
		counting->nomem = true;
		return FRAME_IS_THERE;
	}
	if (rule->kind != CFI_RULE_STEP || rule->is_signal)
		return FRAME_IS_THERE;
	/* x86: the frame pointer is not the function's own. arm64: the return address is in the
	 * link register still. */
	if (unwindinfo_machine(counting->input->info, dso) == EM_X86_64)
		return rule->cfa == CFI_BY_SP ? FRAME_IS_MISSING : FRAME_IS_THERE;
	return rule->ra == CFI_IN_PLACE ? FRAME_IS_MISSING : FRAME_IS_THERE;
}

/* Counts @tally if the function at @address, where execution stood, has no frame. */
static void count(struct counting *counting, uint32_t address, const struct tally *tally)
{
	const struct address *at = &counting->input->addresses->addresses[address];

	if (!tally->samples || !is_user(counting, address) ||
	    !is_by_frame_pointer(perffile_event(counting->input->file, at->event)))
		return;
	if (counting->states[address] == FRAME_UNKNOWN)
		counting->states[address] = (uint8_t)look_up(counting, at);
	if (counting->states[address] == FRAME_IS_MISSING)
		tally_add(&counting->of_events[at->event], tally->samples, tally->period);
}

/* The paths of a table, by number. */
struct path_sums {
	struct tally *totals; /* what was counted on each and on all paths that extend it */
	uint8_t *ends;	      /* enum chain_end of the outermost caller */
};

/* A caller's number is less than those of the paths that extend it. */
static void sum_paths(struct path_sums *sums, const struct callpath *paths, size_t nr)
{
	for (size_t i = nr; i-- > 0;) {
		struct tally *total = &sums->totals[CHAIN_END_NR + i];

		tally_add(total, paths[i].here.samples, paths[i].here.period);
		tally_add(&sums->totals[paths[i].caller], total->samples, total->period);
	}
	for (unsigned end = 0; end < CHAIN_END_NR; end++)
		sums->ends[end] = (uint8_t)end;
	for (size_t i = 0; i < nr; i++)
		sums->ends[CHAIN_END_NR + i] = sums->ends[paths[i].caller];
}

/* Execution stood at a path's end, and where user code entered the kernel. */
static void count_paths(struct counting *counting, const struct path_sums *sums,
			const struct callpath *paths, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct callpath *path = &paths[i];
		const enum chain_end end = (enum chain_end)sums->ends[CHAIN_END_NR + i];

		if (chain_end_is_cut(end) && end != CHAIN_DEPTH_LIMIT)
			continue;
		count(counting, path->address, &path->here);
		if (path->caller >= CHAIN_END_NR && !is_user(counting, path->address))
			count(counting, paths[path->caller - CHAIN_END_NR].address,
			      &sums->totals[CHAIN_END_NR + i]);
	}
}

static int count_table(void *arg, size_t number, const struct callpath *paths, size_t nr,
		       struct error *err)
{
	struct path_sums sums = {calloc(nr + CHAIN_END_NR, sizeof(*sums.totals)),
				 calloc(nr + CHAIN_END_NR, sizeof(*sums.ends))};
	struct counting *counting = arg;
	const bool ok = sums.totals && sums.ends;

	(void)number;
	if (ok) {
		sum_paths(&sums, paths, nr);
		count_paths(counting, &sums, paths, nr);
	}
	free(sums.totals);
	free(sums.ends);
	return ok && !counting->nomem ? 0 : error_nomem(err, "adding up missing callers");
}

int missing_caller_count(const struct missing_caller_input *input, struct tally *of_events,
			 struct error *err)
{
	struct counting counting = {.input = input, .of_events = of_events};
	const struct path_reader reader = {count_table, &counting};
	int rc;

	counting.states = calloc(address_count(input->addresses) + 1, sizeof(*counting.states));
	if (!counting.states)
		return error_nomem(err, "adding up missing callers");
	rc = pathstore_read(input->paths, &reader, err);
	free(counting.states);
	return rc;
}
