#include "decode/stack/chainend.h"

const char *chain_end_word(enum chain_end end)
{
	static const char *const words[CHAIN_END_NR] = {
		[CHAIN_COMPLETE] = "complete",	     [CHAIN_RECORDED] = "recorded",
		[CHAIN_STACK_CUT] = "stack-cut",     [CHAIN_NO_CFI] = "no-cfi",
		[CHAIN_NO_MAPPING] = "no-mapping",   [CHAIN_BAD_FRAME] = "bad-frame",
		[CHAIN_DEPTH_LIMIT] = "depth-limit", [CHAIN_LBR_FULL] = "lbr-full",
		[CHAIN_MISSING] = "missing",
	};

	return words[end];
}

const char *chain_end_advice(enum chain_end end)
{
	switch (end) {
	case CHAIN_STACK_CUT:
		return "record larger stacks (perf record --call-graph dwarf,65528)";
	case CHAIN_NO_CFI:
		return "install the debug symbols of the binaries, or build them with "
		       "-fno-omit-frame-pointer and record with perf record --call-graph fp";
	case CHAIN_DEPTH_LIMIT:
		return "allow more frames (sysctl kernel.perf_event_max_stack before perf record, "
		       "or readperf --max-stack)";
	case CHAIN_LBR_FULL:
		return "the processor keeps no more calls: perf record --call-graph dwarf has all";
	case CHAIN_MISSING:
		return "record the stacks (perf record --call-graph dwarf)";
	default:
		return "";
	}
}
