#include "decode/answer/branchsample.h"

#include "perffile/format.h"

enum { RUN_MAX = 1 << 16 };

/* The fields of an entry's flags (struct perf_branch_entry): first bit, bits. */
struct flag_field {
	unsigned at, width;
};

static const struct flag_field flag_mispred = {0, 1}, flag_predicted = {1, 1}, flag_in_tx = {2, 1},
			       flag_abort = {3, 1}, flag_cycles = {4, 16}, flag_type = {20, 4},
			       flag_spec = {24, 2}, flag_new_type = {26, 4}, flag_priv = {30, 3};

enum { SPEC_WRONG_PATH = 1, PRIV_USER = 1, PRIV_KERNEL = 2 };

static uint64_t get(const struct branch_entry *entry, struct flag_field field)
{
	return entry->flags >> field.at & ((UINT64_C(1) << field.width) - 1);
}

/* ---- where ----------------------------------------------------------------------------------- */

/* An end of a branch. */
struct branch_end {
	uint64_t addr;
	struct location at;
};

/* Whose branches they are. */
struct branch_owner {
	const struct addrspaces *spaces;
	const struct process *process;
	enum cpumode cpumode; /* of the sample */
	uint32_t event;	      /* number of the one that they count for */
};

static bool is_guest(enum cpumode mode)
{
	return mode == CPUMODE_GUEST_KERNEL || mode == CPUMODE_GUEST_USER;
}

/* A branch may lead from user code to the kernel or back: the sample's mode does not tell. */
static struct branch_end locate(const struct branch_owner *owner, uint64_t addr)
{
	struct branch_end end = {.addr = addr};

	if (is_guest(owner->cpumode)) {
		end.at = addrspaces_locate(owner->spaces, owner->process, owner->cpumode, addr);
		return end;
	}
	end.at = addrspaces_locate(owner->spaces, owner->process, CPUMODE_USER, addr);
	if (end.at.dso == owner->spaces->unmapped)
		end.at = addrspaces_locate(owner->spaces, owner->process, CPUMODE_KERNEL, addr);
	return end;
}

static struct branch_spot spot_of(const struct branch_end *end)
{
	return (struct branch_spot){end->at.place, end->at.dso->number};
}

/* ---- counting -------------------------------------------------------------------------------- */

/* The branch that was taken after the one at hand. */
struct newer {
	bool is_known;
	struct branch_end from;
	uint64_t cycles; /* since the one at hand; 0: unknown */
};

static bool count_edge(struct branch_sink *sink, const struct branch_owner *owner,
		       const struct branch_entry *entry, const struct branch_end *from,
		       const struct branch_end *to)
{
	const bool mispredicted = get(entry, flag_mispred), predicted = get(entry, flag_predicted);
	const uint64_t cycles = get(entry, flag_cycles);
	const bool is_known = mispredicted != predicted; /* both or neither: it tells nothing */
	const struct branch_edge edge = {
		.from = spot_of(from),
		.to = spot_of(to),
		.event = owner->event,
		.type = (uint8_t)get(entry, flag_type),
		.new_type = (uint8_t)get(entry, flag_new_type),
		.priv = (uint8_t)get(entry, flag_priv),
		.count = 1,
		.mispredicted = is_known && mispredicted,
		.known = is_known,
		.cycles = cycles,
		.cycles_known = cycles > 0,
		.in_tx = get(entry, flag_in_tx),
		.aborts = get(entry, flag_abort),
	};

	return branch_count_edge(&sink->count, &edge);
}

/* The code between a branch's target @start and the next branch, if that can be straight. */
static bool count_run(struct branch_sink *sink, const struct branch_owner *owner,
		      const struct branch_end *start, const struct newer *newer)
{
	const struct branch_end *end = &newer->from;
	const struct branch_run run = {
		.start = spot_of(start),
		.length = end->addr - start->addr,
		.event = owner->event,
		.count = 1,
		.cycles = newer->cycles,
		.cycles_known = newer->cycles > 0,
	};

	sink->totals.runs++;
	if (start->at.dso->kind == DSO_UNMAPPED || start->at.dso != end->at.dso ||
	    end->at.place - start->at.place != run.length || run.length >= RUN_MAX) {
		sink->totals.odd_runs++;
		return true;
	}
	return branch_count_run(&sink->count, &run);
}

/* Counts an entry and the run behind it; @newer becomes this one. */
static bool count_entry(struct branch_sink *sink, const struct branch_owner *owner,
			const struct branch_entry *entry, struct newer *newer)
{
	struct branch_end from, to;

	sink->totals.entries++;
	if (get(entry, flag_spec) == SPEC_WRONG_PATH) {
		sink->totals.wrong_path++;
		newer->cycles = 0; /* they count from an entry that is left out */
		return true;
	}
	if (!entry->from || !entry->to) {
		sink->totals.empty++;
		newer->is_known = false;
		return true;
	}
	from = locate(owner, entry->from);
	to = locate(owner, entry->to);
	if (!count_edge(sink, owner, entry, &from, &to) ||
	    (newer->is_known && !count_run(sink, owner, &to, newer)))
		return false;
	*newer = (struct newer){true, from, get(entry, flag_cycles)};
	return true;
}

bool branch_sample_count(struct branch_sink *sink, const struct addrspaces *spaces,
			 const struct counted_sample *sample)
{
	const struct record *rec = sample->rec;
	const struct branch_owner owner = {spaces, sample->process, record_cpumode(rec),
					   sample->event->number};
	const struct attr *attr = &rec->event->attr;
	struct newer newer = {0};
	struct branch_entry entry;
	struct span s;

	if (!rec->event->layout.has_extra || !(attr->sample_type & SAMPLE_BRANCH_STACK))
		return true;
	if (attr->branch_sample_type & BRANCH_CALL_STACK) {
		sink->totals.call_stacks++;
		return true;
	}
	s = rec->sample.extra.branches.entries;
	sink->totals.samples += span_left(&s) > 0;
	while (sample_branch_next(&s, &entry))
		if (!count_entry(sink, &owner, &entry, &newer))
			return false;
	sink->totals.beyond = sink->count.edges_beyond;
	sink->totals.runs_beyond = sink->count.runs_beyond;
	return true;
}
