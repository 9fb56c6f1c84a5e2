#include "decode/stack/chainend.h"

#include "perffile/format.h"

const char *chain_end_word(enum chain_end end)
{
	static const char *const words[CHAIN_END_NR] = {
		[CHAIN_COMPLETE] = "complete",	 [CHAIN_RECORDED] = "recorded",
		[CHAIN_STACK_CUT] = "stack-cut", [CHAIN_STACK_AWAY] = "stack-away",
		[CHAIN_NO_CFI] = "no-cfi",	 [CHAIN_NO_MAPPING] = "no-mapping",
		[CHAIN_BAD_FRAME] = "bad-frame", [CHAIN_DEPTH_LIMIT] = "depth-limit",
		[CHAIN_LBR_FULL] = "lbr-full",	 [CHAIN_MISSING] = "missing",
	};

	return words[end];
}

/* As large as perf_event_open(2) lets a copy of the stack be, in bytes. */
enum { STACK_BYTES_MAX = 65528 };

static const char *advice_for_cut(const struct attr *attr)
{
	if (attr->sample_stack_user < STACK_BYTES_MAX)
		return "record larger stacks (perf record --call-graph dwarf,65528)";
	return "no copy of the stack can be larger: perf record --call-graph fp needs none, but "
	       "frame pointers in the code";
}

static const char *advice_for_limit(const struct attr *attr)
{
	if (attr->sample_type & SAMPLE_STACK_USER)
		return "allow more frames (readperf --max-stack)";
	if (attr->sample_max_stack)
		return "allow more frames (the event was recorded with a max-stack of its own)";
	return "allow more frames (sysctl kernel.perf_event_max_stack before perf record)";
}

/* Whether samples were recorded with what @mode needs for the user part of a chain. */
static bool is_recorded(const struct attr *attr, enum user_part_mode mode)
{
	switch (mode) {
	case USER_PART_DWARF:
		return attr->sample_type & SAMPLE_STACK_USER;
	case USER_PART_LBR:
		return attr->sample_type & SAMPLE_BRANCH_STACK &&
		       attr->branch_sample_type & BRANCH_CALL_STACK;
	default:
		return attr->sample_type & SAMPLE_CALLCHAIN && !(attr->flags & ATTR_NO_USER_CHAIN);
	}
}

const char *stack_chains_from(const struct attr *attr)
{
	if (is_recorded(attr, USER_PART_DWARF))
		return "copies of the stack";
	if (is_recorded(attr, USER_PART_LBR))
		return "branch records";
	if (is_recorded(attr, USER_PART_RECORDED))
		return "frame pointers";
	return attr->sample_type & SAMPLE_CALLCHAIN ? "the kernel's part alone" : NULL;
}

/* Whether --unwind stands in the way of what was recorded. */
static bool is_left_unused(const struct attr *attr, enum user_part_mode mode)
{
	static const enum user_part_mode ways[] = {USER_PART_DWARF, USER_PART_LBR,
						   USER_PART_RECORDED};

	for (size_t i = 0; mode != USER_PART_AUTO && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (ways[i] != mode && is_recorded(attr, ways[i]))
			return true;
	return false;
}

static const char *advice_for_missing(const struct attr *attr, enum user_part_mode mode)
{
	if (is_left_unused(attr, mode))
		return "the recording has others: leave out --unwind";
	if (attr->sample_type & SAMPLE_STACK_USER)
		return "";
	if (attr->flags & ATTR_NO_USER_CHAIN)
		return "record without --kernel-callchains, which leaves them out";
	return "record the stacks (perf record --call-graph dwarf)";
}

const char *chain_end_advice(enum chain_end end, const struct attr *attr, enum user_part_mode mode)
{
	switch (end) {
	case CHAIN_STACK_CUT:
		return advice_for_cut(attr);
	case CHAIN_STACK_AWAY:
		return "the kernel copies no more than what is in memory, so that a larger copy is "
		       "of no use: perf record --call-graph fp needs none, but frame pointers in "
		       "the code";
	case CHAIN_NO_CFI:
		return "have the recorded binaries and their debug symbols at hand (--symfs, "
		       "--buildid-dir), or build them with frame pointers (JIT compilers have "
		       "options for that) and record with perf record --call-graph fp";
	case CHAIN_DEPTH_LIMIT:
		return advice_for_limit(attr);
	case CHAIN_LBR_FULL:
		return "the processor keeps no more calls: perf record --call-graph dwarf has all";
	case CHAIN_MISSING:
		return advice_for_missing(attr, mode);
	default:
		return "";
	}
}
