#include "decode/answer/missingcaller.h"

#include "perffile/format.h"
#include "util/array.h"

#include <elf.h>
#include <stdlib.h>

/* Whether a function at an address has a frame: looked up once for each. */
enum frame_state { FRAME_UNKNOWN, FRAME_IS_THERE, FRAME_IS_MISSING };

struct counting {
	const struct missing_caller_input *input;
	struct tally *of_events;
	uint8_t *states;   /* enum frame_state by number of the address */
	uint32_t *callers; /* addresses of the paths that were entered */
	size_t nr_callers, room;
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

/* Execution stood at a path's end, and where user code entered the kernel. */
static void enter(void *arg, const struct path_visit *visit)
{
	struct counting *counting = arg;
	const uint32_t address = visit->path->address;

	if (!chain_end_is_cut(visit->end) || visit->end == CHAIN_DEPTH_LIMIT) {
		count(counting, address, &visit->path->here);
		if (counting->nr_callers && !is_user(counting, address))
			count(counting, counting->callers[counting->nr_callers - 1], visit->total);
	}
	if (!array_grow(counting->callers, counting->room, counting->nr_callers + 1))
		counting->nomem = true;
	else
		counting->callers[counting->nr_callers++] = address;
}

static void leave(void *arg, const struct path_visit *visit)
{
	struct counting *counting = arg;

	(void)visit;
	counting->nr_callers -= counting->nr_callers > 0;
}

int missing_caller_count(const struct missing_caller_input *input, struct tally *of_events,
			 struct error *err)
{
	struct counting counting = {.input = input, .of_events = of_events};
	const struct path_visitor visitor = {enter, leave, &counting};
	int rc;

	counting.states = calloc(address_count(input->addresses) + 1, sizeof(*counting.states));
	if (!counting.states)
		return error_nomem(err, "adding up missing callers");
	rc = pathstore_visit(input->paths, NULL, input->rows, &visitor, err);
	if (rc == 0 && counting.nomem)
		rc = error_nomem(err, "adding up missing callers");
	free(counting.states);
	free(counting.callers);
	return rc;
}
