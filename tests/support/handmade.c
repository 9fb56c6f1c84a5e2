#include "tests/support/handmade.h"

const struct event handmade_cycles = {
	.number = 0,
	.name = "cycles:u",
	.attr = {.type = 0, .flags = 1 << 10, .sample_period = 4000, .sample_type = 0x107},
	.nr_ids = 4,
};
const struct event handmade_loads = {
	.number = 1,
	.name = "cpu/mem-loads,ldlat=30/P",
	.attr = {.type = 9, .config = 0x1cd, .sample_period = 1},
};
const struct event handmade_nothing = {.number = 2, .name = "faults", .attr = {.type = 8}};

const struct function_stat handmade_functions[HANDMADE_FUNCTIONS] = {
	{.event = &handmade_cycles,
	 .binary = "/usr/bin/app",
	 .function = "ns::f(int, char const*)",
	 .filename = "/src/a,b.cc",
	 .line = 42,
	 .self = {3, 2000},
	 .children = {4, 2500},
	 .build_id = "0a1b",
	 .reason = "",
	 .inlined = {2, 1500},
	 .size = 96},
	{.event = &handmade_cycles,
	 .binary = "[kernel.kallsyms]",
	 .function = "=cmd|' /C calc'!A0",
	 .filename = "",
	 .self = {3, 500},
	 .children = {3, 500},
	 .build_id = "",
	 .reason = ""},
	{.event = &handmade_cycles,
	 .binary = "/gone\nfile",
	 .function = "[unknown]",
	 .filename = "",
	 .self = {1, 500},
	 .children = {1, 500},
	 .build_id = "",
	 .reason = "file-missing"},
	{.event = &handmade_loads,
	 .binary = "/usr/bin/app",
	 .function = "b\xffr\x1b[2J",
	 .filename = "b.c",
	 .line = 1,
	 .self = {1, 0},
	 .children = {1, 0},
	 .build_id = "0a1b",
	 .reason = ""},
};
