#include "decode/symbol/source.h"

static const struct symbol_source sources[] = {
	{DSO_USER, source_load_user, REASON_NONE},
	{DSO_VDSO, source_load_vdso, REASON_NONE},
	{DSO_KERNEL, source_load_kernel, REASON_NONE},
	{DSO_MODULE, source_load_module, REASON_NONE},
	{DSO_KSYMBOL, source_load_ksymbol, REASON_NONE},
	{DSO_GUEST, NULL, REASON_GUEST},
	{DSO_JIT, source_load_jit, REASON_NONE},
	{DSO_JITDUMP, source_load_jitdump, REASON_NONE},
	{DSO_NONE, NULL, REASON_NO_FILE},
	{DSO_UNMAPPED, NULL, REASON_NO_MAPPING},
};

int source_load(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		if (sources[i].kind != dso->kind)
			continue;
		if (sources[i].load)
			return sources[i].load(binary, dso, context);
		binary_set_reason(binary, sources[i].refusal);
		return 0;
	}
	binary_set_reason(binary, REASON_NO_FILE);
	return 0;
}
