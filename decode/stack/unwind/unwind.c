#include "decode/stack/unwind/unwind.h"

#include "decode/stack/unwind/unwindcall.h"
#include "decode/stack/unwind/unwindrow.h"
#include "decode/stack/unwind/unwindsignal.h"
#include "decode/stack/unwind/unwindstep.h"
#include "perffile/format.h"
#include "util/array.h"
#include "util/prefetch.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Bits of a user address of arm64 if nothing is mapped that says more: what most kernels have. */
enum { POINTER_BITS = 48 };

/* A sample that is being unwound. */
struct unwinding {
	struct unwinder *unwinder;
	struct unwind_owner owner;
	const struct unwind_arch *arch;
	struct unwind_stack stack;
	struct unwind_frame frame;
	struct unwind_regs *regs; /* all of the frame's: only if `whole` */
	bool whole;		  /* all registers are followed, not only those of a rule */
	bool has_signed;	  /* return addresses may carry a signature */
};

void unwinder_init(struct unwinder *unwinder, struct address_table *addresses,
		   const struct addrspaces *spaces, size_t max_frames)
{
	*unwinder = (struct unwinder){
		.places = {.addresses = addresses, .spaces = spaces},
		.max_frames = max_frames ? max_frames : UNWIND_MAX_FRAMES,
	};
}

