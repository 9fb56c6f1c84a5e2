#include "decode/stack/userpart.h"

#include "perffile/context.h"
#include "perffile/format.h"
#include "util/array.h"

enum {
	DEFAULT_MAX_STACK = 127, /* kernel.perf_event_max_stack if not said otherwise */
	ARM64_LINK = 30,	 /* perf's number of LR */
	LBR_ENTRY_BYTES = 24,
};

/* The words of a recorded chain before its user part, and the user part. */
struct split_chain {
	struct span kernel, user;
	bool has_user; /* a marker begins it, or the sample was taken in user mode */
};

/* The sample that a part is made from. */
struct part_source {
	struct unwinder *unwinder;
	struct unwind_owner owner;
	const struct record *rec;
};

/* ---- recorded chains ------------------------------------------------------------------------- */

static struct split_chain split(const struct record *rec)
{
	struct span ips = rec->sample.callchain.ips, at = ips;
	struct split_chain chain = {.kernel = ips};

	if (record_cpumode(rec) == CPUMODE_USER) {
		chain.kernel.end = chain.kernel.pos;
		chain.user = ips;
		chain.has_user = true;
		return chain;
	}
	while (span_left(&at) >= sizeof(uint64_t)) {
		const uint8_t *word = at.pos;

		if (span_u64(&at) == CONTEXT_USER) {
			chain.kernel.end = word;
			chain.user = at;
			chain.has_user = true;
			break;
		}
	}
	return chain;
}

static size_t count_addresses(struct span ips)
{
	size_t nr = 0;

	while (span_left(&ips) >= sizeof(uint64_t))
		nr += span_u64(&ips) < CONTEXT_MAX;
	return nr;
}

bool user_part_has_calls(const struct record *rec)
{
	const struct event *event = rec->event;

	/* The kernel does not write user addresses for events of perf's that have stacks. */
	return event->layout.has_extra && (event->attr.sample_type & SAMPLE_STACK_USER) &&
	       (event->attr.sample_type & SAMPLE_REGS_USER) && !rec->sample.extra.regs_user.abi;
}

enum chain_end user_part_recorded_end(const struct event *event, enum cpumode cpumode,
				      struct span ips)
{
	const uint16_t max_stack = event->attr.sample_max_stack;
	const size_t nr = span_left(&ips) / sizeof(uint64_t);
	const size_t most = max_stack ? max_stack : DEFAULT_MAX_STACK;

	if (nr >= most && count_addresses(ips) >= most)
		return CHAIN_DEPTH_LIMIT;
	/* Of user code: its own address alone. */
	if (nr <= 2 && cpumode == CPUMODE_USER && count_addresses(ips) <= 1)
		return CHAIN_MISSING;
	return CHAIN_RECORDED;
}

