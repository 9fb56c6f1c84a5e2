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