bool unwind_is_possible(const struct record *rec)
{
	const struct event *event = rec->event;

	return event->layout.has_extra && rec->sample.extra.regs_user.abi &&
	       (event->attr.sample_type & SAMPLE_STACK_USER) && event->attr.sample_regs_user;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static uint64_t mask_of_end(uint64_t end)
{
	const int unused = end > 1 ? __builtin_clzll(end - 1) : 0;

	return UINT64_MAX >> unused;
}

/* The bits that addresses of the process may have: all up to the highest one that is mapped. */
static uint64_t pointer_mask(struct unwinder *unwinder, const struct map_set *maps)
{
	const struct map *map = maps ? maps->root : NULL;

	if (!map)
		return UINT64_MAX >> (64 - POINTER_BITS);
	if (unwinder->maps_version != maps->version) {
		while (map->right)
			map = map->right;
		unwinder->maps_version = maps->version;
		unwinder->pointer_mask = mask_of_end(map->end);
	}
	return unwinder->pointer_mask;
}

uint64_t unwind_strip_pointer(struct unwinder *unwinder, const struct process *process, uint64_t pc)
{
	return pc & pointer_mask(unwinder, process->maps);
}

/* ---- one step -------------------------------------------------------------------------------- */

static struct location location_of(const struct unwinding *u)
{
	return unwind_places_locate(&u->unwinder->places, &u->owner, u->frame.pc, u->frame.exact);
}

/* Whether a call is before the PC, unless nothing tells. */
static bool is_after_call(const struct unwinding *u)
{
	const struct location at = location_of(u); /* of the byte before */
	uint8_t code[UNWIND_CALL_BYTES];

	return !unwind_call_knows(u->arch) || at.place + 1 < UNWIND_CALL_BEFORE ||
	       !unwindinfo_code(u->unwinder->places.info, at.dso, at.place + 1 - UNWIND_CALL_BEFORE,
				code, sizeof(code)) ||
	       unwind_call_returns(code + UNWIND_CALL_BEFORE);
}

/* Whether the PC may be a return address, as far as its code tells. */
static bool is_return(const struct unwinding *u)
{
	struct unwind_place place;

	if (!unwind_places_find(&u->unwinder->places, &u->owner, u->frame.pc, u->frame.exact,
				&place) ||
	    !(place.what & UNWIND_PLACE_CODE))
		return false;
	/* Nothing has called trampolines, and where stacks begin. */
	return place.what & UNWIND_PLACE_TRAMPOLINE || place.rule->is_signal ||
	       place.rule->kind == CFI_RULE_OUTERMOST || is_after_call(u);
}

/* Whether the binary has CFI, of other code. */
static bool has_any_cfi(const struct unwinding *u)
{
	return unwindinfo_is_any(u->unwinder->places.info, location_of(u).dso);
}

/* Whether execution is where the program starts. */
static bool is_entry(const struct unwinding *u)
{
	const struct location at = location_of(u);

	return at.dso && unwindinfo_is_entry(u->unwinder->places.info, at.dso, at.place);
}

/*
 * Whether nothing has called the code, which has no CFI: where programs and threads start, the
 * frame pointer is 0, as the dynamic loader has it. It stays 0 in the first functions of a thread,
 * of which one that calls nothing may have no CFI, but a caller.
 */
static bool is_first(const struct unwinding *u)
{
	const struct unwind_frame *here = &u->frame;

	if (!here->has_fp || here->fp != 0 || !u->arch->frame.is_known || u->arch->frame.by_sp)
		return false;
	return !here->exact || is_entry(u);
}

/* Steps without CFI. What comes out must be a return address: a frame pointer may be anything. */
static enum unwind_step step_without(struct unwinding *u)
{
	const struct unwind_frame here = u->frame;
	const bool is_left_out = has_any_cfi(u);
	enum unwind_step step;

	/* In a binary with CFI what it leaves out are functions that have no frame. */
	if (here.exact && u->arch->link == UNWIND_NO_REG && is_left_out &&
	    unwind_step_return(&u->frame, &u->stack) == UNWIND_STEP_CALLER && is_return(u))
		return UNWIND_STEP_CALLER;
	u->frame = here;
	if (here.exact && here.has_link && !u->arch->frame.by_sp) {
		u->frame.pc = here.link;
		u->frame.has_link = u->frame.exact = false;
		if (is_return(u))
			return UNWIND_STEP_CALLER;
		u->frame = here;
	}
	if (is_left_out && is_first(u))
		return UNWIND_STEP_OUTERMOST;
	step = unwind_step_record(&u->frame, u->arch, &u->stack);
	if (step != UNWIND_STEP_CALLER || is_return(u))
		return step;
	u->frame = here;
	return UNWIND_STEP_BAD;
}

/* Makes what steps without CFI have found the registers of the whole frame. */
static void take_frame(struct unwinding *u)
{
	struct unwind_regs *regs = u->regs;
	const struct unwind_arch *arch = u->arch;

	regs->pc = u->frame.pc;
	regs->values[arch->sp] = u->frame.sp;
	regs->values[arch->fp] = u->frame.fp;
	regs->known[arch->fp] = u->frame.has_fp;
	if (arch->link != UNWIND_NO_REG)
		regs->known[arch->link] = false;
}

static void take_regs(struct unwinding *u, bool exact)
{
	const struct unwind_regs *regs = u->regs;
	const uint8_t link = u->arch->link;

	u->frame = (struct unwind_frame){
		.pc = regs->pc,
		.sp = regs->values[u->arch->sp],
		.fp = regs->values[u->arch->fp],
		.has_fp = regs->known[u->arch->fp],
		.exact = exact,
	};
	if (link != UNWIND_NO_REG) {
		u->frame.link = regs->values[link];
		u->frame.has_link = regs->known[link];
	}
}

/*
 * Whether @row is of a function of the C++ runtime that goes on in a landing pad instead of its
 * caller: it keeps the registers for what handlers are given, of which the first is 0 in DWARF, and
 * the address is in a register, about to be jumped to. That is no return address.
 */
static bool goes_to_landing_pad(const struct cfi_row *row)
{
	return row->regs[row->ra_column].how == CFI_REGISTER && row->regs[0].how == CFI_AT_CFA;
}

/* From the trampoline of a signal handler, which execution has not reached yet. */
static enum unwind_step step_signal(struct unwinding *u)
{
	enum unwind_step step;

	u->regs->values[u->arch->sp] = u->frame.sp;
	step = unwind_signal_step(u->regs, u->arch, &u->stack);
	if (step == UNWIND_STEP_CALLER)
		take_regs(u, true);
	return step;
}

/* By a row: all registers. */
static enum unwind_step step_whole(struct unwinding *u)
{
	const struct location at = location_of(u);
	const bool exact = u->frame.exact;
	enum unwind_step step;
	struct cfi_row row;

	if (!unwindinfo_row(u->unwinder->places.info, at.dso, at.place, &row))
		return UNWIND_STEP_BAD;
	step = unwind_row_step(u->regs, &row, u->arch, &u->stack, exact);
	take_regs(u, row.is_signal || goes_to_landing_pad(&row));
	return step;
}

enum { NEEDS_WHOLE = -1 };

/* Returns an enum unwind_step, or NEEDS_WHOLE if the rule asks for registers that are not kept. */
static int step_from(struct unwinding *u, const struct unwind_place *place, enum unwind_way *way)
{
	const struct cfi_rule *rule = place->rule;
	int step;

	if (rule->kind == CFI_RULE_NONE) {
		*way = UNWIND_BY_SIGNAL_FRAME;
		if (place->what & UNWIND_PLACE_TRAMPOLINE && unwind_signal_knows(u->arch))
			return (int)step_signal(u);
		*way = UNWIND_BY_FRAME_POINTER;
		step = (int)step_without(u);
		if (u->whole)
			take_frame(u);
		return step;
	}
	*way = (enum unwind_way)rule->source;
	if (rule->kind == CFI_RULE_OUTERMOST)
		return UNWIND_STEP_OUTERMOST;
	if (place->what & UNWIND_PLACE_START)
		u->frame.exact = true;
	if (u->whole)
		return (int)step_whole(u);
	if (rule->kind == CFI_RULE_ROW)
		return NEEDS_WHOLE;
	return (int)unwind_step_rule(&u->frame, rule, &u->stack);
}

/*
 * What @step, as step_from() returns it, means for a function that nothing has called, but whose
 * address was put on the stack as one to return to: its CFI may not know that there is no caller.
 * Not inlined, as it is rare and add_frame() runs for each frame.
 */
__attribute__((noinline)) static int step_from_start(const struct unwinding *u,
						     const struct cfi_rule *rule, int step)
{
	const bool is_none =
		step == UNWIND_STEP_BAD || (step == UNWIND_STEP_CALLER && !is_return(u));

	return is_none && !rule->is_signal ? UNWIND_STEP_OUTERMOST : step;
}

/* ---- a chain --------------------------------------------------------------------------------- */

/* Makes room for counts of @need dsos. Returns false if memory is out. */
static bool grow_counts(struct unwinder *unwinder, size_t need)
{
	if (!array_grow(unwinder->counts, unwinder->counts_room, need))
		return false;
	memset(&unwinder->counts[unwinder->nr_counts], 0,
	       (need - unwinder->nr_counts) * sizeof(*unwinder->counts));
	unwinder->nr_counts = need;
	return true;
}

static bool count_way(struct unwinder *unwinder, uint32_t dso, enum unwind_way way)
{
	const size_t need = (size_t)dso + 1;

	if (need > unwinder->nr_counts && !grow_counts(unwinder, need))
		return false;
	unwinder->counts[dso].frames[way]++;
	return true;
}

bool unwinder_move_counts(struct unwinder *to, struct unwinder *from)
{
	if (from->nr_counts > to->nr_counts && !grow_counts(to, from->nr_counts))
		return false;
	for (size_t i = 0; i < from->nr_counts; i++)
		for (size_t way = 0; way < UNWIND_NR_WAYS; way++)
			to->counts[i].frames[way] += from->counts[i].frames[way];
	from->nr_counts = 0;
	return true;
}

static enum chain_end end_of(enum unwind_step step, const struct cfi_rule *rule)
{
	if (step == UNWIND_STEP_OUTERMOST)
		return CHAIN_COMPLETE;
	if (step == UNWIND_STEP_CUT)
		return CHAIN_STACK_CUT;
	return rule->kind == CFI_RULE_NONE ? CHAIN_NO_CFI : CHAIN_BAD_FRAME;
}

/* The return address without a signature. */
static void enter_caller(struct unwinding *u)
{
	if (!u->has_signed)
		return;
	u->frame.pc = unwind_strip_pointer(u->unwinder, u->owner.process, u->frame.pc);
	u->regs->pc = u->frame.pc;
}

enum { NO_MEMORY = -2, GO_ON = -3 };

/* Adds the frame and steps to its caller. Returns an enum chain_end, GO_ON, NEEDS_WHOLE or
 * NO_MEMORY. */
static int add_frame(struct unwinding *u)
{
	struct unwinder *unwinder = u->unwinder;
	struct unwind_place place;
	enum unwind_way way;
	int step;

	if (!unwind_places_find(&unwinder->places, &u->owner, u->frame.pc, u->frame.exact, &place))
		return NO_MEMORY;
	if (unwinder->nr_frames && !(place.what & UNWIND_PLACE_CODE))
		return CHAIN_NO_MAPPING;
	if (unwinder->nr_frames == unwinder->max_frames)
		return CHAIN_DEPTH_LIMIT;
	if (!array_grow(unwinder->frames, unwinder->frames_room, unwinder->nr_frames + 1))
		return NO_MEMORY;
	unwinder->frames[unwinder->nr_frames++] = place.address;
	if (!place.rule)
		return CHAIN_NO_MAPPING;
	step = step_from(u, &place, &way);
	if (place.what & UNWIND_PLACE_START)
		step = step_from_start(u, place.rule, step);
	if (step == NEEDS_WHOLE)
		return NEEDS_WHOLE;
	if (step == UNWIND_STEP_BAD && place.rule->kind == CFI_RULE_NONE)
		way = UNWIND_BY_NOTHING;
	if (!count_way(unwinder, place.dso, way))
		return NO_MEMORY;
	if (step != UNWIND_STEP_CALLER)
		return (int)end_of((enum unwind_step)step, place.rule);
	enter_caller(u);
	return GO_ON;
}

/* Unwinds from the innermost frame on. Returns as add_frame() but GO_ON. */
static int unwind_all(struct unwinding *u)
{
	struct unwind_trail *trail = &u->unwinder->trail;
	int end;

	u->unwinder->nr_frames = 0;
	take_regs(u, true);
	for (trail->nr = 0; (end = add_frame(u)) == GO_ON;)
		if (trail->nr < UNWIND_TRAIL_MAX)
			trail->sps[trail->nr++] = u->frame.sp;
	return end;
}

/*
 * Prefetches what frames of the sample before have on @stack: one of the same thread still has most
 * of them, at the same addresses. Another thread may have the copy of the stack in its cache.
 */
static void follow_trail(const struct unwind_trail *trail, const struct unwind_stack *stack)
{
	const uint64_t saved = 2 * (uint64_t)stack->word; /* a return address and a frame pointer */

	for (size_t i = 0; i < trail->nr; i++) {
		const uint64_t at = trail->sps[i] - saved - stack->base;

		if (at < stack->size)
			prefetch_read(stack->bytes + at);
	}
}

/* ---- a sample -------------------------------------------------------------------------------- */

/* What the binaries that were mapped so far are made for, those of @abi; NULL: they do not tell. */
static const struct unwind_arch *ask_binaries(struct unwinder *unwinder, uint64_t abi)
{
	const struct dso_table *dsos = &unwinder->places.spaces->dsos;
	size_t *asked = &unwinder->asked[abi - 1];

	while (*asked < dsos->nr_dsos) {
		const struct dso *dso = dsos->dsos[(*asked)++];
		const struct unwind_arch *arch = NULL;

		if (dso->kind == DSO_USER)
			arch = unwind_arch_of(unwindinfo_machine(unwinder->places.info, dso));
		if (arch && (arch->word == 4) == (abi == 1))
			return arch;
	}
	return NULL;
}

/* The same for a whole recording. Some do not say which machine made them. */
static const struct unwind_arch *arch_of(struct unwinder *unwinder, uint64_t abi)
{
	const struct unwind_arch **arch;

	if (abi != 1 && abi != 2)
		return NULL;
	arch = &unwinder->archs[abi - 1];
	if (!*arch)
		*arch = unwinder->machine ? unwind_arch_find(unwinder->machine, abi)
					  : ask_binaries(unwinder, abi);
	return *arch;
}

bool unwind_sample(struct unwinder *unwinder, const struct process *process, uint32_t event,
		   const struct record *rec, enum chain_end *end)
{
	const struct sample_extra *extra = &rec->sample.extra;
	struct unwind_regs regs;
	struct unwinding u = {.unwinder = unwinder, .owner = {process, event}, .regs = &regs};
	int reached;

	unwinder->nr_frames = 0;
	*end = CHAIN_BAD_FRAME;
	u.arch = arch_of(unwinder, extra->regs_user.abi);
	if (!u.arch)
		*end = CHAIN_MISSING;
	if (!u.arch || !unwind_regs_take(&regs, u.arch, rec->event->attr.sample_regs_user,
					 extra->regs_user.values))
		return true;
	u.stack = (struct unwind_stack){
		.bytes = extra->stack_user.pos,
		.size = span_left(&extra->stack_user),
		.base = regs.values[u.arch->sp],
		.swap = extra->stack_user.swap,
		.word = u.arch->word,
	};
	follow_trail(&unwinder->trail, &u.stack);
	u.has_signed = u.arch->machine == EM_AARCH64;
	u.whole = !cfi_rule_knows(u.arch->machine);
	reached = unwind_all(&u);
	if (reached == NEEDS_WHOLE) {
		u.whole = true;
		unwind_regs_take(&regs, u.arch, rec->event->attr.sample_regs_user,
				 extra->regs_user.values);
		reached = unwind_all(&u);
	}
	if (reached == NO_MEMORY)
		return false;
	*end = (enum chain_end)reached;
	if (*end == CHAIN_STACK_CUT && extra->is_stack_short)
		*end = CHAIN_STACK_AWAY;
	return true;
}

const char *unwinder_word(const struct unwinder *unwinder, uint32_t dso)
{
	static const char *const words[UNWIND_NR_WAYS] = {
		"none", "eh_frame", "debug_frame", "gopclntab", "frame-pointer", "signal-frame"};
	const struct unwind_count *count;
	size_t most = UNWIND_BY_NOTHING;

	if (dso >= unwinder->nr_counts)
		return "";
	count = &unwinder->counts[dso];
	for (size_t i = 0; i < UNWIND_NR_WAYS; i++) {
		if (count->frames[i] > count->frames[most])
			most = i;
	}
	return count->frames[most] ? words[most] : "";
}

bool unwinder_read_file(const struct unwinder *unwinder, uint32_t dso)
{
	const uint64_t *frames;

	if (dso >= unwinder->nr_counts)
		return false;
	frames = unwinder->counts[dso].frames;
	return frames[UNWIND_BY_EH_FRAME] > 0 || frames[UNWIND_BY_DEBUG_FRAME] > 0 ||
	       frames[UNWIND_BY_GO_TABLE] > 0;
}

void unwinder_free(struct unwinder *unwinder)
{
	unwind_places_free(&unwinder->places);
	free(unwinder->frames);
	free(unwinder->counts);
	*unwinder = (struct unwinder){0};
}