static enum chain_end recorded_end(const struct record *rec)
{
	if (user_part_has_calls(rec))
		return CHAIN_RECORDED;
	return user_part_recorded_end(rec->event, record_cpumode(rec), rec->sample.callchain.ips);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void start_frames(const struct part_source *from)
{
	from->unwinder->nr_frames = 0;
}

static bool append_frame(const struct part_source *from, uint64_t pc, bool exact)
{
	struct unwinder *unwinder = from->unwinder;
	struct location at = unwind_places_locate(&unwinder->places, &from->owner, pc, exact);
	const uint32_t address = address_get(unwinder->places.addresses, from->owner.event,
					     at.dso->number, at.place);

	if (address == ADDRESS_NONE ||
	    !array_grow(unwinder->frames, unwinder->frames_room, unwinder->nr_frames + 1))
		return false;
	unwinder->frames[unwinder->nr_frames++] = address;
	return true;
}

/* The part is what is in the unwinder's frames. */
static void take_frames(const struct part_source *from, struct user_part *part)
{
	part->is_recorded = false;
	part->addresses = from->unwinder->frames;
	part->nr = from->unwinder->nr_frames;
	part->kernel_ips = split(from->rec).kernel;
}

/* ---- LBR ------------------------------------------------------------------------------------- */

static bool has_lbr(const struct record *rec)
{
	return rec->event->layout.has_extra &&
	       (rec->event->attr.sample_type & SAMPLE_BRANCH_STACK) &&
	       (rec->event->attr.branch_sample_type & BRANCH_CALL_STACK) &&
	       rec->sample.extra.branches.nr && split(rec).has_user;
}

/*
 * Branches are the calls that have not returned, newest first. The newest one went to the innermost
 * function, and each came from a call: an exact address.
 */
static bool read_lbr(const struct part_source *from, struct user_part *part)
{
	const struct branch_stack *branches = &from->rec->sample.extra.branches;
	struct span s = branches->entries;

	start_frames(from);
	for (uint64_t i = 0; span_left(&s) >= LBR_ENTRY_BYTES; i++) {
		const uint64_t call = span_u64(&s), to = span_u64(&s);

		span_skip(&s, LBR_ENTRY_BYTES - 16);
		if ((i == 0 && !append_frame(from, to, true)) || !append_frame(from, call, true))
			return false;
	}
	take_frames(from, part);
	part->end = branches->nr < from->unwinder->branches_kept ? CHAIN_RECORDED : CHAIN_LBR_FULL;
	return true;
}

/* ---- the link register of arm64 -------------------------------------------------------------- */

/* perf record -g of arm64 adds the link register: the kernel's walk leaves out the caller of a
 * function that has made no frame. tools/perf/util/arm64-frame-pointer-unwind-support.c */
static bool has_link(const struct record *rec)
{
	return rec->event->layout.has_extra && rec->sample.extra.regs_user.abi == 2 &&
	       rec->event->attr.sample_regs_user == UINT64_C(1) << ARM64_LINK &&
	       split(rec).has_user;
}

/* Whether the code at @pc has not saved its return address yet, or never does. */
static bool is_in_link(const struct part_source *from, uint64_t pc, bool *nomem)
{
	struct unwind_place place;

	*nomem = !unwind_places_find(&from->unwinder->places, &from->owner, pc, true, &place);
	return !*nomem && place.rule && place.rule->kind == CFI_RULE_STEP &&
	       place.rule->ra == CFI_IN_PLACE;
}

/* The recorded user part, with the caller that the link register tells of. */
static bool read_with_link(const struct part_source *from, struct user_part *part)
{
	struct span ips = split(from->rec).user, values = from->rec->sample.extra.regs_user.values;
	const uint64_t link =
		unwind_strip_pointer(from->unwinder, from->owner.process, span_u64(&values));
	bool exact = true, inserts = false, nomem = false;

	start_frames(from);
	while (span_left(&ips) >= sizeof(uint64_t)) {
		const uint64_t ip = span_u64(&ips);

		if (ip >= CONTEXT_MAX)
			continue;
		if (inserts && ip != link && !append_frame(from, link, false))
			return false;
		inserts = exact && is_in_link(from, ip, &nomem);
		if (nomem || !append_frame(from, ip, exact))
			return false;
		exact = false;
	}
	if (inserts && link && !append_frame(from, link, false))
		return false;
	take_frames(from, part);
	part->end = recorded_end(from->rec);
	if (part->end == CHAIN_MISSING && part->nr > 1)
		part->end = CHAIN_RECORDED;
	return true;
}

/* ---- which one ------------------------------------------------------------------------------- */

static bool read_stack(const struct part_source *from, struct user_part *part)
{
	if (!unwind_sample(from->unwinder, from->owner.process, from->owner.event, from->rec,
			   &part->end))
		return false;
	/* Some recorders write both: the one that knows more callers. */
	if (count_addresses(split(from->rec).user) > from->unwinder->nr_frames) {
		part->is_recorded = true;
		part->end = recorded_end(from->rec);
	} else {
		take_frames(from, part);
	}
	return true;
}

static bool may(enum user_part_mode mode, enum user_part_mode wanted)
{
	return mode == USER_PART_AUTO || mode == wanted;
}

bool user_part_is_lbr(enum user_part_mode mode, const struct record *rec)
{
	return may(mode, USER_PART_LBR) && has_lbr(rec);
}

bool user_part_needs_info(enum user_part_mode mode, const struct record *rec)
{
	return (may(mode, USER_PART_DWARF) && unwind_is_possible(rec)) ||
	       (may(mode, USER_PART_RECORDED) && has_link(rec));
}

bool user_part_find(struct unwinder *unwinder, enum user_part_mode mode,
		    const struct process *process, uint32_t event, const struct record *rec,
		    struct user_part *part)
{
	const struct part_source from = {unwinder, {process, event}, rec};

	*part = (struct user_part){.end = CHAIN_RECORDED};
	if (mode == USER_PART_NONE)
		return true;
	if (may(mode, USER_PART_DWARF) && unwind_is_possible(rec))
		return read_stack(&from, part);
	if (may(mode, USER_PART_LBR) && has_lbr(rec))
		return read_lbr(&from, part);
	if (may(mode, USER_PART_RECORDED) && has_link(rec))
		return read_with_link(&from, part);
	part->is_recorded = may(mode, USER_PART_RECORDED);
	part->end = part->is_recorded ? recorded_end(rec) : CHAIN_MISSING;
	if (!part->is_recorded)
		part->kernel_ips = split(rec).kernel;
	return true;
}
